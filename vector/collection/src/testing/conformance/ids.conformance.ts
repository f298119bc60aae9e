// SPDX-License-Identifier: Apache-2.0
/** What any engine makes of ids: of one that is given twice, and of points that nothing else tells apart. */
import { describe, expect, test } from 'vitest';
import type { CoreEngine } from '../naive-engine/core-engine.ts';
import type { EngineUnderTest } from './engine.conformance.ts';

export function describeIds(name: string, open: () => Promise<EngineUnderTest<CoreEngine>>): void {
  describe(`${name}: ids`, () => {
    test('of an id that is given twice the last counts; vectors of one id are put together', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { x: { size: 2, distance: 'Euclid' }, y: { size: 1, distance: 'Euclid' } } });
      await engine.upsert('a', [
        { id: 1, vector: { x: [1, 1], y: [1] }, payload: { n: 1 } },
        { id: 2, vector: { x: [2, 2] }, payload: { n: 2 } },
        { id: 1, vector: { x: [3, 3] }, payload: { n: 3 } },
      ]);
      const all = async () =>
        (await engine.retrieve('a', { ids: [1, 2], with_vector: true })).map(({ vector, payload }) => [vector, payload]);
      expect(await all()).toEqual([
        [{ x: [3, 3] }, { n: 3 }],
        [{ x: [2, 2] }, { n: 2 }],
      ]);
      expect(await engine.nearest('a', { vector: [3, 3], using: 'x', limit: 9 })).toMatchObject([{ id: 1, score: 0 }, { id: 2 }]);
      await engine.updateVectors('a', [
        { id: 1, vector: { x: [4, 4], y: [4] } },
        { id: 2, vector: { y: [5] } },
        { id: 1, vector: { x: [6, 6] } },
      ]);
      expect(await all()).toEqual([
        [{ x: [6, 6], y: [4] }, { n: 3 }],
        [{ x: [2, 2], y: [5] }, { n: 2 }],
      ]);
      expect(await engine.nearest('a', { vector: [6, 6], using: 'x', limit: 9 })).toMatchObject([{ id: 1, score: 0 }, { id: 2 }]);
    });

    test('an id that is asked for twice is answered twice', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { size: 1, distance: 'Euclid' } });
      await engine.upsert(
        'a',
        [1, 2, 3].map((id) => ({ id, vector: [id], payload: {} })),
      );
      const found = await engine.retrieve('a', { ids: [3, 1, 3, 9] });
      expect(found.map(({ id }) => id)).toEqual([3, 1, 3]);
    });

    test.each([3, 200])('order_by puts points of one value, %i of them, in the order of their ids', async (count) => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('ties', { vectors: { size: 2, distance: 'Euclid' } });
      await engine.createFieldIndex('ties', 'sizes', { type: 'integer' });
      const uuid = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`;
      // Written out of the order of the ids; between them points with another value, so that these are many or few among all.
      const ids = Array.from({ length: count }, (_, at) => [at * 2 + 1, uuid(at)]).flat();
      const others = Array.from({ length: 200 }, (_, at) => ({ id: at * 2 + 1000, vector: [1, 1], payload: { sizes: at + 100 } }));
      await engine.upsert('ties', [...ids.toReversed().map((id) => ({ id, vector: [1, 1], payload: { sizes: [7, 9, 7] } })), ...others]);
      const ascending = ids.toSorted((a, b) => Number(typeof a === 'string') - Number(typeof b === 'string') || (a < b ? -1 : 1));
      const page = async (direction: 'asc' | 'desc', limit: number) =>
        (await engine.scroll('ties', { order_by: { key: 'sizes', direction }, limit })).points.map(({ id, order_value: value }) => [
          value,
          id,
        ]);
      const up = [7, 9].flatMap((value) => ascending.map((id) => [value, id]));
      expect(await page('asc', 4 * count)).toEqual(up);
      expect(await page('asc', 3)).toEqual(up.slice(0, 3));
      expect((await page('desc', 1000)).slice(200)).toEqual(up.toReversed());
    });
  });
}
