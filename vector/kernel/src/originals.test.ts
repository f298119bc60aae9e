// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { describe, expect, test } from 'vitest';
import { clusteredVectors } from './clustered-vectors.ts';
import { graphBytes, sourceOf } from './graph-bytes.ts';
import { checkGraph } from './graph-check.ts';
import {
  attachIndexer,
  attachReader,
  type Components,
  createVectorSpace,
  GraphDamagedError,
  type Metric,
  type SpaceIndexer,
  type SpaceReader,
  type VectorSpaceOptions,
} from './index.ts';
import { attachKernel } from './kernel.ts';
import { referenceDistance, referenceNearest } from './reference.ts';
import { originalsOf } from './stored-originals.ts';

const dimension = 32;
const k = 10;
const ef = 64;
const options: VectorSpaceOptions = { dimension, metric: 'euclid', m: 8, efConstruct: 30, seed: 1, vectors: 'released' };

/** What a store holds: rows ascending. */
function linkAll(indexer: SpaceIndexer): void {
  while (indexer.link(500) > 0) indexer.reclaim();
  indexer.reclaim();
}

function subject(other: Partial<VectorSpaceOptions> = {}) {
  const space = createVectorSpace({ ...options, ...other });
  const store = new Map<number, Components>();
  const indexer = attachIndexer(space.handle);
  const reader = attachReader(space.handle, originalsOf(store));
  const put = (row: number, vector: Components, version = row) => {
    store.set(row, vector);
    space.put(row, vector, version);
  };
  const remove = (row: number) => {
    store.delete(row);
    space.remove(row);
  };
  const kernel = attachKernel(space.handle);
  const inMemory = () => [...store.keys()].filter((row) => kernel.vectorAddress(row) !== 0);
  return { space, store, indexer, reader, put, remove, inMemory };
}

const vectors = clusteredVectors({ count: 1650, dimension, clusters: 20, seed: 3 });
const queries = vectors.splice(1600);
const everything = (reader: SpaceReader) => ({ fromRow: 0, toRow: reader.rowBound });

describe('a space that releases its vectors', () => {
  test('[K34] keeps them until their rows are in the graph and codes are in use', () => {
    const { put, indexer, inMemory, reader } = subject();
    for (const [row, vector] of vectors.slice(0, 900).entries()) put(row, vector);
    linkAll(indexer);
    expect([inMemory().length, reader.readsOriginals]).toEqual([900, false]);
    for (const [i, vector] of vectors.slice(900).entries()) put(900 + i, vector);
    linkAll(indexer);
    expect([inMemory().length, reader.readsOriginals]).toEqual([0, true]);
    put(1600, vectors[5] ?? new Float32Array(dimension));
    expect(inMemory()).toEqual([1600]);
    expect(reader.search(vectors[5] ?? new Float32Array(), { k: 2, ef }).rows).toEqual(Uint32Array.of(5, 1600));
  });

  test('[K34] takes the bytes of its codes and links alone, and uses the room of released vectors again', () => {
    const { put, indexer, space } = subject({ dimension: 256, efConstruct: 12, quantization: 'int8' });
    const wide = clusteredVectors({ count: 4000, dimension: 256, clusters: 20, seed: 3 });
    for (const [row, vector] of wide.entries()) {
      put(row, vector);
      if (row % 1000 === 999) linkAll(indexer);
    }
    // Codes, links, version, addresses, level, state; then a thousand vectors that are not released yet, and the scratch memory of threads.
    expect(space.bytesUsed).toBeLessThan((4000 * (256 + 68 + 40) + 1000 * 1024) * 1.25);
    expect(space.bytesUsed).toBeLessThan(4000 * 1024);
  });

  const forms: readonly [Metric, VectorSpaceOptions['datatype']][] = [
    ['dot', 'float32'],
    ['manhattan', 'float32'],
    ['euclid', 'float16'],
    ['euclid', 'float32'],
  ];
  test.each(forms.slice(0, roundsOf({ quick: 3, long: forms.length })))(
    '[K35] answers by %s of %s what one answers that keeps them',
    (metric, datatype) => {
      const stored = vectors.map((vector): Components => (datatype === 'float16' ? Float16Array.from(vector) : vector));
      const asked = queries.map((vector): Components => (datatype === 'float16' ? Float16Array.from(vector) : vector));
      const released = subject({ metric, datatype: datatype ?? 'float32' });
      const kept = createVectorSpace({ ...options, metric, datatype: datatype ?? 'float32', vectors: 'kept' });
      const keptIndexer = attachIndexer(kept.handle);
      for (const [row, vector] of stored.slice(0, 1500).entries()) {
        released.put(row, vector);
        kept.put(row, vector, row);
      }
      linkAll(released.indexer);
      linkAll(keptIndexer);
      // Some are pending, some are deleted.
      for (const [i, vector] of stored.slice(1500).entries()) {
        released.put(1500 + i, vector);
        kept.put(1500 + i, vector, 1500 + i);
      }
      for (let row = 0; row < 1600; row += 7) {
        released.remove(row);
        kept.remove(row);
      }
      const filter = new Uint32Array(50).fill(0xaaaaaaaa);
      const rows = Uint32Array.from({ length: 300 }, (_, i) => i * 5);
      const { reader } = released;
      for (const query of asked) {
        expect(reader.search(query, { k, ef })).toEqual(kept.search(query, { k, ef }));
        expect(reader.search(query, { k, ef, filter })).toEqual(kept.search(query, { k, ef, filter }));
        expect(reader.scanQuantized(query, { k, ...everything(reader) })).toEqual(kept.scanQuantized(query, { k, ...everything(reader) }));
        expect(reader.scanQuantized(query, { k, fromRow: 32, toRow: 1590, filter })).toEqual(
          kept.scanQuantized(query, { k, fromRow: 32, toRow: 1590, filter }),
        );
        expect(reader.scan(query, { k, ...everything(reader) })).toEqual(kept.scan(query, { k, ...everything(reader) }));
        expect(reader.scan(query, { k, fromRow: 32, toRow: 1590, filter })).toEqual(
          kept.scan(query, { k, fromRow: 32, toRow: 1590, filter }),
        );
        expect(reader.scanRows(query, { k, rows })).toEqual(kept.scanRows(query, { k, rows }));
        expect(reader.scanNewer(query, { k, version: 1000 })).toEqual(kept.scanNewer(query, { k, version: 1000 }));
        expect(reader.search(query, { k, ef, rescored: 0 })).toEqual(kept.scan(query, { k, ...everything(reader) }));
      }
    },
  );

  test('[K34] keeps its codes when vectors of another size come, and says so', () => {
    const { put, indexer, reader } = subject();
    for (const [row, vector] of vectors.slice(0, 1200).entries()) put(row, vector);
    linkAll(indexer);
    expect(reader.codes).toBe('in use');
    for (const [i, vector] of vectors.slice(1200).entries())
      put(
        1200 + i,
        vector.map((value) => value * 20),
      );
    linkAll(indexer);
    expect([reader.codes, reader.readsOriginals]).toEqual(['outgrown', true]);
  });

  test('[K35] puts rows last whose originals are gone already', () => {
    const { put, indexer, reader, store } = subject();
    for (const [row, vector] of vectors.entries()) put(row, vector);
    linkAll(indexer);
    const query = vectors[7] ?? new Float32Array(dimension);
    expect(reader.search(query, { k: 1, ef }).rows).toEqual(Uint32Array.of(7));
    store.delete(7);
    expect(reader.search(query, { k: 1, ef }).rows).not.toEqual(Uint32Array.of(7));
    expect(reader.scan(query, { k: 1600, ...everything(reader) }).rows).toHaveLength(1599);
    store.clear();
    expect(reader.search(query, { k: 3, ef }).distances).toEqual(new Float32Array(3).fill(Number.NEGATIVE_INFINITY));
  });

  test('[K35] cannot be searched by one who has no originals', () => {
    const { put, indexer, space } = subject();
    for (const [row, vector] of vectors.entries()) put(row, vector);
    linkAll(indexer);
    expect(() => space.search(queries[0] ?? new Float32Array(dimension), { k, ef })).toThrow('originals');
  });

  test('[K9] [K34] a reader that set out before still sees the vectors that are released', () => {
    const { put, indexer, space } = subject();
    for (const [row, vector] of vectors.entries()) put(row, vector);
    const early = attachKernel(space.handle);
    early.claimSlot();
    early.enter();
    const addresses = vectors.map((_, row) => early.vectorAddress(row));
    linkAll(indexer);
    for (const [row, vector] of vectors.entries()) put(1600 + row, vector);
    for (const row of [0, 500, 1599]) {
      expect(new Float32Array(space.handle.memory.buffer, addresses[row], dimension)).toEqual(vectors[row]);
    }
    early.leave();
    linkAll(indexer);
    expect(attachKernel(space.handle).vectorAddress(500)).toBe(0);
  });

  test('[K13] [K34] goes on through deletions, repairs and rows that are used again', () => {
    const { put, remove, indexer, reader, space, store } = subject();
    const random = seededRandom(5);
    for (const [row, vector] of vectors.entries()) put(row, vector);
    linkAll(indexer);
    for (let round = 0; round < roundsOf({ quick: 2, long: 6 }); round++) {
      for (const row of Array.from(store.keys())) if (random.next() < 0.4) remove(row);
      while (!indexer.repair(500));
      indexer.reclaim();
      for (let row = 0; row < 1600; row++)
        if (space.isFree(row) && random.next() < 0.8) put(row, vectors[(row + round) % 1600] ?? new Float32Array(dimension));
      linkAll(indexer);
      expect(checkGraph(space.handle).faults).toEqual([]);
      let found = 0;
      for (const query of queries.slice(0, 15)) {
        const truth = referenceNearest('euclid', query, store, k);
        expect(reader.scan(query, { k, ...everything(reader) })).toEqual(truth);
        const answer = reader.search(query, { k, ef });
        for (const [i, row] of answer.rows.entries()) {
          expect(referenceDistance('euclid', query, store.get(row) ?? new Float32Array(dimension))).toBe(answer.distances[i]);
        }
        found += answer.rows.filter((row) => truth.rows.includes(row)).length;
      }
      expect(found / (15 * k)).toBeGreaterThan(0.95);
    }
  });

  test('[K36] a saved graph brings its codes back, and rows that waited are put afresh', () => {
    const { put, indexer, reader, store } = subject();
    for (const [row, vector] of vectors.slice(0, 1500).entries()) put(row, vector);
    linkAll(indexer);
    for (const [i, vector] of vectors.slice(1500).entries()) put(1500 + i, vector);
    const saved = graphBytes(indexer);
    const loaded = createVectorSpace(options);
    loaded.loadGraph(sourceOf(saved), { newest: 0 });
    loaded.recall({ fromRow: 0, toRow: 10 });
    for (let row = 0; row < 10; row++) loaded.adopt(row, vectors[row] ?? new Float32Array(dimension), row);
    loaded.finishLoad();
    expect([loaded.indexedCount, loaded.pendingCount]).toEqual([1500, 0]);
    const again = attachReader(loaded.handle, originalsOf(store));
    for (let row = 1500; row < 1600; row++) {
      expect(loaded.isFree(row)).toBe(true);
      loaded.put(row, vectors[row] ?? new Float32Array(dimension), row);
    }
    for (const query of queries) expect(again.search(query, { k, ef })).toEqual(reader.search(query, { k, ef }));
    expect(checkGraph(loaded.handle).faults).toEqual([]);
  });

  test('[K36] a graph that was saved before there were codes is made again', () => {
    const { put, indexer } = subject();
    for (const [row, vector] of vectors.slice(0, 900).entries()) put(row, vector);
    linkAll(indexer);
    const loaded = createVectorSpace(options);
    expect(() => loaded.loadGraph(sourceOf(graphBytes(indexer)), { newest: 0 })).toThrow(GraphDamagedError);
    expect([loaded.rowBound, loaded.liveCount]).toEqual([0, 0]);
  });

  test('[K18] [K34] is full when its vectors fill it', () => {
    const { space, put } = subject({ bytesMax: 4 << 20, dimension: 512 });
    const vector = new Float32Array(512);
    let row = 0;
    expect(() => {
      for (; ; row++) {
        space.reserve(row + 1);
        put(row, vector);
      }
    }).toThrow('memory bound');
    expect(row).toBeGreaterThan(1000);
    expect(row * 2048).toBeLessThan(4 << 20);
    expect(space.pendingCount).toBe(row);
  });
});
