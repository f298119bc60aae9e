import { describe, expect, test } from 'vitest';
import { clusteredVectors, lowRankVectors } from './clustered-vectors.ts';
import { fillSpace, recallOf } from './filled-space.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import {
  attachIndexer,
  attachReader,
  createVectorSpace,
  type SpaceReader,
  type VectorSpaceHandle,
  type VectorSpaceOptions,
} from './index.ts';
import { attachKernel } from './kernel.ts';
import { twinNearest } from './twin.ts';

const dimension = 512;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', m: 8, efConstruct: 60, seed: 1, quantization: 'bits' };
const set = lowRankVectors({ count: 2600, dimension, rank: 24, clusters: 30, seed: 1 });
const vectors = set.slice(0, 2500);
const queries = set.slice(2500);

function sketchesInUse(handle: VectorSpaceHandle): boolean {
  return attachKernel(handle).sketchesInUse() !== 0;
}

function filled(rows: readonly Float32Array[], other: Partial<VectorSpaceOptions> = {}) {
  return fillSpace({ ...options, ...other }, rows);
}

function recall(space: SpaceReader, { k, ef }: { k: number; ef: number }): number {
  return recallOf(space, queries, { k, ef });
}

describe('sketches', () => {
  test('[K29] are used where the dimension is 512 or more and few directions say nearly all', () => {
    expect(sketchesInUse(filled(vectors.slice(0, 999)).space.handle)).toBe(false);
    expect(sketchesInUse(filled(vectors.slice(0, 1000)).space.handle)).toBe(true);
    expect(sketchesInUse(filled(vectors.slice(0, 1000), { quantization: 'int8' }).space.handle)).toBe(false);
    expect(sketchesInUse(filled(vectors.slice(0, 1000), { metric: 'manhattan' }).space.handle)).toBe(false);
    const short = vectors.slice(0, 1000).map((vector) => vector.slice(0, 511));
    expect(sketchesInUse(filled(short, { dimension: 511, quantization: 'bits' }).space.handle)).toBe(false);
  });

  test('[K29] are not used where few directions say little; codes serve', () => {
    const { space } = filled(clusteredVectors({ count: 1000, dimension, clusters: 300, seed: 2 }));
    expect(sketchesInUse(space.handle)).toBe(false);
    expect(space.codes).toBe('in use');
  });

  test.each([
    ['dot', 'float32'],
    ['euclid', 'float32'],
    ['euclid', 'float16'],
  ] as const)(
    '[K1] [K3] [K21] [K27] choose candidates only: distances and order are those of the vectors, by %s of %s',
    (metric, datatype) => {
      const rows = datatype === 'float16' ? vectors.map((vector) => Float16Array.from(vector)) : vectors;
      const { space, add } = filled([], { metric, datatype });
      rows.forEach((vector, row) => {
        space.put(row, vector, row);
      });
      add([]);
      expect(sketchesInUse(space.handle)).toBe(true);
      for (const query of queries.slice(0, 20)) {
        const point = datatype === 'float16' ? Float16Array.from(query) : query;
        const found = space.search(point, { k: 10, ef: 2500 });
        expect(found).toEqual(space.scan(point, { k: 10, fromRow: 0, toRow: space.rowBound }));
        if (datatype === 'float32') expect(found).toEqual(twinNearest(metric, query, new Map(vectors.entries()), 10));
      }
    },
  );

  test.each(['dot', 'euclid'] as const)('[K7] [K28] find what a walk on codes finds with the same beam, by %s', (metric) => {
    const [onSketches, onCodes] = (['bits', 'int8'] as const).map((quantization) => filled(vectors, { metric, quantization }).space);
    expect(onSketches && sketchesInUse(onSketches.handle)).toBe(true);
    for (const [k, ef] of [
      [1, 16],
      [10, 10],
      [10, 64],
      [100, 128],
    ] as const) {
      const [found = 0, wanted = 0] = [onSketches, onCodes].map((space) => (space ? recall(space, { k, ef }) : 0));
      expect(found).toBeGreaterThan(wanted - 0.01);
    }
  });

  test('[K4] [K25] [K27] rows that wait, filtered walks and sweeps are measured by the vectors', () => {
    const { space } = filled(vectors.slice(0, 2000));
    for (const [row, vector] of vectors.entries()) if (row >= 2000) space.put(row, vector, row);
    const filter = new Uint32Array(Math.ceil(vectors.length / 32)).fill(0x11111111);
    for (const query of queries.slice(0, 20)) {
      const range = { k: 10, fromRow: 0, toRow: space.rowBound, filter };
      const truth = space.scan(query, range);
      expect(space.search(query, { k: 10, ef: 1500, filter })).toEqual(truth);
      expect(space.sweep(query, range)).toEqual(truth);
    }
  });

  test('[K8] [K11] [K13] serve repairs', () => {
    const { space, indexer, add } = filled(vectors);
    for (let row = 0; row < 1200; row++) space.remove(row);
    while (!indexer.repair(500)) indexer.reclaim();
    indexer.reclaim();
    for (let row = 0; row < 1200; row++) space.put(row, vectors[row] ?? new Float32Array(dimension), 5000 + row);
    add([]);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
    expect(recall(space, { k: 10, ef: 64 })).toBeGreaterThan(0.95);
  });

  test('[K29] are learned anew where new rows use other directions, and given up where these are many', () => {
    const { space, add } = filled(vectors.slice(0, 1000));
    const learned = () => {
      const kernel = attachKernel(space.handle);
      return new Int8Array(space.handle.memory.buffer, kernel.learnedAddress() >>> 0, kernel.learnedBytes()).slice();
    };
    const before = learned();
    add(lowRankVectors({ count: 1100, dimension, rank: 24, clusters: 30, seed: 9 }));
    expect(sketchesInUse(space.handle)).toBe(true);
    expect(learned()).not.toEqual(before);
    add(clusteredVectors({ count: 2500, dimension, clusters: 900, seed: 3 }).map((vector) => vector.map((value) => value * 30)));
    expect(sketchesInUse(space.handle)).toBe(false);
    expect(space.codes).toBe('in use');
  });

  test('[K22] [K29] wait, before they are written anew, until the readers have left that may walk on them', () => {
    const { space, add, indexer } = filled(vectors.slice(0, 1000));
    const early = attachKernel(space.handle);
    expect(early.claimSlot()).toBe(1);
    early.enter();
    add(lowRankVectors({ count: 1200, dimension, rank: 24, clusters: 30, seed: 9 }));
    expect(space.codes).not.toBe('in use');
    const reader = attachReader(space.handle);
    expect(recall(reader, { k: 10, ef: 64 })).toBeGreaterThan(0.9);
    early.leave();
    indexer.link(1);
    expect(sketchesInUse(space.handle)).toBe(true);
  });

  test.each([
    ['nothing but zeros', () => new Float32Array(dimension)],
    ['one vector', () => new Float32Array(dimension).fill(3)],
    ['values beyond all bounds', () => new Float32Array(dimension).fill(3e38)],
    ['denormal values', (row: number) => new Float32Array(dimension).fill(row * 2 ** -149)],
    ['one far component', (row: number) => new Float32Array(dimension).fill(1, row % dimension, (row % dimension) + 1)],
  ])('[K29] of %s lose no answer', (_, vectorOf) => {
    const { space } = filled(Array.from({ length: 1100 }, (_, row) => vectorOf(row)));
    expect(space.search(vectorOf(1), { k: 5, ef: 40 }).rows).toHaveLength(5);
    expect(checkGraph(space.handle).faults).toEqual([]);
  });

  test('[K15] come back with a saved graph', () => {
    const { space, indexer } = filled(vectors);
    const bytes = graphBytes(indexer, 7);
    const loaded = createVectorSpace(options);
    loaded.loadGraph(sourceOf(bytes), { newest: 7 });
    loaded.recall({ fromRow: 0, toRow: 3 });
    for (let row = 0; row < 3; row++) loaded.adopt(row, vectors[row] ?? new Float32Array(dimension), row);
    loaded.finishLoad();
    expect(sketchesInUse(loaded.handle)).toBe(true);
    for (const query of queries) expect(loaded.search(query, { k: 10, ef: 40 })).toEqual(space.search(query, { k: 10, ef: 40 }));
    expect(graphBytes(attachIndexer(loaded.handle), 7)).toEqual(bytes);
  });
});
