// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import {
  attachIndexer,
  attachReader,
  type Components,
  createVectorSpace,
  type Datatype,
  type Metric,
  type SpaceIndexer,
  type SpaceReader,
} from './index.ts';
import { referenceDistance, referenceNearest } from './reference.ts';

type Step =
  | { readonly kind: 'put'; readonly count: number; readonly seed: number }
  | { readonly kind: 'remove'; readonly share: number; readonly seed: number }
  | { readonly kind: 'link'; readonly limit: number }
  | { readonly kind: 'repair'; readonly limit: number }
  | { readonly kind: 'reclaim' };

const seed = fc.nat();
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ kind: fc.constant('put' as const), count: fc.integer({ min: 1, max: 40 }), seed }),
  fc.record({ kind: fc.constant('remove' as const), share: fc.double({ min: 0, max: 1, noNaN: true }), seed }),
  fc.record({ kind: fc.constant('link' as const), limit: fc.integer({ min: 1, max: 60 }) }),
  fc.record({ kind: fc.constant('repair' as const), limit: fc.integer({ min: 1, max: 200 }) }),
  fc.record({ kind: fc.constant('reclaim' as const) }),
);
const options = fc.record({
  dimension: fc.constantFrom(1, 2, 5, 9),
  metric: fc.constantFrom<Metric>('dot', 'euclid', 'manhattan'),
  datatype: fc.constantFrom<Datatype>('float32', 'float32', 'float16', 'uint8'),
  m: fc.constantFrom(0, 1, 2, 4, 8),
  efConstruct: fc.constantFrom(1, 4, 20),
  seed,
});

// Few distinct values, so that equal vectors and equal distances are common.
function vectorOf({ dimension, datatype }: { dimension: number; datatype: Datatype }, next: () => number): Components {
  const values = Array.from({ length: dimension }, () => Math.floor(next() * 6));
  if (datatype === 'uint8') return Uint8Array.from(values);
  const signed = values.map((value) => value - 2);
  return datatype === 'float16' ? Float16Array.from(signed) : Float32Array.from(signed);
}

test('[K2] [K3] [K4] [K5] [K8] [K10] [K11] [K33] whatever is put, removed, linked and repaired, the space tells what a map would', () => {
  fc.assert(
    fc.property(options, fc.array(step, { minLength: 1, maxLength: 25 }), (spaceOptions, steps) => {
      const space = createVectorSpace(spaceOptions);
      const reader = attachReader(space.handle);
      const indexer = attachIndexer(space.handle);
      const model = new Map<number, Components>();
      for (const each of steps) {
        run(each, space, indexer, model, spaceOptions);
        expect(checkGraph(space.handle).faults).toEqual([]);
        const query = vectorOf(spaceOptions, seededRandom(model.size).next);
        expectSame(reader, model, spaceOptions.metric, query);
        // Each row was put with its number as its version.
        const late = new Map([...model].filter(([row]) => row > 10));
        expect(reader.scanNewer(query, { k: 5, version: 10 })).toEqual(referenceNearest(spaceOptions.metric, query, late, 5));
      }
    }),
    { numRuns: roundsOf({ quick: 25, long: 3000 }) },
  );
});

test('[K8] [K10] [K11] [K16] a graph saved in the middle of anything is loaded whole, whatever has become of its rows', () => {
  fc.assert(
    fc.property(
      options,
      fc.array(step, { minLength: 1, maxLength: 20 }),
      fc.array(step, { maxLength: 8 }),
      seed,
      (spaceOptions, steps, later, fate) => {
        const space = createVectorSpace(spaceOptions);
        const indexer = attachIndexer(space.handle);
        const model = new Map<number, Components>();
        for (const each of steps) run(each, space, indexer, model, spaceOptions);
        const saved = graphBytes(indexer);

        const loaded = createVectorSpace(spaceOptions);
        loaded.loadGraph(sourceOf(saved), { newest: 0 });
        loaded.recall({ fromRow: 0, toRow: loaded.rowBound });
        const random = seededRandom(fate);
        const loadedModel = new Map<number, Components>();
        for (const [row, vector] of model) {
          const lot = random.next();
          if (lot < 0.2) continue;
          const changed = lot < 0.4;
          const adopted = changed ? vectorOf(spaceOptions, random.next) : vector;
          loaded.adopt(row, adopted, changed ? -1 : row);
          loadedModel.set(row, adopted);
        }
        loaded.finishLoad();
        const loadedIndexer = attachIndexer(loaded.handle);
        for (const each of [undefined, ...later]) {
          if (each) run(each, loaded, loadedIndexer, loadedModel, spaceOptions);
          expect(checkGraph(loaded.handle).faults).toEqual([]);
          expectSame(loaded, loadedModel, spaceOptions.metric, vectorOf(spaceOptions, random.next));
        }
      },
    ),
    { numRuns: roundsOf({ quick: 20, long: 2000 }) },
  );
});

function run(
  step: Step,
  space: ReturnType<typeof createVectorSpace>,
  indexer: SpaceIndexer,
  model: Map<number, Components>,
  options: { dimension: number; datatype: Datatype },
): void {
  switch (step.kind) {
    case 'put': {
      const random = seededRandom(step.seed);
      for (let row = 0, left = step.count; left > 0; row++) {
        if (!space.isFree(row)) continue;
        const vector = vectorOf(options, random.next);
        space.put(row, vector, row);
        model.set(row, vector);
        left--;
      }
      return;
    }
    case 'remove': {
      const random = seededRandom(step.seed);
      for (const row of model.keys()) {
        if (random.next() >= step.share) continue;
        space.remove(row);
        model.delete(row);
      }
      return;
    }
    case 'link':
      indexer.link(step.limit);
      return;
    case 'repair':
      indexer.repair(step.limit);
      return;
    case 'reclaim':
      indexer.reclaim();
  }
}

function expectSame(reader: SpaceReader, model: ReadonlyMap<number, Components>, metric: Metric, query: Components): void {
  expect(reader.liveCount).toBe(model.size);
  expect(reader.pendingCount + reader.indexedCount).toBe(model.size);
  const everything = { fromRow: 0, toRow: reader.rowBound };
  expect(reader.scan(query, { k: 1000, ...everything })).toEqual(referenceNearest(metric, query, model, 1000));
  expect(reader.scan(query, { k: 3, ...everything })).toEqual(referenceNearest(metric, query, model, 3));
  const odd = new Map([...model].filter(([row]) => row % 2 === 1));
  const filter = new Uint32Array((reader.rowBound + 31) >>> 5).fill(0xaaaaaaaa);
  expect(reader.scan(query, { k: 5, ...everything, filter })).toEqual(referenceNearest(metric, query, odd, 5));
  expect(reader.scan(query, { k: 5, fromRow: 3, toRow: 70, filter })).toEqual(
    referenceNearest(metric, query, new Map([...odd].filter(([row]) => row >= 3 && row < 70)), 5),
  );
  // Vectors as short as these have no codes, or are bytes and their own codes: a quantized flat scan is then an exact one.
  expect(reader.scanQuantized(query, { k: 5, fromRow: 3, toRow: 70, filter })).toEqual(
    reader.scan(query, { k: 5, fromRow: 3, toRow: 70, filter }),
  );
  const rows = Uint32Array.from({ length: reader.rowBound + 3 }, (_, row) => row).filter((row) => row % 2 === 1);
  expect(reader.scanRows(query, { k: 5, rows })).toEqual(referenceNearest(metric, query, odd, 5));
  for (let row = 0; row < reader.rowBound; row++) expect(reader.has(row)).toBe(model.has(row));
  for (const chosen of [undefined, filter]) {
    const found = reader.search(query, { k: 7, ef: 200, ...(chosen && { filter: chosen }) });
    const sorted = [...found.rows].map((row, i) => ({ row, distance: found.distances[i] ?? Number.NaN }));
    expect(new Set(found.rows).size).toBe(found.rows.length);
    for (const { row, distance } of sorted) {
      const vector = model.get(row);
      expect(vector && referenceDistance(metric, query, vector)).toBe(distance);
      if (chosen) expect(row % 2).toBe(1);
    }
    expect(sorted).toEqual(sorted.toSorted((a, b) => a.distance - b.distance || a.row - b.row));
    expect(found.rows.length).toBeLessThanOrEqual(7);
    if (reader.indexedCount === 0) expect(found).toEqual(referenceNearest(metric, query, chosen ? odd : model, 7));
  }
}
