// SPDX-License-Identifier: Apache-2.0
/** Searches a dirty table and compares what is proposed with what differs from the clean one. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWrongCellsInFile, type SuggestedRule, type WrongCell } from '@sextant/observability-scan';
import { type Score, scoreOf } from './score.ts';
import { type TextTable, writeCsv } from './text-table.ts';

const LIMITS = { memoryBytes: 2 * 2 ** 30, threads: 2 };

export type Findings = {
  readonly cells: readonly WrongCell[];
  /** The proposed cells as `row:column`. */
  readonly proposed: ReadonlySet<string>;
  readonly rules: readonly SuggestedRule[];
  readonly ms: number;
};

export async function search(table: TextTable): Promise<Findings> {
  const directory = await mkdtemp(join(tmpdir(), 'sextant-cells-'));
  try {
    const path = join(directory, 'dirty.csv');
    await writeCsv(path, table);
    const startMs = performance.now();
    const { cells, rules } = await findWrongCellsInFile(path, LIMITS);
    const ms = performance.now() - startMs;
    return {
      cells,
      proposed: new Set(cells.map(({ row, column }) => `${row}:${column}`)),
      rules,
      ms,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

export function differences(dirty: TextTable, clean: TextTable): ReadonlySet<string> {
  if (dirty.columns.length !== clean.columns.length) {
    throw new Error(`The dirty table has ${dirty.columns.length} columns and the clean one ${clean.columns.length}`);
  }
  if (dirty.rows.length !== clean.rows.length) {
    throw new Error(`The dirty table has ${dirty.rows.length} rows and the clean one ${clean.rows.length}`);
  }
  const wrong = dirty.rows.flatMap((row, at) =>
    dirty.columns.flatMap((_, column) => ((row[column] ?? '') === (clean.rows[at]?.[column] ?? '') ? [] : [`${at}:${column}`])),
  );
  return new Set(wrong);
}

export function scoresByColumn(
  { columns }: TextTable,
  proposed: ReadonlySet<string>,
  wrong: ReadonlySet<string>,
): readonly (Score & { readonly column: string })[] {
  return columns.map((column, index) => {
    const own = (cells: ReadonlySet<string>): ReadonlySet<string> => new Set([...cells].filter((cell) => cell.endsWith(`:${index}`)));
    return { column, ...scoreOf(own(proposed), own(wrong)) };
  });
}
