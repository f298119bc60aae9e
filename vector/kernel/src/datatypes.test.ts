// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, type Components, createVectorSpace, type Datatype, type Metric } from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceNearest } from './reference.ts';

const dimension = 48;
const k = 10;
const ef = 64;
/** Codes are learned from a thousand on. */
const COUNT = roundsOf({ quick: 1100, long: 3000 });
const QUERIES = roundsOf({ quick: 10, long: 50 });

/** The same vectors in any datatype; bytes around 128, a hundred steps for one. */
function clusters(datatype: Datatype, count: number): Components[] {
  const vectors = clusteredVectors({ count, dimension, clusters: 20, seed: 4 });
  if (datatype === 'float32') return vectors;
  if (datatype === 'float16') return vectors.map((vector) => Float16Array.from(vector));
  const farthest = Math.max(...vectors.map((vector) => Math.max(...vector.map(Math.abs))));
  return vectors.map((vector) => Uint8Array.from(vector, (value) => 128 + Math.round((value / farthest) * 100)));
}

const cases: readonly (readonly [Datatype, Metric])[] = [
  ['float16', 'dot'],
  ['float16', 'euclid'],
  ['float16', 'manhattan'],
  ['uint8', 'dot'],
  ['uint8', 'euclid'],
  ['uint8', 'manhattan'],
  ['uint8', 'cosine'],
];

describe.each(cases)('%s by %s', (datatype, metric) => {
  const vectors = clusters(datatype, COUNT + QUERIES);
  const queries = vectors.splice(COUNT);
  const options = { dimension, metric, datatype, m: 8, efConstruct: 60, seed: 1 };
  const space = createVectorSpace(options);
  const indexer = attachIndexer(space.handle);
  vectors.forEach((vector, row) => {
    space.put(row, vector, row);
  });
  while (indexer.link(500) > 0) indexer.reclaim();

  test('[K33] answers are measured by the vectors as they are stored', () => {
    // Bytes are as good as codes.
    const isOnCodes = datatype === 'float16' || metric === 'euclid' || metric === 'manhattan';
    expect(attachKernel(space.handle).codesInUse() !== 0).toBe(isOnCodes);
    expect(checkGraph(space.handle).faults).toEqual([]);
    const model = new Map(vectors.entries());
    let found = 0;
    for (const query of queries) {
      const truth = referenceNearest(metric, query, model, k);
      expect(space.scan(query, { k, fromRow: 0, toRow: space.rowBound })).toEqual(truth);
      const { rows, distances } = space.search(query, { k, ef });
      const byRow = new Map(truth.rows.entries().map(([i, row]) => [row, truth.distances[i]]));
      for (const [i, row] of rows.entries()) if (byRow.has(row)) expect(distances[i]).toBe(byRow.get(row));
      found += rows.filter((row) => byRow.has(row)).length;
    }
    // Products of bytes favour the longest vectors, to which few links lead.
    expect(found / (queries.length * k)).toBeGreaterThan(datatype === 'uint8' && metric === 'dot' ? 0.93 : 0.97);
  });

  test('[K15] [K33] a saved graph brings its vectors back', () => {
    const loaded = createVectorSpace(options);
    loaded.loadGraph(sourceOf(graphBytes(indexer)), { newest: 0 });
    loaded.finishLoad();
    for (const query of queries) expect(loaded.search(query, { k, ef })).toEqual(space.search(query, { k, ef }));
  });
});

test.each(['dot', 'euclid', 'manhattan'] as const)('[K33] bytes make the same graph by %s as the same numbers in float32', (metric) => {
  const bytes = clusters('uint8', 800);
  const build = (datatype: Datatype, vectors: readonly Components[]) => {
    const space = createVectorSpace({ dimension, metric, datatype, m: 8, efConstruct: 60, seed: 1, quantization: 'none' });
    const indexer = attachIndexer(space.handle);
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    while (indexer.link(500) > 0) indexer.reclaim();
    return space;
  };
  const [ofBytes, ofFloats] = [
    build('uint8', bytes),
    build(
      'float32',
      bytes.map((vector) => Float32Array.from(vector)),
    ),
  ];
  for (const query of bytes.slice(0, 50)) {
    expect(ofBytes.search(query, { k, ef })).toEqual(ofFloats.search(Float32Array.from(query), { k, ef }));
  }
});

test('[K33] halves take half, bytes a quarter of the memory, and bytes by dot no codes', () => {
  const rowBytes = (datatype: Datatype) => {
    const space = createVectorSpace({ dimension: 1024, metric: 'dot', datatype, m: 16, efConstruct: 60, seed: 1 });
    space.reserve(1);
    const first = space.bytesUsed;
    space.reserve(20_000);
    return (space.bytesUsed - first) / 20_000;
  };
  const rest = 150;
  expect(rowBytes('float32') / (4096 + 1024 + rest)).toBeCloseTo(1, 1);
  expect(rowBytes('float16') / (2048 + 1024 + rest)).toBeCloseTo(1, 1);
  expect(rowBytes('uint8') / (1024 + rest)).toBeCloseTo(1, 1);
});
