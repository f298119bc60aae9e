// SPDX-License-Identifier: Apache-2.0
import { AssertionError } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from '../clustered-vectors.ts';
import { graphBytes, sourceOf } from '../graph-bytes.ts';
import {
  attachIndexer,
  createShardedSpace,
  GraphDamagedError,
  SHARDS_MAX,
  type ShardedSpaceHandle,
  ShardedSpaceReader,
  SpaceFullError,
} from '../index.ts';
import { referenceNearest } from '../reference.ts';
import { rowsThatFit } from './sharded-space.ts';

const options = { dimension: 4, metric: 'euclid', m: 8, efConstruct: 40, seed: 1, rowsPerShard: 32 } as const;

function linkAll({ shards }: ShardedSpaceHandle): void {
  for (const shard of shards) {
    const indexer = attachIndexer(shard);
    while (indexer.link(100) > 0) indexer.reclaim();
  }
}

describe('[K42] the rows of a shard', () => {
  test.each([
    { dimension: 1, m: 16, rowsMin: 2 ** 22, rowsMax: 2 ** 22 },
    { dimension: 100, m: 16, rowsMin: 3_900_000, rowsMax: 2 ** 22 },
    { dimension: 768, m: 16, rowsMin: 850_000, rowsMax: 960_000 },
    { dimension: 1536, m: 64, rowsMin: 400_000, rowsMax: 500_000 },
    { dimension: 65_536, m: 512, rowsMin: 10_000, rowsMax: 12_500 },
  ])('of $dimension dimensions fill its memory, and fit into it', ({ dimension, m, rowsMin, rowsMax }) => {
    const { rowsPerShard: _, ...byDefault } = options;
    const space = createShardedSpace({ ...byDefault, dimension, m });
    expect(space.rowsPerShard).toBeGreaterThanOrEqual(rowsMin);
    expect(space.rowsPerShard).toBeLessThanOrEqual(rowsMax);
    expect(space.rowsPerShard % 32).toBe(0);
    expect(space.bytesWanted(space.rowsPerShard)).toBeLessThan((space.bytesMax * 15) / 16);
  });

  test('are few where one takes much of it', () => {
    expect(rowsThatFit({ bytesMax: 2 ** 20, rowBytes: 2 ** 14 })).toBe(32);
    expect(rowsThatFit({ bytesMax: 2 ** 20, rowBytes: 2 ** 30 })).toBe(32);
  });

  test.each([0, 16, 33, -32, 1.5])('are not %s', (rowsPerShard) => {
    expect(() => createShardedSpace({ ...options, rowsPerShard })).toThrow(AssertionError);
  });
});

describe('[K41] shards', () => {
  test('are opened for the rows below a bound, and known to readers that take the later handle in', () => {
    const space = createShardedSpace(options);
    const early = new ShardedSpaceReader(space.handle);
    expect([space.capacity, early.shards.length]).toEqual([32, 1]);
    space.openShards(65);
    space.openShards(40);
    expect([space.capacity, space.handle.shards.length]).toEqual([96, 3]);
    space.put(70, new Float32Array(4), 1);
    expect(early.has(70)).toBe(false);
    early.attachMissing(space.handle);
    early.attachMissing(space.handle);
    expect([early.shards.length, early.has(70), early.rowBound]).toEqual([3, true, 71]);
    expect(space.isFree(71)).toBe(true);
    expect(space.isFree(1000)).toBe(true);
  });

  test('hold a row only once they are open', () => {
    const space = createShardedSpace(options);
    expect(() => space.put(32, new Float32Array(4), 1)).toThrow(AssertionError);
    expect(() => space.reserve(33)).toThrow(AssertionError);
    expect(space.has(32)).toBe(false);
  });

  test('say what their rows will take, before they are open and after', () => {
    const space = createShardedSpace(options);
    const [first, both] = [space.bytesWanted(32), space.bytesWanted(64)];
    expect(first).toBeGreaterThanOrEqual(32 * space.rowBytes);
    expect(both - first).toBe(32 * space.rowBytes);
    space.openShards(64);
    space.reserve(64);
    expect(space.bytesWanted(64)).toBe(0);
  });

  test('are not without end', () => {
    const space = createShardedSpace(options);
    expect(() => space.openShards(SHARDS_MAX * 32 + 1)).toThrow(SpaceFullError);
    expect(space.capacity).toBe(32);
  });
});

describe('[K42] saved graphs', () => {
  const vectors = clusteredVectors({ count: 90, dimension: 4, clusters: 4, seed: 1 });
  const filled = () => {
    const space = createShardedSpace(options);
    space.openShards(90);
    for (const [row, vector] of vectors.entries()) space.put(row, vector, row);
    linkAll(space.handle);
    return space;
  };

  test('are one for each shard, and one that is missing is built again', () => {
    const saved = filled().handle.shards.map((shard) => graphBytes(attachIndexer(shard)));
    const loaded = createShardedSpace(options);
    loaded.openShards(90);
    for (const shard of [0, 2]) loaded.loadGraph(shard, sourceOf(saved[shard] ?? new Uint8Array()), { newest: 0 });
    // Rows that may have changed since: two of the first shard, one of which has, and all of the second, whose graph is missing.
    loaded.recall({ fromRow: 30, toRow: 64 });
    for (let row = 30; row < 64; row++) loaded.adopt(row, vectors[row] ?? new Float32Array(4), row === 30 ? 1000 : row);
    loaded.finishLoad();
    expect(loaded.shards.map(({ indexedCount }) => indexedCount)).toEqual([31, 0, 26]);
    expect(loaded.liveCount).toBe(90);
    const query = vectors[40] ?? new Float32Array(4);
    expect(loaded.search(query, { k: 1, ef: 50 }).rows).toEqual(Uint32Array.of(40));
  });

  test('of more rows than a shard has are refused', () => {
    const wider = createShardedSpace({ ...options, rowsPerShard: 96 });
    for (const [row, vector] of vectors.entries()) wider.put(row, vector, row);
    linkAll(wider.handle);
    const saved = wider.handle.shards.map((shard) => graphBytes(attachIndexer(shard)));
    const space = createShardedSpace(options);
    expect(() => space.loadGraph(0, sourceOf(saved[0] ?? new Uint8Array()), { newest: 0 })).toThrow(GraphDamagedError);
    space.put(0, new Float32Array(4), 1);
    expect(space.liveCount).toBe(1);
  });
});

test('[K7] [K40] recall over three shards is that of one', () => {
  const [count, dimension] = [3000, 64];
  const vectors = clusteredVectors({ count: count + 100, dimension, clusters: 60, seed: 2 });
  const queries = vectors.splice(count);
  const recall = (rowsPerShard: number) => {
    const space = createShardedSpace({ dimension, metric: 'dot', m: 16, efConstruct: 100, seed: 1, rowsPerShard });
    space.openShards(count);
    for (const [row, vector] of vectors.entries()) space.put(row, vector, row);
    linkAll(space.handle);
    let found = 0;
    for (const query of queries) {
      const truth = new Set(space.scan(query, { k: 10, fromRow: 0, toRow: count }).rows);
      found += space.search(query, { k: 10, ef: 100 }).rows.filter((row) => truth.has(row)).length;
    }
    return { shards: space.shards.length, recall: found / (10 * queries.length) };
  };
  const [three, one] = [recall(1024), recall(3008)];
  expect([three.shards, one.shards]).toEqual([3, 1]);
  expect(three.recall).toBeGreaterThan(0.97);
  expect(three.recall).toBeGreaterThan(one.recall - 0.005);
});

test('[K40] shards that have released their vectors read the originals of their own rows', () => {
  const [count, dimension] = [4400, 32];
  const vectors = clusteredVectors({ count: count + 20, dimension, clusters: 20, seed: 4 });
  const queries = vectors.splice(count);
  const space = createShardedSpace({
    dimension,
    metric: 'euclid',
    m: 8,
    efConstruct: 60,
    seed: 1,
    rowsPerShard: 1504,
    vectors: 'released',
  });
  space.openShards(count);
  for (const [row, vector] of vectors.entries()) space.put(row, vector, row);
  linkAll(space.handle);
  const stored = new Map(vectors.entries());
  const reader = new ShardedSpaceReader(space.handle, {
    vector: (row) => stored.get(row),
    *vectors({ fromRow, toRow }) {
      for (let row = fromRow; row < Math.min(toRow, count); row++) yield { row, vector: vectors[row] ?? new Float32Array(dimension) };
    },
  });
  expect(reader.shards.map(({ readsOriginals }) => readsOriginals)).toEqual([true, true, true]);
  let found = 0;
  for (const query of queries) {
    const truth = referenceNearest('euclid', query, stored, 10);
    expect(reader.scan(query, { k: 10, fromRow: 0, toRow: count })).toEqual(truth);
    found += reader.search(query, { k: 10, ef: 100 }).rows.filter((row) => truth.rows.includes(row)).length;
  }
  expect(found / (10 * queries.length)).toBeGreaterThan(0.95);
});
