// SPDX-License-Identifier: Apache-2.0
/** Tables of PostgreSQL whose rows have vectors, as collections. The connection is that of PostgreSQL; rows are read, and measured here. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Connector, Description, OpenConnection, VectorCollectionAccess } from '../connector.ts';
import { jsonColumns } from '../formats/json-records.ts';
import { connect, serverOf } from '../postgresql/postgresql-session.ts';
import { takeSnapshot } from '../postgresql/snapshot.ts';
import { tableAccess } from './table-access.ts';
import { placeOf, readVectorTable } from './vector-table.ts';

export type PgvectorConnectorOptions = { readonly outbound: OutboundGuard; readonly statementTimeoutMs: number };

const LOCK_TIMEOUT_MS = 5_000;
/** Of one page; it has fewer. */
const ROWS_MAX = 10_000;

export function createPgvectorConnector({ outbound, statementTimeoutMs }: PgvectorConnectorOptions): Connector {
  const openSnapshot = async (connection: OpenConnection, signal: AbortSignal) => {
    const session = await connect(serverOf(connection), { outbound, signal });
    const snapshot = await takeSnapshot(session, { statementTimeoutMs, lockTimeoutMs: LOCK_TIMEOUT_MS, rowsMax: ROWS_MAX });
    return { snapshot, [Symbol.asyncDispose]: () => session[Symbol.asyncDispose]() };
  };
  return {
    kind: 'PGVECTOR',
    validateConnection: (payload, credential) => {
      serverOf({ payload, credential });
    },
    validateAsset: (payload) => {
      placeOf(payload);
    },
    test: async (connection, signal) => {
      await using opened = await openSnapshot(connection, signal);
      await opened.snapshot.query('SELECT 1', { signal });
    },
    list: async (connection, { limit, signal }) => {
      await using opened = await openSnapshot(connection, signal);
      const rows = await opened.snapshot.query(`${TABLES_WITH_VECTORS} LIMIT ${Math.min(limit, ROWS_MAX)}`, { signal });
      return rows.map(([schema, table, bytes]) => ({
        payload: { schema, table },
        name: `${String(schema)}.${String(table)}`,
        bytes: typeof bytes === 'bigint' ? Number(bytes) : null,
        modified_at: null,
      }));
    },
    describe: async (connection, location, signal) => {
      const place = placeOf(location.payload);
      await using opened = await openSnapshot(connection, signal);
      const collection = await tableAccess(opened.snapshot, await readVectorTable(opened.snapshot, place, signal));
      return await describePage(collection, signal);
    },
    open: async (connection, location, { signal }) => {
      const place = placeOf(location.payload);
      await using opening = new AsyncDisposableStack();
      const { snapshot } = opening.use(await openSnapshot(connection, signal));
      const collection = await tableAccess(snapshot, await readVectorTable(snapshot, place, signal));
      const description = await describePage(collection, signal);
      const release = opening.move();
      return {
        description,
        data: { kind: 'vectors', collection },
        // One snapshot does not change.
        confirmUnchanged: async () => {},
        [Symbol.asyncDispose]: () => release.disposeAsync(),
      };
    },
  };
}

/** What the user may read and has a column of vectors, or an array of floating-point numbers. */
const TABLES_WITH_VECTORS = `
  SELECT n.nspname::text, c.relname::text, CASE WHEN c.relkind IN ('r', 'm') THEN pg_table_size(c.oid) END
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.relkind IN ('r', 'p', 'm') AND n.nspname NOT IN ('pg_catalog', 'information_schema') AND n.nspname NOT LIKE 'pg\\_t%'
    AND has_schema_privilege(n.oid, 'USAGE') AND has_table_privilege(c.oid, 'SELECT')
    AND EXISTS (SELECT FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
      WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND t.typname IN ('vector', 'halfvec', '_float4', '_float8'))
  ORDER BY 1, 2`;

/** The members of the payloads of a first page. */
async function describePage(collection: VectorCollectionAccess, signal: AbortSignal): Promise<Description> {
  for await (const page of collection.points({ signal })) {
    return { columns: jsonColumns(page.map(({ payload }) => payload)), modified_at: null, bytes: null };
  }
  return { columns: [], modified_at: null, bytes: null };
}
