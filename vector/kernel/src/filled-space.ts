// SPDX-License-Identifier: Apache-2.0
/** For tests: a space whose vectors are all in its graph, and the recall of its searches. */
import { attachIndexer, type Components, createVectorSpace, type SpaceReader, type VectorSpaceOptions } from './index.ts';

const ROWS_PER_STEP = 500;

export function fillSpace(options: VectorSpaceOptions, vectors: readonly Components[]) {
  const space = createVectorSpace(options);
  const indexer = attachIndexer(space.handle);
  /** Puts vectors in the rows after the present ones, and links them. */
  const add = (more: readonly Components[]) => {
    const start = space.rowBound;
    more.forEach((vector, i) => {
      space.put(start + i, vector, start + i);
    });
    while (indexer.link(ROWS_PER_STEP) > 0 || indexer.isCalibrating) indexer.reclaim();
    indexer.reclaim();
  };
  add(vectors);
  return { space, indexer, add };
}

/** One for all tests that change nothing, of the same vectors and options: the building of graphs is most of what tests of codes take. */
export function sharedSpaces() {
  const spaces = new Map<readonly Components[], Map<string, ReturnType<typeof fillSpace>>>();
  return (options: VectorSpaceOptions, vectors: readonly Components[]) => {
    const ofVectors = spaces.get(vectors) ?? new Map<string, ReturnType<typeof fillSpace>>();
    spaces.set(vectors, ofVectors);
    const key = JSON.stringify(options);
    const known = ofVectors.get(key) ?? fillSpace(options, vectors);
    ofVectors.set(key, known);
    return known;
  };
}

/** recall@k of the queries. */
export function recallOf(
  space: SpaceReader,
  queries: readonly Components[],
  { k, ef }: { readonly k: number; readonly ef: number },
): number {
  let found = 0;
  for (const query of queries) {
    const truth = new Set(space.scan(query, { k, fromRow: 0, toRow: space.rowBound }).rows);
    found += space.search(query, { k, ef }).rows.filter((row) => truth.has(row)).length;
  }
  return found / (queries.length * k);
}
