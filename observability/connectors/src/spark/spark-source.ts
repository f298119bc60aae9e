// SPDX-License-Identifier: Apache-2.0
/** The data of an asset as a view in a session of Spark, what it holds, and whether it is still the same after it was read. */
import type { DataType } from '@sextant/contracts-observability';
import { type Column, type Description, SourceError, type SparkAccess } from '../connector.ts';
import { type SparkAsset, VERSIONED } from './spark-asset.ts';
import { SparkFailure } from './spark-error.ts';

export const VIEW = 'sextant_asset';
const FILES = 'sextant_files';
const CATALOG = 'sextant_iceberg';
/** Options that say which files are read. */
const FINDING = ['pathGlobFilter', 'recursiveFileLookup'];

export type SparkSource = { readonly description: Description; readonly confirmUnchanged: () => Promise<void> };

/** Text files without a word on it have a line of names, and types by their values; a line that does not fit ends the scan, since nothing counts it. */
const READING: { readonly [format: string]: { readonly [option: string]: string } } = {
  csv: { header: 'true', inferSchema: 'true', mode: 'FAILFAST', enforceSchema: 'false' },
  json: { mode: 'FAILFAST' },
};

export async function openSparkSource(connect: SparkAccess, asset: SparkAsset, signal: AbortSignal): Promise<SparkSource> {
  const run: Run = (sql, columns) => connect.query(sql, { signal, ...(columns === undefined ? {} : { columns }) });
  // Else a table such as parquet.`/path` would be a file.
  if (asset.data.kind === 'table') await run('SET spark.sql.runSQLOnFiles = false');
  const unreadable = (cause: unknown) => {
    throw cause instanceof SparkFailure ? new SourceError(`the asset cannot be read: ${reasonOf(cause, asset)}`, { cause }) : cause;
  };
  if (asset.data.kind === 'path' && asset.data.format === 'iceberg') await openCatalog(run, asset.data.path);
  const pinned = await pin(run, asset).catch(unreadable);
  await run(viewOf(asset, pinned?.version)).catch(unreadable);
  const columns = (await run(`DESCRIBE QUERY SELECT * FROM ${VIEW}`)).map(([name, type]) => columnOf(String(name), String(type)));
  const files = pinned === undefined && asset.data.kind === 'path' ? await filesOf(run, asset) : undefined;
  return {
    description: { columns, modified_at: pinned?.at ?? files?.at ?? null, bytes: files?.bytes ?? null },
    confirmUnchanged: async () => {
      if (files === undefined) return;
      const now = await filesOf(run, asset);
      if (now.state !== files.state) throw new SourceError('the files changed while they were read; scan again');
    },
  };
}

type Run = (sql: string, columns?: readonly string[]) => ReturnType<SparkAccess['query']>;

/** The version that is the newest now, so that all statements see the same one. */
async function pin(run: Run, { data, asOf }: SparkAsset): Promise<{ readonly version: string; readonly at: string | null } | undefined> {
  if (asOf !== undefined || data.kind !== 'path' || !VERSIONED.includes(data.format)) return undefined;
  // Of Delta the newest comes first, in the answer of a command.
  const [[version = null, at = null] = []] =
    data.format === 'delta'
      ? await run(`DESCRIBE HISTORY ${relationOf(data)} LIMIT 1`, ['version', 'timestamp'])
      : await run(
          `SELECT CAST(h.snapshot_id AS STRING), CAST(h.made_current_at AS STRING) FROM ${relationOf(data)}.history AS h ORDER BY h.made_current_at DESC LIMIT 1`,
        );
  return version === null ? undefined : { version: String(version), at: at === null ? null : isoOf(String(at)) };
}

function viewOf({ data, asOf }: SparkAsset, pinned: string | undefined): string {
  const version = asOf ?? (pinned === undefined ? undefined : ({ kind: 'version', version: pinned } as const));
  const at =
    version === undefined
      ? ''
      : version.kind === 'version'
        ? ` VERSION AS OF ${version.version}`
        : ` TIMESTAMP AS OF ${literal(version.timestamp)}`;
  const create = `CREATE OR REPLACE TEMPORARY VIEW ${VIEW}`;
  if (data.kind === 'table') return `${create} AS SELECT * FROM ${data.name.map(quoted).join('.')}${at}`;
  if (VERSIONED.includes(data.format)) return `${create} AS SELECT * FROM ${relationOf(data)}${at}`;
  return viewUsing(VIEW, data.format, { ...READING[data.format], ...data.options, path: data.path });
}

function relationOf({ format, path }: { readonly format: string; readonly path: string }): string {
  return format === 'iceberg' ? `${CATALOG}.${quoted(placeOf(path).name)}` : `${format}.${quoted(path)}`;
}

/**
 * SQL reads no Iceberg table by its path: it has to be in a catalog, and the simplest is a folder of tables
 * (https://iceberg.apache.org/docs/latest/spark-configuration/).
 */
async function openCatalog(run: Run, path: string): Promise<void> {
  const property = `spark.sql.catalog.${CATALOG}`;
  await run(`SET ${property} = org.apache.iceberg.spark.SparkCatalog`);
  await run(`SET ${property}.type = hadoop`);
  await run(`SET ${property}.warehouse = ${quoted(placeOf(path).folder)}`);
}

/** Spark would speak of the catalog, which nobody but this file knows. */
function reasonOf({ errorClass, message }: SparkFailure, { data }: SparkAsset): string {
  if (data.kind !== 'path' || data.format !== 'iceberg') return message;
  if (errorClass === 'TABLE_OR_VIEW_NOT_FOUND') return `there is no Iceberg table at ${data.path}`;
  return message.includes(CATALOG) ? 'Spark lacks the Iceberg package for its version (org.apache.iceberg:iceberg-spark-runtime)' : message;
}

function placeOf(path: string): { readonly folder: string; readonly name: string } {
  const [, folder = '', name = ''] = /^(.*?)\/+([^/]+)\/*$/.exec(path) ?? [];
  return { folder: folder === '' ? '/' : folder, name };
}

/** How many files there are, how large they are and when the last one changed; their contents are not read. */
async function filesOf(
  run: Run,
  { data }: SparkAsset,
): Promise<{ readonly state: string; readonly bytes: number; readonly at: string | null }> {
  const { path, options } = data.kind === 'path' ? data : { path: '', options: {} };
  const found = Object.entries(options).filter(([name]) => FINDING.includes(name));
  await run(viewUsing(FILES, 'binaryFile', { ...Object.fromEntries(found), path }));
  const [[count = 0, bytes = 0, at = null] = []] = await run(
    `SELECT count(*), coalesce(sum(length), 0), CAST(max(modificationTime) AS STRING) FROM ${FILES}`,
  );
  return { state: [count, bytes, at].join(), bytes: Number(bytes), at: at === null ? null : isoOf(String(at)) };
}

function viewUsing(view: string, format: string, options: { readonly [name: string]: string }): string {
  const written = Object.entries(options).map(([name, value]) => `${literal(name)} ${literal(value)}`);
  return `CREATE OR REPLACE TEMPORARY VIEW ${view} USING ${format} OPTIONS (${written.join(', ')})`;
}

function isoOf(timestamp: string): string {
  return new Date(`${timestamp.replace(' ', 'T')}Z`).toISOString();
}

function quoted(name: string): string {
  return `\`${name.replaceAll('`', '``')}\``;
}

function literal(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function columnOf(name: string, type: string): Column {
  return { name, source_type: type, data_type: DATA_TYPES.get(type.replace(/\(.*$/, '')) ?? 'OTHER' };
}

const DATA_TYPES: ReadonlyMap<string, DataType> = new Map([
  ['tinyint', 'INTEGER'],
  ['smallint', 'INTEGER'],
  ['int', 'INTEGER'],
  ['bigint', 'INTEGER'],
  ['float', 'DECIMAL'],
  ['double', 'DECIMAL'],
  ['decimal', 'DECIMAL'],
  ['boolean', 'BOOLEAN'],
  ['date', 'DATE'],
  ['timestamp', 'TIMESTAMP'],
  ['timestamp_ntz', 'TIMESTAMP'],
  ['string', 'STRING'],
  ['varchar', 'STRING'],
  ['char', 'STRING'],
]);
