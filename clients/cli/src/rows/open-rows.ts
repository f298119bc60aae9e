// SPDX-License-Identifier: Apache-2.0
/** Which reader a file wants, and files that are read side by side. */
import { access } from 'node:fs/promises';
import { CommandFailure } from '../failure.ts';
import type { CsvOptions } from './csv.ts';
import { openFixedWidth } from './fixed-width.ts';
import { openNdjson } from './ndjson.ts';
import type { ReadRow, RowSource } from './row-source.ts';
import { STANDARD_INPUT } from './text-bytes.ts';

export const FORMATS = ['ndjson', 'csv', 'parquet', 'npy', 'fvecs', 'ivecs', 'bvecs', 'idx'] as const;

export type Format = (typeof FORMATS)[number];

const BY_NAME: readonly (readonly [RegExp, Format])[] = [
  [/\.(ndjson|jsonl)(\.gz|\.zst)?$/i, 'ndjson'],
  [/\.(csv|tsv)(\.gz|\.zst)?$/i, 'csv'],
  [/\.(parquet|pq)$/i, 'parquet'],
  [/\.(npy|fvecs|ivecs|bvecs|idx)$/i, 'npy'],
  [/idx\d-ubyte$/i, 'idx'],
];

/** @returns the format that a name tells, or undefined */
export function formatOfName(path: string): Format | undefined {
  const [pattern, format] = BY_NAME.find(([candidate]) => candidate.test(path)) ?? [];
  if (format !== 'npy') return format;
  // The binary formats are called as their extensions.
  return FORMATS.find((known) => known === pattern?.exec(path)?.[1]?.toLowerCase());
}

export type OpenOptions = CsvOptions & { readonly format?: Format | undefined };

export async function openRows(path: string, { format = formatOfName(path), ...csv }: OpenOptions): Promise<RowSource> {
  if (format === undefined) {
    throw new CommandFailure('usage', `the format of ${path} cannot be told from its name`, {
      advice: `Pass --format with one of ${FORMATS.join(', ')}.`,
    });
  }
  if (path !== STANDARD_INPUT) await readable(path);
  // Libraries are loaded for the file that needs them.
  switch (format) {
    case 'ndjson':
      return openNdjson(path);
    case 'csv':
      return (await import('./csv.ts')).openCsv(path, csv);
    case 'parquet':
      return (await import('./parquet.ts')).openParquet(path);
    case 'npy':
    case 'fvecs':
    case 'ivecs':
    case 'bvecs':
    case 'idx':
      return openFixedWidth(path, format);
  }
}

async function readable(path: string): Promise<void> {
  try {
    await access(path);
  } catch (cause) {
    throw new CommandFailure('bad_data', `${path} does not exist or may not be read`, { cause });
  }
}

/** A further file whose n-th row belongs to the n-th row of the first; `name` calls its only column. */
export type Beside = { readonly path: string; readonly name?: string | undefined };

/** The rows of several files, read side by side as if they were one with all their columns. */
export async function openBeside(path: string, others: readonly Beside[], options: OpenOptions): Promise<RowSource> {
  const first = await openRows(path, options);
  if (others.length === 0) return first;
  const opened: RowSource[] = [];
  try {
    for (const { path: other } of others) opened.push(await openRows(other, { ...options, format: formatOfName(other) }));
    const different = opened.findIndex(
      ({ rowCount }) => rowCount !== undefined && first.rowCount !== undefined && rowCount !== first.rowCount,
    );
    if (different !== -1) {
      throw new CommandFailure(
        'bad_data',
        `${others[different]?.path} has ${opened[different]?.rowCount} rows, and ${path} has ${first.rowCount}`,
      );
    }
  } catch (error) {
    await Promise.all([first, ...opened].map((source) => source[Symbol.asyncDispose]()));
    throw error;
  }
  return {
    columns: undefined,
    rowCount: first.rowCount,
    bytes: first.bytes,
    rows: (from) => sideBySide([first, ...opened], [{ path }, ...others], from),
    [Symbol.asyncDispose]: async () => void (await Promise.all([first, ...opened].map((source) => source[Symbol.asyncDispose]()))),
  };
}

async function* sideBySide(sources: readonly RowSource[], files: readonly Beside[], from: number): AsyncGenerator<ReadRow> {
  const iterators = sources.map((source) => source.rows(from)[Symbol.asyncIterator]());
  for (let number = from + 1; ; number += 1) {
    const steps = await Promise.all(iterators.map((iterator) => iterator.next()));
    const ended = steps.findIndex(({ done }) => done);
    if (ended !== -1) {
      if (steps.every(({ done }) => done)) return;
      throw new CommandFailure('bad_data', `${files[ended]?.path} ends before row ${number}, which another file has`);
    }
    yield merged(
      steps.map(({ value }) => value as ReadRow),
      files,
    );
  }
}

function merged(parts: readonly ReadRow[], files: readonly Beside[]): ReadRow {
  const fault = parts.find(({ kind }) => kind === 'fault');
  if (fault !== undefined) return fault;
  const rows = parts.map((part, index) => {
    const row = part.kind === 'row' ? part.row : {};
    const name = files[index]?.name;
    const [only, ...more] = Object.values(row);
    return name === undefined || more.length > 0 ? row : { [name]: only };
  });
  return { kind: 'row', row: Object.assign({}, ...rows) };
}
