// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attachIndexer, createShardedSpace, type Metric, type Neighbours, type ShardedSpaceHandle, ShardedSpaceReader } from '../index.ts';
import { referenceNearest } from '../reference.ts';

const DIMENSION = 5;
const metric: fc.Arbitrary<Metric> = fc.constantFrom('dot', 'euclid', 'manhattan');
const rowsPerShard = fc.constantFrom(32, 64, 96, 256);
/** Rows are put at random places below a bound, so that some shards stay empty; some are removed. */
const filling = fc.record({
  rowBound: fc.integer({ min: 1, max: 300 }),
  share: fc.constantFrom(0.05, 0.5, 1),
  removed: fc.constantFrom(0, 0.3),
  linked: fc.boolean(),
  seed: fc.integer(),
});

function vectorOf(next: () => number): Float32Array {
  // Few values, so that many distances are equal.
  return Float32Array.from({ length: DIMENSION }, () => Math.floor(next() * 4) - 1);
}

function linkAll({ shards }: ShardedSpaceHandle): void {
  for (const shard of shards) {
    const indexer = attachIndexer(shard);
    while (indexer.link(100) > 0) indexer.reclaim();
  }
}

const rowsOf = ({ rows }: Neighbours) => [...rows];

test('[K40] a space in shards answers as if its rows lay in one', () => {
  fc.assert(
    fc.property(metric, rowsPerShard, filling, (metric, rowsPerShard, { rowBound, share, removed, linked, seed }) => {
      const random = seededRandom(seed);
      const space = createShardedSpace({ dimension: DIMENSION, metric, m: 8, efConstruct: 40, seed: 1, rowsPerShard });
      // Attached before there are more shards than one.
      const reader = new ShardedSpaceReader(space.handle);
      space.openShards(rowBound);
      reader.attachMissing(space.handle);
      const model = new Map<number, Float32Array>();
      for (let row = 0; row < rowBound; row++) {
        if (random.next() >= share) continue;
        const vector = vectorOf(random.next);
        space.put(row, vector, row);
        model.set(row, vector);
      }
      if (linked) linkAll(space.handle);
      for (const row of model.keys()) {
        if (random.next() >= removed) continue;
        space.remove(row);
        model.delete(row);
      }
      expect(reader.rowBound).toBe(space.rowBound);
      expect(reader.liveCount).toBe(model.size);
      expect(reader.indexedCount + reader.pendingCount).toBe(model.size);
      for (let row = 0; row < rowBound + 40; row++) expect(reader.has(row)).toBe(model.has(row));

      const query = vectorOf(random.next);
      const nearest = (k: number, passes: (row: number) => boolean) =>
        referenceNearest(metric, query, new Map([...model].filter(([row]) => passes(row))), k);
      const everything = { fromRow: 0, toRow: reader.rowBound };
      expect(reader.scan(query, { k: 1000, ...everything })).toEqual(nearest(1000, () => true));
      expect(reader.scan(query, { k: 4, ...everything })).toEqual(nearest(4, () => true));
      // Short filters end before the last shard.
      const filter = new Uint32Array(random.integer(12)).fill(0xaaaaaaaa);
      const inFilter = (row: number) => row % 2 === 1 && row < filter.length * 32;
      const [fromRow, toRow] = [random.integer(rowBound), random.integer(rowBound + 50)];
      const between = (row: number) => row >= fromRow && row < toRow;
      expect(reader.scan(query, { k: 9, fromRow, toRow })).toEqual(nearest(9, between));
      expect(reader.scan(query, { k: 9, fromRow, toRow, filter })).toEqual(nearest(9, (row) => between(row) && inFilter(row)));
      // Vectors as short as these have no codes: a quantized flat scan is then an exact one.
      expect(reader.scanQuantized(query, { k: 9, fromRow, toRow, filter })).toEqual(nearest(9, (row) => between(row) && inFilter(row)));
      const asked = Uint32Array.from({ length: rowBound + 70 }, (_, row) => row).filter((row) => row % 3 === 0);
      expect(reader.scanRows(query, { k: 9, rows: asked })).toEqual(nearest(9, (row) => row % 3 === 0));
      expect(reader.scanRowsQuantized(query, { k: 9, rows: asked })).toEqual(nearest(9, (row) => row % 3 === 0));
      const distances = new Map(rowsOf(nearest(1000, () => true)).map((row, index) => [row, nearest(1000, () => true).distances[index]]));
      const range = Array.from(
        { length: Math.max(0, toRow - fromRow) },
        (_, at) => distances.get(fromRow + at) ?? Number.POSITIVE_INFINITY,
      );
      if (toRow >= fromRow) expect([...reader.distances(query, { fromRow, toRow })]).toEqual(range);
      expect(reader.scanNewer(query, { k: 9, version: 100 })).toEqual(nearest(9, (row) => row > 100));
      // With an ef as large as the space, a search finds every row that links lead to; before there are links, every row.
      const found = reader.search(query, { k: 9, ef: 400 });
      if (!linked) expect(found).toEqual(nearest(9, () => true));
      expect(found.rows.length).toBeLessThanOrEqual(9);
      expect(new Set(rowsOf(found)).size).toBe(found.rows.length);
      for (const row of rowsOf(reader.search(query, { k: 9, ef: 400, filter }))) expect(model.has(row) && inFilter(row)).toBe(true);
      const passing = reader.passingShare(query, new Uint32Array(12).fill(0xffffffff));
      expect(passing).toBe(1);
      reader.detach();
    }),
    { numRuns: roundsOf({ quick: 10, long: 600 }) },
  );
});

test('[K40] rows that come free in one shard are put again, whatever the others hold', () => {
  fc.assert(
    fc.property(rowsPerShard, fc.array(fc.nat(199), { minLength: 1, maxLength: 60 }), (rowsPerShard, changed) => {
      const space = createShardedSpace({ dimension: DIMENSION, metric: 'euclid', m: 4, efConstruct: 20, seed: 1, rowsPerShard });
      space.openShards(200);
      const model = new Map<number, Float32Array>();
      for (const [version, row] of changed.entries()) {
        if (model.delete(row)) space.remove(row);
        else if (space.isFree(row)) {
          const vector = Float32Array.of(version, row, 0, 0, 0);
          space.put(row, vector, version);
          model.set(row, vector);
        }
        const query = Float32Array.of(version, 0, 0, 0, 0);
        expect(space.scan(query, { k: 300, fromRow: 0, toRow: 200 })).toEqual(referenceNearest('euclid', query, model, 300));
      }
    }),
    { numRuns: roundsOf({ quick: 17, long: 500 }) },
  );
});
