// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, attachReader, type Components, createVectorSpace, type VectorSpaceOptions } from './index.ts';
import { attachKernel } from './kernel.ts';
import { originalsOf } from './stored-originals.ts';

const dimension = 32;
const count = 4200;
const vectors = clusteredVectors({ count: count + 1000, dimension, clusters: 40, seed: 3 });
const queries = clusteredVectors({ count: 40, dimension, clusters: 40, seed: 3 });

function subject(options: VectorSpaceOptions, store: Map<number, Components>, saved?: Uint8Array) {
  const space = createVectorSpace(options);
  if (saved !== undefined) {
    space.loadGraph(sourceOf(saved), { newest: 0 });
    space.finishLoad();
  }
  const indexer = attachIndexer(space.handle);
  const reader = attachReader(space.handle, originalsOf(store));
  const kernel = attachKernel(space.handle);
  const put = (row: number, vector: Components) => {
    store.set(row, vector);
    space.put(row, vector, row);
  };
  const settle = () => {
    while (indexer.link(500) > 0 || indexer.isCalibrating) indexer.reclaim();
    indexer.reclaim();
  };
  const inMemory = () => [...store.keys()].filter((row) => kernel.vectorAddress(row) !== 0).length;
  const recall = () => {
    let found = 0;
    for (const query of queries) {
      const truth = new Set(reader.scan(query, { k: 10, fromRow: 0, toRow: reader.rowBound }).rows);
      found += reader.search(query, { k: 10, ef: 64 }).rows.filter((row) => truth.has(row)).length;
    }
    return found / (queries.length * 10);
  };
  return { space, indexer, reader, put, settle, inMemory, recall };
}

const cases = [
  ['dot', 'product-x8'],
  ['manhattan', 'product-x8'],
  ['euclid', 'binary'],
  ['euclid', 'product-x16'],
  ['euclid', 'product-x4'],
  ['dot', 'binary-2'],
] as const;

test.each(cases.slice(0, roundsOf({ quick: 3, long: cases.length })))(
  '[K34] [K39] [K51] codes that a codebook makes hold the graph alone, when vectors by %s are released that have codes of %s',
  (metric, quantization) => {
    const options: VectorSpaceOptions = { dimension, metric, m: 8, efConstruct: 40, seed: 1, quantization, vectors: 'released' };
    const store = new Map<number, Components>();
    const { space, indexer, reader, put, settle, inMemory, recall } = subject(options, store);
    for (let row = 0; row < 3000; row++) put(row, vectors[row] ?? new Float32Array(dimension));
    settle();
    // Fewer than a codebook needs where it is learned once.
    expect([reader.codes, inMemory()]).toEqual(['awaited', 3000]);
    for (let row = 3000; row < count; row++) put(row, vectors[row] ?? new Float32Array(dimension));
    settle();
    expect([reader.codes, inMemory()]).toEqual(['in use', 0]);
    expect(recall()).toBeGreaterThan(0.93);

    // From here on, rows are linked and repaired by codes.
    for (let row = 0; row < count; row += 2) {
      store.delete(row);
      space.remove(row);
    }
    while (!indexer.repair(500));
    indexer.reclaim();
    for (let i = 0; i < 1000; i++) put(count + i, vectors[count + i] ?? new Float32Array(dimension));
    settle();
    expect(inMemory()).toBe(0);
    expect(checkGraph(space.handle).faults).toEqual([]);
    expect(recall()).toBeGreaterThan(0.93);

    const copy = subject(options, store, graphBytes(indexer));
    expect(copy.reader.codes).toBe('in use');
    for (const query of queries) expect(copy.reader.search(query, { k: 10, ef: 64 })).toEqual(reader.search(query, { k: 10, ef: 64 }));
  },
);
