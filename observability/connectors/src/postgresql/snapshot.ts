// SPDX-License-Identifier: Apache-2.0
/**
 * Read-only statements over one snapshot of a database. All run in one REPEATABLE READ READ ONLY transaction, so that the metrics of one scan
 * agree with each other; each runs behind a savepoint, so that one that fails, or changes a setting, does not touch the next. Statements go
 * the extended way, in which the server refuses more than one command: no text can end the transaction and begin another.
 */
import pg from 'pg';
import { type PostgresAccess, SourceError } from '../connector.ts';
import { errorCode, type Session } from './postgresql-session.ts';

export type SnapshotLimits = { readonly statementTimeoutMs: number; readonly lockTimeoutMs: number; readonly rowsMax: number };

export type Field = { readonly name: string; readonly typeId: number; readonly typeModifier: number };
export type Answer = { readonly fields: readonly Field[]; readonly rows: readonly (readonly unknown[])[] };

export type Snapshot = PostgresAccess & {
  readonly run: (sql: string, options?: Parameters<PostgresAccess['query']>[1]) => Promise<Answer>;
};

/** The session belongs to the snapshot from here on; the transaction ends with the session. */
export async function takeSnapshot(session: Session, limits: SnapshotLimits): Promise<Snapshot> {
  const { client } = session;
  await client.query('BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY');
  await client.query(`SET LOCAL statement_timeout = ${limits.statementTimeoutMs}`);
  await client.query(`SET LOCAL lock_timeout = ${limits.lockTimeoutMs}`);
  await client.query("SET LOCAL TimeZone = 'UTC'");
  await client.query("SET LOCAL DateStyle = 'ISO'");
  let last: Promise<unknown> = Promise.resolve();
  const run: Snapshot['run'] = (sql, options = {}) => {
    // One statement at a time; what the one before said is the affair of who asked it.
    const answer = last.then(() => runStatement({ session, limits, sql, ...options }));
    last = answer.catch(() => undefined);
    return answer;
  };
  return { run, query: async (sql, options) => (await run(sql, options)).rows };
}

type Statement = {
  readonly session: Session;
  readonly limits: SnapshotLimits;
  readonly sql: string;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
};

async function runStatement({ session, limits, sql, signal, timeoutMs = limits.statementTimeoutMs }: Statement): Promise<Answer> {
  signal?.throwIfAborted();
  const { client } = session;
  const limitMs = Math.min(timeoutMs, limits.statementTimeoutMs);
  // Best effort: the statement's own timeout ends it anyway.
  const cancel = () => void session.cancel().catch(() => undefined);
  try {
    await client.query('SAVEPOINT statement');
    if (limitMs < limits.statementTimeoutMs) await client.query(`SET LOCAL statement_timeout = ${limitMs}`);
    signal?.addEventListener('abort', cancel, { once: true });
    return await readRows(session, sql, limits.rowsMax);
  } catch (cause) {
    signal?.throwIfAborted();
    throw cause instanceof SourceError ? cause : statementError(cause, { ...limits, statementTimeoutMs: limitMs });
  } finally {
    signal?.removeEventListener('abort', cancel);
    // On a broken connection this fails as well; the error above says why.
    await client.query('ROLLBACK TO SAVEPOINT statement').catch(() => undefined);
  }
}

function readRows({ client, cancel }: Session, sql: string, rowsMax: number): Promise<Answer> {
  // The types of pg know neither member.
  const config: pg.QueryConfig & { readonly rowMode: 'array'; readonly queryMode: 'extended' } = {
    text: sql,
    rowMode: 'array',
    queryMode: 'extended',
    types: { getTypeParser },
  };
  const query = new pg.Query(config);
  const rows: (readonly unknown[])[] = [];
  let overflow = false;
  return new Promise((resolve, reject) => {
    const tooMany = () => new SourceError(`a statement answers more than ${rowsMax} rows`);
    query.on('row', (row: readonly unknown[]) => {
      if (rows.length < rowsMax) rows.push(row);
      else if (!overflow) {
        overflow = true;
        // Best effort: what still comes is not kept.
        cancel().catch(() => undefined);
      }
    });
    query.on('error', (error) => reject(overflow ? tooMany() : error));
    query.on('end', ({ fields }: pg.QueryResult) => {
      if (overflow) reject(tooMany());
      else resolve({ fields: (fields ?? []).map(fieldOf), rows });
    });
    client.query(query);
  });
}

function fieldOf({ name, dataTypeID, dataTypeModifier }: pg.FieldDef): Field {
  return { name, typeId: dataTypeID, typeModifier: dataTypeModifier };
}

const { builtins } = pg.types;

/** Values as `PostgresAccess` names them; every other type stays as the server writes it. */
function getTypeParser(typeId: number): (text: string) => unknown {
  switch (typeId) {
    case builtins.BOOL:
      return (text) => text === 't';
    case builtins.INT8:
      return BigInt;
    case builtins.INT2:
    case builtins.INT4:
    case builtins.FLOAT4:
    case builtins.FLOAT8:
      return Number;
    default:
      return String;
  }
}

function statementError(cause: unknown, limits: SnapshotLimits): SourceError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  switch (errorCode(cause)) {
    case '57014':
      return new SourceError(`a statement took longer than ${limits.statementTimeoutMs} ms`, { cause });
    case '55P03':
      return new SourceError(`a table is locked for longer than ${limits.lockTimeoutMs} ms`, { cause, member: 'payload.table' });
    case '42P01':
    case '3F000':
      return new SourceError(`there is no such table: ${reason}`, { cause, member: 'payload.table' });
    case '42501':
      return new SourceError(`the user may not read it: ${reason}`, { cause, member: 'credential' });
    default:
      return new SourceError(`the database refuses a statement: ${reason}`, { cause });
  }
}
