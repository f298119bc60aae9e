// SPDX-License-Identifier: Apache-2.0
/** Writes generated tables as files. */
import { writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Reading } from '@sextant/contracts-observability';
import { createFileConnector, type OpenedSource } from '@sextant/observability-connectors';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { writeParquet } from './parquet-writer.ts';
import type { Table } from './table-arbitraries.ts';

const BYTES_MAX = 16 * 2 ** 30;

/** As the connector of files opens it, without its age. */
export async function fileSource(
  path: string,
  {
    fileType,
    reading = {},
    bytesMax = BYTES_MAX,
  }: { readonly fileType?: string; readonly reading?: Reading; readonly bytesMax?: number } = {},
): Promise<OpenedSource> {
  const directory = dirname(path);
  const connector = createFileConnector({ allowedDirectories: [directory], bytesMax });
  const opened = await connector.open(
    { id: 1, type: 'FILE', payload: { directory }, credential: null },
    { payload: { path: basename(path), ...(fileType === undefined ? {} : { file_type: fileType }) }, reading },
    { signal: new AbortController().signal, temporaryDirectory: directory },
  );
  return { ...opened, description: { ...opened.description, modified_at: null } };
}

export async function csvFile({ columns, rows }: Table, directory: string): Promise<OpenedSource> {
  const quote = (value: string): string => `"${value.replaceAll('"', '""')}"`;
  const lines = [
    columns.map(({ name }) => quote(name)),
    ...rows.map((row) => row.map((value, index) => (value === null ? '' : columns[index]?.type === 'STRING' ? quote(value) : value))),
  ];
  const path = join(directory, 'table[1]*.csv.gz');
  await writeFile(path, gzipSync(`${lines.map((line) => line.join(',')).join('\n')}\n`));
  return fileSource(path);
}

export async function ndjsonFile({ columns, rows }: Table, directory: string): Promise<OpenedSource> {
  const QUOTED = new Set(['STRING', 'DATE', 'TIMESTAMP']);
  const lines = rows.map((row) => {
    const members = columns.map(({ name, type }, index) => {
      const value = row[index] ?? null;
      return `${JSON.stringify(name)}:${value !== null && QUOTED.has(type) ? JSON.stringify(value) : value}`;
    });
    return `{${members.join(',')}}`;
  });
  const path = join(directory, 'table.ndjson');
  await writeFile(path, lines.join('\n'));
  return fileSource(path);
}

export async function parquetFile({ columns, rows }: Table, directory: string): Promise<OpenedSource> {
  const { identifier, literal } = duckdbDialect;
  const path = join(directory, 'table.parquet');
  const values = rows.map((row) => `(${row.map((value) => (value === null ? 'NULL' : literal(value))).join(', ')})`);
  const casts = columns.map(({ name, duckdbType }) => `CAST(${identifier(name)} AS ${duckdbType}) AS ${identifier(name)}`);
  await writeParquet(
    `SELECT ${casts.join(', ')} FROM (VALUES ${values.join(', ')}) AS t(${columns.map(({ name }) => identifier(name)).join(', ')})`,
    path,
  );
  return fileSource(path);
}
