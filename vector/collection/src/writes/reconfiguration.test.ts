// SPDX-License-Identifier: Apache-2.0
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

/** Six slices of a megabyte each, between which others write. */
const SIZE = 1024;
const POINTS = 1500;
const PER_WRITE = 20;

test.each([false, true])(
  'graphs of other parameters are built while points are written, and hold what was written, on disk: %s',
  async (on_disk) => {
    await using scratch = await temporaryDirectory();
    const engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
    try {
      const left = new Map<number, number>();
      const put = async (ids: readonly number[], value: number) => {
        for (const id of ids) left.set(id, value + id);
        await engine.upsert(
          'a',
          ids.map((id) => ({
            id,
            vector: Array<number>(SIZE)
              .fill(0)
              .with(0, value + id),
          })),
        );
      };
      const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
      await engine.createCollection('a', {
        vectors: { size: SIZE, distance: 'Euclid', on_disk },
        optimizers_config: { indexing_threshold: 0 },
      });
      for (let id = 0; id < POINTS; id += 500) await put(range(id, 500), 0);

      let isDone = false;
      const configured = engine.updateCollection('a', { hnsw_config: { m: 5 } }).then(() => {
        isDone = true;
      });
      const again = engine.updateCollection('a', { hnsw_config: { m: 6 } });
      let writes = 0;
      while (!isDone) {
        // New points, points with other vectors at both ends, and points that go.
        await put([...range(100_000 + writes * PER_WRITE, PER_WRITE), writes, POINTS - 1 - writes], 0.25 * (writes + 1));
        await engine.deletePoints('a', { points: [500 + writes, POINTS / 2 + writes] });
        for (const id of [500 + writes, POINTS / 2 + writes]) left.delete(id);
        writes++;
      }
      expect(writes).toBeGreaterThan(1);
      await Promise.all([configured, again]);
      expect((await engine.collectionInfo('a')).config.hnsw_config).toMatchObject({ m: 6 });
      expect(await engine.count('a', {})).toBe(left.size);
      const all = await engine.nearest('a', {
        vector: Array<number>(SIZE).fill(0),
        limit: left.size + 10,
        params: { exact: true },
      });
      const expected = [...left].sort(([a, first], [b, second]) => first - second || a - b).map(([, value]) => value);
      expect(all.map(({ score }) => score)).toEqual(expected);
      expect(new Set(all.map(({ id }) => id))).toEqual(new Set(left.keys()));
    } finally {
      await engine.close();
    }
  },
);

test('a collection may be deleted while its graphs are rebuilt', async () => {
  await using scratch = await temporaryDirectory();
  const engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  try {
    await engine.createCollection('a', { vectors: { size: SIZE, distance: 'Dot' } });
    await engine.upsert(
      'a',
      Array.from({ length: POINTS }, (_, id) => ({ id, vector: Array<number>(SIZE).fill(1) })),
    );
    const configured = engine.updateCollection('a', { hnsw_config: { m: 5 } });
    const refused = expect(configured).rejects.toMatchObject({ code: 'collection_deleted' });
    // The new configuration is stored by then, and the first slices are filled.
    for (let turn = 0; turn < 5; turn++) await new Promise<void>((resolve) => setImmediate(resolve));
    expect(await engine.deleteCollection('a')).toBe(true);
    await refused;
    expect(await engine.listCollections()).toEqual([]);
  } finally {
    await engine.close();
  }
});
