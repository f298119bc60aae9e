// SPDX-License-Identifier: Apache-2.0
/** One asset in DuckDB, and the answers to statements over it. */
import { stat } from 'node:fs/promises';
import type { DuckDBConnection } from '@duckdb/node-api';
import { assert, systemClock } from '@sextant/foundation-std';
import { duckdbDialect } from '../../dialect/duckdb.ts';
import type { Row, StatementLimit } from '../engine.ts';
import { ASSET } from './asset-relation.ts';
import { lockDatabase, openDatabase, readRows } from './database.ts';
import { loadFailure, readFailure, statementFailure } from './failure-sentence.ts';
import { LimitedStatement } from './limited-statement.ts';
import type { Answer, AssetRequest, FilesToOpen, Loaded } from './messages.ts';
import { NOTHING_LEFT_OUT, openFiles } from './open-files.ts';
import { parsedSelect, tenantColumns, tenantSelect } from './tenant-select.ts';

/** One thread takes what is smaller: starting a second one, which polls for work while the first one has all of it, takes longer. */
const ONE_THREAD = { bytes: 2 ** 18, rows: 4096 };

export class AssetStatements {
  /** Of a statement that neither ends nor can be interrupted: only the end of the whole process stops it. */
  readonly #onStuck: (reason: string) => void;
  #connection: DuckDBConnection | undefined;
  #limited: LimitedStatement | undefined;
  /** Whether statements read the files of the asset, and not a table that was made of them. */
  #readsParquet = false;

  constructor({ onStuck }: { readonly onStuck: (reason: string) => void }) {
    this.#onStuck = onStuck;
  }

  async answer(request: AssetRequest): Promise<Answer> {
    switch (request.kind) {
      case 'open': {
        const { threads } = request.limits;
        const isSmall = (await bytesOf(request.files)) < ONE_THREAD.bytes;
        const connection = await this.#open({ ...request.limits, threads: isSmall ? 1 : threads });
        await connection.run(`SET preserve_insertion_order = ${request.isOrdered}`);
        this.#readsParquet = request.files.format.kind === 'parquet';
        const loaded = await openFiles(connection, request.files);
        // What is measured has no order, and needs less memory without one. A few bytes may hold many rows.
        await connection.run(
          `SET preserve_insertion_order = false; SET threads = ${isSmall && rowsOf(loaded) < ONE_THREAD.rows ? 1 : threads}`,
        );
        await lockDatabase(
          connection,
          request.files.files.map(({ link }) => link),
        );
        return { rows: [], loaded };
      }
      case 'empty': {
        const connection = await this.#open({ ...request.limits, threads: 1 });
        // The types are texts from outside, so that the lock comes first.
        await lockDatabase(connection, []);
        const columns = request.columns.map(({ name, type }) => `${duckdbDialect.identifier(name)} ${type}`);
        await connection.run(`CREATE TABLE ${ASSET} (${columns.join(', ')})`);
        return { rows: [], loaded: NOTHING_LEFT_OUT };
      }
      case 'query':
        return { rows: await this.#run(request.sql, request.limit), loaded: NOTHING_LEFT_OUT };
      case 'tenant': {
        const { rows, timeoutMs } = request.limits;
        const select = await tenantSelect(this.#opened(), request.sql, rows);
        return { rows: await this.#run(select, { timeoutMs, subject: 'The SQL' }), loaded: NOTHING_LEFT_OUT };
      }
      case 'bind':
        return { rows: await readRows(this.#opened(), await tenantColumns(this.#opened(), request.sql)), loaded: NOTHING_LEFT_OUT };
      case 'parse':
        return { rows: [[await parsedSelect(this.#opened(), request.sql)]], loaded: NOTHING_LEFT_OUT };
    }
  }

  /** The sentence about a request that failed. */
  reasonOf(error: unknown, request: AssetRequest): string {
    const message = error instanceof Error ? error.message : String(error);
    if (request.kind === 'open') return loadFailure(message);
    const isOurs = request.kind === 'query' && request.limit === undefined;
    return isOurs && this.#readsParquet ? readFailure(message) : statementFailure(message);
  }

  /** Of the statement that runs; undefined where DuckDB cannot tell, and while it is still being opened. */
  progress(): { readonly rows: number; readonly fraction: number } | undefined {
    if (this.#connection === undefined) return undefined;
    const { percentage, rows_processed: rows } = this.#connection.progress;
    return percentage >= 0 ? { rows: Number(rows), fraction: percentage / 100 } : undefined;
  }

  /** Ends the statement with limits that runs, so that the scan around it need not end. */
  stopForMemory(): void {
    this.#limited?.stopForMemory();
  }

  close(): void {
    this.#connection?.closeSync();
  }

  async #open(limits: Parameters<typeof openDatabase>[0]): Promise<DuckDBConnection> {
    assert(this.#connection === undefined, 'one asset is opened, once');
    this.#connection = await openDatabase(limits);
    return this.#connection;
  }

  #opened(): DuckDBConnection {
    assert(this.#connection !== undefined, 'the asset is opened first');
    return this.#connection;
  }

  async #run(sql: string, limit: StatementLimit | undefined): Promise<readonly Row[]> {
    if (limit === undefined) return readRows(this.#opened(), sql);
    const statement = new LimitedStatement(this.#opened(), { limit, clock: systemClock, onStuck: this.#onStuck });
    this.#limited = statement;
    try {
      return await statement.run(sql);
    } finally {
      this.#limited = undefined;
    }
  }
}

async function bytesOf({ files }: FilesToOpen): Promise<number> {
  const sizes = await Promise.all(files.map(async ({ link }) => (await stat(link)).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** Of columnar files, of which nothing is loaded, the rows that they say they have. */
function rowsOf({ rows, rowsByFile = [] }: Loaded): number {
  return Math.max(
    rows,
    rowsByFile.reduce((sum, count) => sum + count, 0),
  );
}
