// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { graphBytes } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import { attachIndexer, createVectorSpace, type SpaceIndexer, type SpaceReader } from './index.ts';

const k = 10;
const COUNT = roundsOf({ quick: 1500, long: 10_000 });

function linkAll(indexer: SpaceIndexer): void {
  while (indexer.link(500) > 0) indexer.reclaim();
}

function repairAll(indexer: SpaceIndexer): void {
  while (!indexer.repair(700));
  indexer.reclaim();
}

function recall(space: SpaceReader, queries: readonly Float32Array[], ef: number): number {
  let found = 0;
  for (const query of queries) {
    const truth = new Set(space.scan(query, { k, fromRow: 0, toRow: space.rowBound }).rows);
    found += space.search(query, { k, ef }).rows.filter((row) => truth.has(row)).length;
  }
  return found / (queries.length * k);
}

describe('a graph of clustered vectors', () => {
  const metrics = ['dot', 'manhattan', 'euclid'] as const;
  // By euclid all other tests of graphs find them.
  test.each(metrics.slice(0, roundsOf({ quick: 2, long: 3 })))('[K7] [K11] [K12] finds the nearest by %s', (metric) => {
    const vectors = clusteredVectors({ count: COUNT + 100, dimension: 128, clusters: 100, seed: 7 });
    const queries = vectors.splice(COUNT);
    const space = createVectorSpace({ dimension: 128, metric, m: 16, efConstruct: 100, seed: 3 });
    const indexer = attachIndexer(space.handle);
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    linkAll(indexer);
    expect(space.indexedCount).toBe(COUNT);
    expect(space.pendingCount).toBe(0);
    expect(recall(space, queries, 128)).toBeGreaterThanOrEqual(0.97);
    const report = checkGraph(space.handle);
    expect(report.faults).toEqual([]);
    expect(report.reachableShare).toBeGreaterThan(0.995);
  });

  test('[K7] [K11] [K12] [K13] keeps its recall when half of the vectors are deleted and put again', () => {
    const count = roundsOf({ quick: 1500, long: 20_000 });
    const vectors = clusteredVectors({ count: count + 100, dimension: 128, clusters: 100, seed: 11 });
    const queries = vectors.splice(count);
    const space = createVectorSpace({ dimension: 128, metric: 'dot', m: 16, efConstruct: 100, seed: 5 });
    const indexer = attachIndexer(space.handle);
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    linkAll(indexer);
    const random = seededRandom(13);
    const deleted = vectors.map((_, row) => row).filter(() => random.next() < 0.5);
    for (const row of deleted) space.remove(row);
    expect(indexer.deletedCount).toBe(deleted.length);
    expect(indexer.deletedShare()).toBeCloseTo(0.5, 1);
    expect(recall(space, queries, 128)).toBeGreaterThanOrEqual(0.95);

    repairAll(indexer);
    expect(indexer.deletedCount).toBe(0);
    expect(deleted.filter((row) => !space.isFree(row))).toEqual([]);
    const repaired = checkGraph(space.handle);
    expect(repaired.faults).toEqual([]);
    expect(repaired.reachableShare).toBeGreaterThan(0.995);
    expect(recall(space, queries, 128)).toBeGreaterThanOrEqual(0.95);

    for (const row of deleted) space.put(row, vectors[row] ?? new Float32Array(128), row);
    linkAll(indexer);
    const again = checkGraph(space.handle);
    expect(again.faults).toEqual([]);
    expect(again.nodes).toBe(count);
    expect(again.reachableShare).toBeGreaterThan(0.995);
    expect(recall(space, queries, 128)).toBeGreaterThanOrEqual(0.95);
  });

  test.each([1, 2, 32])(
    '[K11] [K12] [K13] stays whole through ten rounds of deleting a third and putting others, %i-dimensional',
    (dimension) => {
      const count = roundsOf({ quick: 400, long: 1500 });
      const random = seededRandom(29);
      const vectors =
        dimension < 3
          ? Array.from({ length: count * 5 }, () => Float32Array.from({ length: dimension }, random.next))
          : clusteredVectors({ count: count * 5, dimension, clusters: 40, seed: 23 });
      const space = createVectorSpace({ dimension, metric: 'euclid', m: 8, efConstruct: 32, seed: 1 });
      const indexer = attachIndexer(space.handle);
      const rows = new Map<number, Float32Array>();
      for (let round = 0; round < 10; round++) {
        for (let row = 0; row < count; row++) {
          const vector = rows.has(row) ? undefined : vectors.pop();
          if (vector === undefined) continue;
          space.put(row, vector, row);
          rows.set(row, vector);
        }
        linkAll(indexer);
        for (const row of rows.keys()) {
          if (random.next() > 0.33) continue;
          space.remove(row);
          rows.delete(row);
        }
        repairAll(indexer);
      }
      const report = checkGraph(space.handle);
      expect(report.faults).toEqual([]);
      expect(report.reachableShare).toBeGreaterThan(0.995);
      const missed = [...rows].filter(([row, vector]) => !space.search(vector, { k: 1, ef: 64 }).rows.includes(row));
      expect(missed.length / rows.size).toBeLessThan(0.005);
    },
  );

  test('[K13] a repaired row has as many links as a new one, though others cover them', () => {
    const m = 16;
    const vectors = clusteredVectors({ count: 2000, dimension: 16, clusters: 10, seed: 11 });
    const space = createVectorSpace({ dimension: 16, metric: 'euclid', m, efConstruct: 64, seed: 5 });
    const indexer = attachIndexer(space.handle);
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    linkAll(indexer);
    const random = seededRandom(13);
    for (const row of vectors.keys()) if (random.next() < 0.5) space.remove(row);
    repairAll(indexer);
    // 19.8; 14.2 where the lists hold only what the heuristic keeps.
    expect(checkGraph(space.handle).meanBaseLinks).toBeGreaterThan(m);
  });

  test('[K6] a filter leaves its rows only, and the walk finds them through the others', () => {
    const vectors = clusteredVectors({ count: 2000, dimension: 32, clusters: 50, seed: 17 });
    const space = createVectorSpace({ dimension: 32, metric: 'euclid', m: 16, efConstruct: 100, seed: 5 });
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    linkAll(attachIndexer(space.handle));
    const filter = new Uint32Array(Math.ceil(2000 / 32));
    for (let row = 0; row < 2000; row += 20) filter[row >>> 5] = (filter[row >>> 5] ?? 0) | (1 << (row & 31));
    let found = 0;
    for (const query of vectors.slice(0, 50)) {
      const truth = new Set(space.scan(query, { k, fromRow: 0, toRow: 2000, filter }).rows);
      const rows = space.search(query, { k, ef: 64, filter }).rows;
      expect(rows.filter((row) => row % 20 !== 0)).toEqual(new Uint32Array());
      found += rows.filter((row) => truth.has(row)).length;
    }
    expect(found / (50 * k)).toBeGreaterThan(0.97);
    expect(space.search(new Float32Array(32), { k, ef: 64, filter: new Uint32Array() }).rows).toEqual(new Uint32Array());
  });

  test('[K14] the same calls make the same graph', () => {
    const build = () => {
      const space = createVectorSpace({ dimension: 8, metric: 'euclid', m: 8, efConstruct: 40, seed: 21 });
      clusteredVectors({ count: 800, dimension: 8, clusters: 20, seed: 2 }).forEach((vector, row) => {
        space.put(row, vector, row);
      });
      const indexer = attachIndexer(space.handle);
      linkAll(indexer);
      return graphBytes(indexer);
    };
    expect(build()).toEqual(build());
  });
});

describe('equal vectors', () => {
  test.each(['dot', 'euclid', 'manhattan'] as const)(
    '[K11] [K12] thousands of them stay connected with each other and the rest by %s',
    (metric) => {
      const others = clusteredVectors({ count: 1200, dimension: 16, clusters: 30, seed: 19 });
      const same = others[0] ?? new Float32Array(16);
      const space = createVectorSpace({ dimension: 16, metric, m: 16, efConstruct: 40, seed: 5 });
      for (let row = 0; row < 2400; row++) space.put(row, row % 2 === 0 ? same : (others[(row - 1) / 2] ?? same), row);
      const indexer = attachIndexer(space.handle);
      linkAll(indexer);
      const report = checkGraph(space.handle);
      expect(report.faults).toEqual([]);
      expect(report.reachableShare).toBeGreaterThan(0.995);
      const queries = others.slice(1, 101);
      const overlaps = queries.map((query) => {
        const truth = space.scan(query, { k, fromRow: 0, toRow: 2400 }).distances[k - 1] ?? 0;
        return space.search(query, { k, ef: 128 }).distances.filter((distance) => distance <= truth).length;
      });
      expect(overlaps.reduce((sum, overlap) => sum + overlap) / (queries.length * k)).toBeGreaterThan(0.97);
    },
  );

  test('[K11] [K12] [K13] come and go while a repair is under way', () => {
    const space = createVectorSpace({ dimension: 4, metric: 'euclid', m: 4, efConstruct: 20, seed: 5 });
    const indexer = attachIndexer(space.handle);
    const random = seededRandom(31);
    const live = new Set<number>();
    for (let round = 0; round < roundsOf({ quick: 70, long: 200 }); round++) {
      for (let row = 0; row < 600; row++) {
        if (live.has(row)) {
          if (random.next() < 0.02) {
            space.remove(row);
            live.delete(row);
          }
        } else if (space.isFree(row)) {
          // One vector in ten differs from the others.
          space.put(row, new Float32Array(4).fill(random.next() < 0.9 ? 1 : random.next()), round);
          live.add(row);
        }
      }
      indexer.link(50);
      indexer.repair(70);
      indexer.reclaim();
      expect(checkGraph(space.handle).faults).toEqual([]);
    }
    linkAll(indexer);
    repairAll(indexer);
    repairAll(indexer);
    expect(checkGraph(space.handle)).toMatchObject({ faults: [], liveNodes: live.size });
    expect(checkGraph(space.handle).reachableShare).toBeGreaterThan(0.995);
  });

  test('[K12] nothing but equal vectors, or nothing but zeros', () => {
    for (const metric of ['dot', 'euclid'] as const) {
      for (const value of [0, 1]) {
        const space = createVectorSpace({ dimension: 4, metric, m: 8, efConstruct: 50, seed: 5 });
        for (let row = 0; row < 1500; row++) space.put(row, new Float32Array(4).fill(value), row);
        linkAll(attachIndexer(space.handle));
        const report = checkGraph(space.handle);
        expect(report.faults).toEqual([]);
        expect(report.reachableShare).toBeGreaterThan(0.995);
        expect(space.search(new Float32Array(4), { k: 20, ef: 64 }).rows).toHaveLength(20);
      }
    }
  });
});

describe('a graph from which everything is deleted', () => {
  test('[K4] [K5] [K13] takes new vectors before and after the repair', () => {
    const space = createVectorSpace({ dimension: 4, metric: 'euclid', m: 4, efConstruct: 20, seed: 5 });
    const indexer = attachIndexer(space.handle);
    const random = seededRandom(3);
    const vector = () => Float32Array.from({ length: 4 }, random.next);
    for (let row = 0; row < 500; row++) space.put(row, vector(), row);
    linkAll(indexer);
    for (let row = 0; row < 500; row++) space.remove(row);
    expect(space.search(vector(), { k, ef: 50 }).rows).toHaveLength(0);
    for (let row = 500; row < 520; row++) space.put(row, vector(), row);
    linkAll(indexer);
    expect(space.search(vector(), { k: 20, ef: 50 }).rows).toHaveLength(20);
    repairAll(indexer);
    expect(space.search(vector(), { k: 20, ef: 50 }).rows).toHaveLength(20);
    expect(checkGraph(space.handle)).toMatchObject({ faults: [], nodes: 20, reachableShare: 1 });
    for (let row = 500; row < 520; row++) space.remove(row);
    repairAll(indexer);
    expect(space.liveCount).toBe(0);
    for (let row = 0; row < 600; row++) space.put(row, vector(), row);
    linkAll(indexer);
    expect(checkGraph(space.handle)).toMatchObject({ faults: [], nodes: 600 });
    expect(space.search(vector(), { k: 20, ef: 50 }).rows).toHaveLength(20);
  });
});

describe('a large ef', () => {
  // Lists of 1024 bring more rows at once than the pool holds; those of eight fill it little by little.
  test.each([
    { m: 4, ef: 1200, share: 0.995 },
    { m: 4, ef: 300, share: 0.97 },
    { m: 512, ef: 257, share: 1 },
  ])('[K3] [K7] finds the nearest that there are, sorted, each once, deleted ones aside, by m $m and ef $ef', ({ m, ef, share }) => {
    const count = 2000;
    const vectors = clusteredVectors({ count: count + 20, dimension: 16, clusters: 8, seed: 17 });
    const queries = vectors.splice(count);
    const space = createVectorSpace({ dimension: 16, metric: 'euclid', m, efConstruct: 300, seed: 3 });
    const indexer = attachIndexer(space.handle);
    vectors.forEach((vector, row) => {
      space.put(row, vector, row);
    });
    linkAll(indexer);
    for (let row = 0; row < count; row += 3) space.remove(row);
    let found = 0;
    for (const query of queries) {
      const wanted = { k: ef, fromRow: 0, toRow: count };
      const { rows, distances } = space.search(query, { k: ef, ef });
      const truth = new Set(space.scan(query, wanted).rows);
      expect(rows).toHaveLength(ef);
      expect(new Set(rows).size).toBe(ef);
      expect(distances).toEqual(distances.toSorted((a, b) => a - b));
      expect(rows.filter((row) => row % 3 === 0)).toHaveLength(0);
      found += rows.filter((row) => truth.has(row)).length;
    }
    expect(found / (queries.length * ef)).toBeGreaterThanOrEqual(share);
  });

  test('[K7] [K21] tells more of those apart that codes take for one than a narrow one', () => {
    const random = seededRandom(23);
    const vectors = clusteredVectors({ count: 1500, dimension: 32, clusters: 8, seed: 5 });
    const middle = vectors[0] ?? new Float32Array(32);
    const beside = () => middle.map((value) => value + (random.next() - 0.5) * 0.01);
    const alike = Array.from({ length: 80 }, beside);
    const queries = Array.from({ length: 20 }, beside);
    const space = createVectorSpace({ dimension: 32, metric: 'euclid', m: 8, efConstruct: 60, seed: 1 });
    const indexer = attachIndexer(space.handle);
    for (const [row, vector] of [...vectors, ...alike].entries()) space.put(row, vector, row);
    linkAll(indexer);
    expect(space.codes).toBe('in use');
    expect(recall(space, queries, 80)).toBeLessThan(0.9);
    expect(recall(space, queries, 1280)).toBeGreaterThan(0.98);
  });
});
