/**
 * A process that holds one asset in DuckDB and answers statements. Its environment says where Node.js keeps compiled code, and nothing else. Its
 * parent may kill it at any moment: nothing it holds outlives a scan.
 */
import { flushCompileCache } from 'node:module';
import type { DuckDBConnection } from '@duckdb/node-api';
import { assert, systemClock } from '@sextant/foundation-std';
import { lockDatabase, openDatabase, readRows } from './database.ts';
import { loadFailure, statementFailure } from './failure-sentence.ts';
import type { Answer, Reply, Request } from './messages.ts';
import { NOTHING_LEFT_OUT, openFiles } from './open-files.ts';
import { tenantSelect } from './tenant-select.ts';

const PROGRESS_MS = 200;
/** Node and the code around DuckDB. */
const PROCESS_BYTES = 256 * 2 ** 20;

let connection: DuckDBConnection | undefined;

process.on('message', (request: Request) => {
  answer(request).then(
    (answered) => send({ kind: 'answered', id: request.id, answer: answered }),
    (error: unknown) => send({ kind: 'refused', id: request.id, message: reasonOf(error, request) }),
  );
});
process.once('disconnect', () => process.exit());

async function answer(request: Request): Promise<Answer> {
  switch (request.kind) {
    case 'open': {
      assert(connection === undefined, 'a process opens one asset');
      connection = await openDatabase(request.limits);
      systemClock.every(PROGRESS_MS, () => observe(request.limits.memoryBytes + PROCESS_BYTES)).unref();
      const loaded = await openFiles(connection, request.files);
      await lockDatabase(
        connection,
        request.files.files.map(({ link }) => link),
      );
      // Node.js would write it at an orderly end, which this process seldom has.
      flushCompileCache();
      return { rows: [], loaded };
    }
    case 'query':
      return { rows: await readRows(opened(), request.sql), loaded: NOTHING_LEFT_OUT };
    case 'tenant': {
      const sql = await tenantSelect(opened(), request.sql, request.rowLimit);
      return { rows: await readRows(opened(), sql), loaded: NOTHING_LEFT_OUT };
    }
  }
}

function opened(): DuckDBConnection {
  assert(connection !== undefined, 'the asset is opened first');
  return connection;
}

/** DuckDB's own limit leaves some of its memory out, so the whole process is watched as well. */
function observe(bytesMax: number): void {
  if (process.memoryUsage.rss() > bytesMax) {
    process.send?.({ kind: 'over-memory' } satisfies Reply, () => process.exit(1));
    return;
  }
  const { percentage, rows_processed: rows } = opened().progress;
  if (percentage >= 0) send({ kind: 'progress', rows: Number(rows), fraction: percentage / 100 });
}

function reasonOf(error: unknown, { kind }: Request): string {
  const message = error instanceof Error ? error.message : String(error);
  return kind === 'open' ? loadFailure(message) : statementFailure(message);
}

function send(reply: Reply): void {
  process.send?.(reply);
}
