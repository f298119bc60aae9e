// SPDX-License-Identifier: Apache-2.0
/** Files in DuckDB. */
import { mkdir, mkdtemp, rm, symlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Column, OpenedSource } from '@sextant/observability-connectors';
import { dataTypeOfDuckdb, duckdbDialect } from '../../dialect/duckdb.ts';
import type { ScanLimits, ScanProgress } from '../../scan.ts';
import {
  ASSET_RELATION,
  type Engine,
  RECORD_NUMBER,
  type Restriction,
  type Row,
  type RowObject,
  restrictionSql,
  rowObjects,
  type StatementLimit,
  type TenantLimits,
} from '../engine.ts';
import { ASSET, pathList } from './asset-relation.ts';
import type { AssetClient, Loaded, OpenAssetClient } from './messages.ts';
import { ProcessClient } from './process-client.ts';
import { type TextColumn, textTypeOf } from './text-types.ts';

export type FilesToScan = Extract<OpenedSource['data'], { readonly kind: 'files' }>;

export type DataToScan = {
  readonly data: FilesToScan;
  readonly declared: ReadonlyMap<string, Column>;
  /** Whether somebody will ask which record of its file a row is. */
  readonly isNumbered: boolean;
};

type DuckdbEngineOptions = {
  readonly limits: ScanLimits;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ScanProgress) => void;
};

/** A process for each scan: what is hostile in its files or in its SQL ends there. */
export const inProcessOfItsOwn: OpenAssetClient = (options) => new ProcessClient(options);

/** Opens the files under the limits; aborting ends the process and rejects whatever waits. */
export async function openDuckdbEngine(
  { data, declared, isNumbered }: DataToScan,
  options: DuckdbEngineOptions,
  openClient = inProcessOfItsOwn,
): Promise<Engine> {
  const { limits, signal, onProgress } = options;
  await mkdir(limits.temporaryDirectory, { recursive: true });
  const directory = await mkdtemp(join(limits.temporaryDirectory, 'scan-'));
  const spillDirectory = join(directory, 'spill');
  let phase: ScanProgress['phase'] = 'reading';
  const cleanUp = new AsyncDisposableStack();
  cleanUp.defer(() => rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }));
  try {
    const files = await Promise.all(
      data.files.map(async ({ path, columns }, index) => ({
        link: await link(path, join(directory, `file-${index}`)),
        columns: columns.map((column) => textColumn(column, declared.get(column.name))),
      })),
    );
    const client = cleanUp.use(
      openClient({
        directory,
        signal,
        onProgress: ({ rows, fraction }) => {
          if (phase === 'reading') onProgress({ phase, rowsRead: rows, fraction });
        },
      }),
    );
    const { memoryBytes, temporaryBytes, threads } = limits;
    // In several files a number leads to nothing.
    const numbered = isNumbered && files.length === 1 ? files[0] : undefined;
    const { loaded } = await client.call({
      kind: 'open',
      files: { files, format: data.format },
      limits: { memoryBytes, temporaryBytes, threads, spillDirectory },
      isOrdered: numbered !== undefined,
    });
    phase = 'measuring';
    const columns = await describe(client);
    const numberedRelation = numbered && numberedRows(data.format, numbered.link, columns);
    return new DuckdbEngine({ client, loaded, columns, numberedRelation, dispose: () => cleanUp.disposeAsync() });
  } catch (error) {
    await cleanUp.disposeAsync();
    throw error;
  }
}

type Parts = {
  readonly client: AssetClient;
  readonly loaded: Loaded;
  readonly columns: readonly Column[];
  readonly numberedRelation: string | undefined;
  readonly dispose: () => Promise<void>;
};

class DuckdbEngine implements Engine {
  readonly dialect = duckdbDialect;
  readonly relation = ASSET;
  readonly keepsTables = true;
  readonly columns: readonly Column[];
  readonly numberedRelation: string | undefined;
  readonly loaded: Loaded;
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.columns = parts.columns;
    this.numberedRelation = parts.numberedRelation;
    this.loaded = parts.loaded;
  }

  async query(sql: string, limit?: StatementLimit): Promise<readonly Row[]> {
    return (await this.#parts.client.call({ kind: 'query', sql, limit })).rows;
  }

  async queryObjects(sql: string, rowLimit: number, limit?: StatementLimit): Promise<readonly RowObject[]> {
    return rowObjects(await this.query(`SELECT CAST(to_json(m) AS VARCHAR) FROM (${sql}) AS m LIMIT ${rowLimit}`, limit));
  }

  async queryTenant(sql: string, limits: TenantLimits): Promise<readonly RowObject[]> {
    return rowObjects((await this.#parts.client.call({ kind: 'tenant', sql, limits })).rows);
  }

  /** The kept rows become the table `asset` in place of all rows: one pass, and the same rows for every statement after it. */
  async restrict(restriction: Restriction): Promise<Engine> {
    await this.query(`CREATE TABLE kept AS SELECT * FROM ${ASSET}${restrictionSql(restriction)}`);
    const [[kind] = []] = await this.query(`SELECT table_type FROM information_schema.tables WHERE table_name = '${ASSET_RELATION}'`);
    await this.query(`DROP ${kind === 'VIEW' ? 'VIEW' : 'TABLE'} ${ASSET}`);
    await this.query(`ALTER TABLE kept RENAME TO ${ASSET}`);
    return new DuckdbEngine({ ...this.#parts, numberedRelation: undefined });
  }

  async select(where: string, columns: readonly Column[]): Promise<string> {
    const names = columns.map(({ name }) => duckdbDialect.identifier(name)).join(', ');
    await this.query(`CREATE TABLE selected AS SELECT ${names} FROM ${ASSET} WHERE ${where}`);
    return 'selected';
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#parts.dispose();
  }
}

/** A table has its rows in the order in which they were read; Parquet counts its rows by itself. */
function numberedRows(format: FilesToScan['format'], link: string, columns: readonly Column[]): string | undefined {
  const number = duckdbDialect.identifier(RECORD_NUMBER);
  const position = format.kind === 'parquet' ? 'file_row_number' : 'rowid';
  // A column of that name hides the position.
  if (columns.some(({ name }) => name.toLowerCase() === position)) return undefined;
  if (format.kind !== 'parquet') return `(SELECT *, rowid + 1 AS ${number} FROM ${ASSET}) AS ${ASSET}`;
  const rows = `read_parquet(${pathList([link])}, file_row_number = true)`;
  return `(SELECT * EXCLUDE (file_row_number), file_row_number + 1 AS ${number} FROM ${rows}) AS ${ASSET}`;
}

async function describe(client: AssetClient): Promise<readonly Column[]> {
  const { rows } = await client.call({ kind: 'query', sql: `SELECT column_name, column_type FROM (DESCRIBE ${ASSET})` });
  return rows.map(([name, type]) => ({ name: String(name), source_type: String(type), data_type: dataTypeOfDuckdb(String(type)) }));
}

/** What is declared of a column goes before what its first values look like. */
function textColumn({ name, ...likely }: FilesToScan['files'][number]['columns'][number], declared: Column | undefined): TextColumn {
  const isDeclared = declared !== undefined && declared.data_type !== 'OTHER';
  return { name, type: textTypeOf(isDeclared ? declared : likely), isDeclared, isEmpty: likely.isEmpty === true };
}

/** Links have plain names, so that no path of an asset is taken for a pattern or shown in a message. */
async function link(path: string, name: string): Promise<string> {
  await symlink(resolve(path), name);
  return name;
}
