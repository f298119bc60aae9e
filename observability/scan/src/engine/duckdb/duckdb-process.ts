// SPDX-License-Identifier: Apache-2.0
/**
 * A process that holds one asset in DuckDB and answers statements. Its environment says where Node.js keeps compiled code, and nothing else. Its
 * parent may kill it at any moment: nothing it holds outlives a scan.
 */
import { flushCompileCache } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import type { DuckDBConnection } from '@duckdb/node-api';
import { assert, systemClock } from '@sextant/foundation-std';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import type { Row, StatementLimit } from '../engine.ts';
import { ASSET } from './asset-relation.ts';
import { lockDatabase, openDatabase, readRows } from './database.ts';
import { loadFailure, readFailure, statementFailure } from './failure-sentence.ts';
import { LimitedStatement } from './limited-statement.ts';
import type { Answer, Reply, Request } from './messages.ts';
import { NOTHING_LEFT_OUT, openFiles } from './open-files.ts';
import { tenantColumns, tenantSelect } from './tenant-select.ts';

const PROGRESS_MS = 200;
/** Node and the code around DuckDB. */
const PROCESS_BYTES = 256 * 2 ** 20;

let connection: DuckDBConnection | undefined;
let limited: LimitedStatement | undefined;
/** Whether statements read the files of the asset, and not a table that was made of them. */
let readsParquet = false;

// DuckDB's threads inherit it: a scan that keeps all cores busy leaves the service responsive.
setPriority(Math.max(getPriority(), constants.priority.PRIORITY_BELOW_NORMAL));

process.on('message', (request: Request) => {
  answer(request).then(
    (answered) => send({ kind: 'answered', id: request.id, answer: answered }),
    (error: unknown) => send({ kind: 'refused', id: request.id, message: reasonOf(error, request) }),
  );
});
// An orderly exit would wait for the statement that runs, and nobody is left to read its answer.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

async function answer(request: Request): Promise<Answer> {
  switch (request.kind) {
    case 'open': {
      assert(connection === undefined, 'a process opens one asset');
      connection = await openDatabase(request.limits);
      systemClock.every(PROGRESS_MS, () => observe(request.limits.memoryBytes)).unref();
      await connection.run(`SET preserve_insertion_order = ${request.isOrdered}`);
      readsParquet = request.files.format.kind === 'parquet';
      const loaded = await openFiles(connection, request.files);
      // What is measured has no order, and needs less memory without one.
      await connection.run('SET preserve_insertion_order = false');
      await lockDatabase(
        connection,
        request.files.files.map(({ link }) => link),
      );
      // Node.js would write it at an orderly end, which this process seldom has.
      flushCompileCache();
      return { rows: [], loaded };
    }
    case 'empty': {
      assert(connection === undefined, 'a process opens one asset');
      connection = await openDatabase(request.limits);
      // The types are texts from outside, so that the lock comes first.
      await lockDatabase(connection, []);
      const columns = request.columns.map(({ name, type }) => `${duckdbDialect.identifier(name)} ${type}`);
      await connection.run(`CREATE TABLE ${ASSET} (${columns.join(', ')})`);
      return { rows: [], loaded: NOTHING_LEFT_OUT };
    }
    case 'query':
      return { rows: await run(request.sql, request.limit), loaded: NOTHING_LEFT_OUT };
    case 'tenant': {
      const { rows, timeoutMs } = request.limits;
      const select = await tenantSelect(opened(), request.sql, rows);
      return { rows: await run(select, { timeoutMs, subject: 'The SQL' }), loaded: NOTHING_LEFT_OUT };
    }
    case 'bind':
      return { rows: await readRows(opened(), await tenantColumns(opened(), request.sql)), loaded: NOTHING_LEFT_OUT };
  }
}

function opened(): DuckDBConnection {
  assert(connection !== undefined, 'the asset is opened first');
  return connection;
}

async function run(sql: string, limit: StatementLimit | undefined): Promise<readonly Row[]> {
  if (limit === undefined) return readRows(opened(), sql);
  const statement = new LimitedStatement(opened(), { limit, clock: systemClock, onStuck: end });
  limited = statement;
  try {
    return await statement.run(sql);
  } finally {
    limited = undefined;
  }
}

/** DuckDB's own limit leaves some of its memory out, so the whole process is watched as well; a statement with limits ends before the scan has to. */
function observe(memoryBytes: number): void {
  const used = process.memoryUsage.rss();
  if (used > memoryBytes + PROCESS_BYTES) {
    end('The scan needs more memory than its limit');
    return;
  }
  if (used > memoryBytes) limited?.stopForMemory();
  const { percentage, rows_processed: rows } = opened().progress;
  if (percentage >= 0) send({ kind: 'progress', rows: Number(rows), fraction: percentage / 100 });
}

function end(reason: string): void {
  process.send?.({ kind: 'ended', reason } satisfies Reply, () => process.exit(1));
}

function reasonOf(error: unknown, request: Request): string {
  const message = error instanceof Error ? error.message : String(error);
  if (request.kind === 'open') return loadFailure(message);
  const isOurs = request.kind === 'query' && request.limit === undefined;
  return isOurs && readsParquet ? readFailure(message) : statementFailure(message);
}

function send(reply: Reply): void {
  process.send?.(reply);
}
