// SPDX-License-Identifier: Apache-2.0
/** Reduced codes of vectors that are released: they are learned once. */
import { describe, expect, test } from 'vitest';
import { clusteredVectors, lowRankVectors } from './clustered-vectors.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, attachReader, createVectorSpace, type VectorSpaceOptions } from './index.ts';
import { attachKernel } from './kernel.ts';
import { originalsOf } from './stored-originals.ts';

const dimension = 128;
const count = 2100;
const set = lowRankVectors({ count: count + 1040, dimension, rank: 24, clusters: 40, seed: 3 });
const vectors = set.slice(0, count + 1000);
const queries = set.slice(count + 1000);
/** In many directions. */
const spread = clusteredVectors({ count, dimension, clusters: 900, seed: 2 });
const others = lowRankVectors({ count: 800, dimension, rank: 24, clusters: 40, seed: 8 });

function subject(options: VectorSpaceOptions, store: Map<number, Float32Array>, saved?: Uint8Array) {
  const space = createVectorSpace(options);
  if (saved !== undefined) {
    space.loadGraph(sourceOf(saved), { newest: 0 });
    space.finishLoad();
  }
  const indexer = attachIndexer(space.handle);
  const reader = attachReader(space.handle, originalsOf(store));
  const kernel = attachKernel(space.handle);
  const add = (rows: readonly Float32Array[], from = space.rowBound) => {
    for (const [i, vector] of rows.entries()) {
      store.set(from + i, vector);
      space.put(from + i, vector, from + i);
    }
    while (indexer.link(500) > 0) indexer.reclaim();
    indexer.reclaim();
  };
  const inMemory = () => [...store.keys()].filter((row) => kernel.vectorAddress(row) !== 0).length;
  const recall = (asked: readonly Float32Array[] = queries) => {
    let found = 0;
    for (const query of asked) {
      const truth = new Set(reader.scan(query, { k: 10, fromRow: 0, toRow: reader.rowBound }).rows);
      found += reader.search(query, { k: 10, ef: 64 }).rows.filter((row) => truth.has(row)).length;
    }
    return found / (asked.length * 10);
  };
  return { space, indexer, reader, kernel, add, inMemory, recall };
}

describe.each(['euclid', 'dot'] as const)('by %s', (metric) => {
  const options: VectorSpaceOptions = { dimension, metric, m: 8, efConstruct: 40, seed: 1, vectors: 'released' };

  test('[K34] [K53] [K54] they are learned from 2048 rows, hold the graph alone from then on, and come back with it', () => {
    const store = new Map<number, Float32Array>();
    const { space, indexer, reader, kernel, add, inMemory, recall } = subject(options, store);
    add(vectors.slice(0, 2047));
    expect([reader.codes, inMemory()]).toEqual(['awaited', 2047]);
    add(vectors.slice(2047, count));
    expect([reader.codes, kernel.codesReduced(), reader.comparedBytes, inMemory()]).toEqual(['in use', 1, 64, 0]);
    expect(recall()).toBeGreaterThan(0.95);

    // From here on, rows are linked and repaired by codes.
    for (let row = 0; row < count; row += 2) {
      store.delete(row);
      space.remove(row);
    }
    while (!indexer.repair(500));
    indexer.reclaim();
    add(vectors.slice(count));
    expect([reader.codes, inMemory()]).toEqual(['in use', 0]);
    expect(checkGraph(space.handle).faults).toEqual([]);
    expect(recall()).toBeGreaterThan(0.95);

    const copy = subject(options, store, graphBytes(indexer));
    expect([copy.reader.codes, copy.reader.comparedBytes]).toEqual(['in use', 64]);
    for (const query of queries) expect(copy.reader.search(query, { k: 10, ef: 64 })).toEqual(reader.search(query, { k: 10, ef: 64 }));
  });

  test('[K31] [K34] they stay when rows come that lie outside the directions, and are outgrown', () => {
    const { reader, add, kernel } = subject(options, new Map());
    add(vectors.slice(0, count));
    add(vectors.slice(count));
    expect(reader.codes).toBe('in use');
    add(others);
    expect([reader.codes, kernel.codesReduced()]).toEqual(['outgrown', 1]);
  });

  test('[K34] [K53] codes of all components stay where few directions say little', () => {
    const { reader, add, inMemory, recall } = subject(options, new Map());
    add(spread);
    expect([reader.codes, reader.comparedBytes, inMemory()]).toEqual(['in use', dimension, 0]);
    expect(recall(spread.slice(0, 20))).toBeGreaterThan(0.95);
  });
});

test('take what a point has of codes and links, and no room for longer codes', () => {
  const { space, add } = subject({ dimension: 512, metric: 'euclid', m: 8, efConstruct: 12, seed: 1, vectors: 'released' }, new Map());
  const rows = lowRankVectors({ count: 3200, dimension: 512, rank: 24, clusters: 40, seed: 3 });
  add(rows.slice(0, 2100));
  add(rows.slice(2100));
  // Codes, links, version, addresses, level, state; then the first vectors, and the scratch memory of threads.
  expect(space.bytesUsed).toBeLessThan((3200 * (64 + 68 + 40) + 2100 * 2048) * 1.25);
});
