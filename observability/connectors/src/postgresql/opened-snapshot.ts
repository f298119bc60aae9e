// SPDX-License-Identifier: Apache-2.0
/** A session of PostgreSQL with one read-only snapshot, and the relations that can be seen in it. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { ListedItem, OpenConnection } from '../connector.ts';
import { connect, serverOf } from './postgresql-session.ts';
import { type Snapshot, takeSnapshot } from './snapshot.ts';

export type SnapshotLimits = {
  readonly statementTimeoutMs: number;
  /** How long a statement waits for somebody else's lock. */
  readonly lockTimeoutMs?: number;
  /** Rows of one answer. */
  readonly rowsMax: number;
};

const LOCK_TIMEOUT_MS = 5_000;

/** Disposing it ends the session. */
export type OpenedSnapshot = AsyncDisposable & { readonly snapshot: Snapshot };

export function snapshotOpener(outbound: OutboundGuard, { lockTimeoutMs = LOCK_TIMEOUT_MS, ...limits }: SnapshotLimits) {
  return async (connection: OpenConnection, signal: AbortSignal): Promise<OpenedSnapshot> => {
    const session = await connect(serverOf(connection), { outbound, signal });
    const snapshot = await takeSnapshot(session, { ...limits, lockTimeoutMs });
    return { snapshot, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
  };
}

export type RelationsWanted = {
  /** A condition over `c`, its row of `pg_class`. */
  readonly where: string;
  readonly limit: number;
  readonly signal: AbortSignal;
};

/** What the user may read, without the system's own; a view has no size. */
export async function listRelations(snapshot: Snapshot, { where, limit, signal }: RelationsWanted): Promise<readonly ListedItem[]> {
  const rows = await snapshot.query(
    `SELECT n.nspname::text, c.relname::text, CASE WHEN c.relkind IN ('r', 'm') THEN pg_table_size(c.oid) END
    FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_t%'
      AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT') AND ${where}
    ORDER BY 1, 2 LIMIT ${limit}`,
    { signal },
  );
  return rows.map(([schema, table, bytes]) => ({
    payload: { schema, table },
    name: `${String(schema)}.${String(table)}`,
    bytes: typeof bytes === 'bigint' ? Number(bytes) : null,
    modified_at: null,
  }));
}
