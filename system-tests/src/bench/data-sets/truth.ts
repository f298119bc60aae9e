// SPDX-License-Identifier: Apache-2.0
/** The true answers: every distance is computed. What was computed once for a set is kept beside it. */
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createVectorSpace } from '@sextant/vector-kernel';
import { CACHE, type DataSet, readVectors, vectorAt } from './data-set.ts';

export const LIMIT = 10;
/** How many points are looked at for lying as far away as the last that counts; Fashion-MNIST repeats images, and GloVe-100 nearly repeats vectors. */
const TIES_MAX = 10;
const ROWS_PER_READ = 10_000;

/** The ids of the nearest points, nearest first; with a filter (bit r of word r >> 5) of those whose bit is set. */
export type ExactSearch = (query: Float32Array, filter?: Uint32Array) => readonly number[];

/** The kernel's scan over the vectors themselves, which its tests compare with a plain loop. */
export async function exactSearch({ points, metric }: DataSet): Promise<ExactSearch> {
  const { count, dimension } = points;
  const space = createVectorSpace({
    dimension,
    metric: metric === 'Euclid' ? 'euclid' : 'dot',
    m: 0,
    efConstruct: 1,
    seed: 1,
    quantization: 'none',
  });
  for (let from = 0; from < count; from += ROWS_PER_READ) {
    const to = Math.min(count, from + ROWS_PER_READ);
    const values = await readVectors(points, from, to);
    for (let row = from; row < to; row++) space.put(row, vectorAt(values, row - from, dimension), 1);
  }
  return (query, filter) => {
    const { rows, distances } = space.scan(query, { k: LIMIT + TIES_MAX, fromRow: 0, toRow: count, ...(filter && { filter }) });
    const last = distances[Math.min(LIMIT, distances.length) - 1] ?? 0;
    return Array.from(rows).filter((_, at) => (distances[at] ?? 0) <= last);
  };
}

export async function exactAnswers(set: DataSet): Promise<readonly (readonly number[])[]> {
  const path = `${CACHE}${set.name}-${set.points.count}-${set.queries.count}.truth.json`;
  if (existsSync(path)) return JSON.parse(await readFile(path, 'utf8'));
  console.log(`Computing the exact answers among ${set.points.count} points of ${set.name}`);
  const { count, dimension } = set.queries;
  const search = await exactSearch(set);
  const queries = await readVectors(set.queries, 0, count);
  const answers = Array.from({ length: count }, (_, query) => search(vectorAt(queries, query, dimension)));
  await writeFile(path, JSON.stringify(answers));
  return answers;
}
