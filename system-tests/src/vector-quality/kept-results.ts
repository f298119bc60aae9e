// SPDX-License-Identifier: Apache-2.0
/**
 * Results of pieces as files. What is measured stays below `.cache` until the measured code changes, so that an interrupted run goes on where it was; what the page
 * reports is committed beside it, so that the page can be written again without a run.
 */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nameOf, type Piece, type PieceResult } from './piece.ts';

const ROOT = join(import.meta.dirname, '../../..');
const REPORTED = join(ROOT, 'docs/reference/benchmarks/vector-quality.json');
/** What changes a result. */
const MEASURED = ['observability/scan/src', 'observability/monitors/src', 'system-tests/src/vector-quality'];
const UNMEASURED = ['kept-results.ts', 'main.ts', 'quality-page.ts'];

export type KeptResults = {
  readonly find: (piece: Piece) => Promise<PieceResult | undefined>;
  readonly keep: (result: PieceResult) => Promise<void>;
};

export function keptResults(folder: string): KeptResults {
  const pathOf = (piece: Piece) => join(folder, `${nameOf(piece)}.json`);
  return {
    find: async (piece) => (existsSync(pathOf(piece)) ? JSON.parse(await readFile(pathOf(piece), 'utf8')) : undefined),
    keep: async (result) => {
      await mkdir(folder, { recursive: true });
      // A run that ends meanwhile leaves no half of a file.
      await writeFile(`${pathOf(result)}.partial`, JSON.stringify(result));
      await rename(`${pathOf(result)}.partial`, pathOf(result));
    },
  };
}

/** Another one for each state of the code that is measured. */
export async function cacheFolder(): Promise<string> {
  const hash = createHash('sha256');
  for (const folder of MEASURED) {
    const names = (await readdir(join(ROOT, folder), { recursive: true })).toSorted();
    for (const name of names.filter((each) => each.endsWith('.ts') && !each.endsWith('.test.ts') && !UNMEASURED.includes(each))) {
      hash.update(`${folder}/${name}\n`).update(await readFile(join(ROOT, folder, name)));
    }
  }
  return join(ROOT, '.cache/vector-quality', hash.digest('hex').slice(0, 12));
}

export async function readReported(): Promise<readonly PieceResult[]> {
  return existsSync(REPORTED) ? JSON.parse(await readFile(REPORTED, 'utf8')) : [];
}

/** Those that were reported before stay, but for the same collection, seed and level. */
export async function report(results: readonly PieceResult[]): Promise<readonly PieceResult[]> {
  const merged = merge(await readReported(), results);
  await writeFile(REPORTED, `${JSON.stringify(merged, undefined, 2)}\n`);
  return merged;
}

export function merge(before: readonly PieceResult[], results: readonly PieceResult[]): readonly PieceResult[] {
  const keyOf = ({ distance, vectorSet, seed, level }: Piece) => `${vectorSet} ${distance} ${level.toFixed(3)} ${seed}`;
  const byKey = new Map([...before, ...results].map((result) => [keyOf(result), result]));
  return [...byKey].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, result]) => result);
}
