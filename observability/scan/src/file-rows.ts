// SPDX-License-Identifier: Apache-2.0
/** How many rows each file of an asset has, and what of that changed since the scan before: a delivery in parts is short where a part is missing. */
import type { OpenedSource } from '@sextant/observability-connectors';
import type { Engine } from './engine/engine.ts';
import type { FileChange, FileRows } from './scan.ts';

/** What a scan remembers; more files are not told apart. */
const FILES_MAX = 1000;
const CHANGES_MAX = 50;

/** Undefined of what is no file, and of too many. */
export function fileRows({ data }: OpenedSource, { rowsByFile }: Engine['loaded']): readonly FileRows[] | undefined {
  if (data.kind !== 'files' || rowsByFile === undefined || data.files.length > FILES_MAX) return undefined;
  return data.files.map(({ name }, index) => ({ name, rows: rowsByFile[index] ?? 0 }));
}

/** The greatest first. One file that takes the place of another is a delivery like the one before. */
export function changedFiles(before: readonly FileRows[] = [], after: readonly FileRows[] = []): readonly FileChange[] {
  if (before.length === 0 || after.length === 0 || (before.length === 1 && after.length === 1)) return [];
  const [earlier, later] = [before, after].map((files) => new Map(files.map(({ name, rows }) => [name, rows])));
  const names = new Set([...before, ...after].map(({ name }) => name));
  const changes = [...names].map((name) => ({ name, before: earlier?.get(name) ?? null, after: later?.get(name) ?? null }));
  return changes
    .filter((change) => change.before !== change.after)
    .toSorted((one, other) => sizeOf(other) - sizeOf(one))
    .slice(0, CHANGES_MAX);
}

function sizeOf({ before, after }: FileChange): number {
  return Math.abs((after ?? 0) - (before ?? 0));
}
