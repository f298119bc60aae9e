// SPDX-License-Identifier: Apache-2.0
/** What any engine does with keys that divide the points of a collection: ids are a point's own within its key only. */
import { type CreateCollection, ServiceError, type ShardKey } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import type { KeyedEngine } from '../naive-engine/naive-keys.ts';

type Subject = AsyncDisposable & { readonly engine: KeyedEngine };

const PLANE: CreateCollection = { vectors: { size: 2, distance: 'Euclid' }, sharding_method: 'custom', shard_number: 2 };

export function describeShardKeys(name: string, open: () => Promise<Subject>): void {
  /** Berlin and Rome have points 1 to 4 each, in other places; Oslo has none. */
  const withCities = async () => {
    const subject = await open();
    const { engine } = subject;
    await engine.createCollection('map', PLANE);
    for (const key of ['berlin', 'rome', 7]) await engine.createShardKey('map', key);
    const points = (city: string, y: number) =>
      [1, 2, 3, 4].map((id) => ({ id, vector: [id * id, y], payload: { city, even: id % 2 === 0 } }));
    await engine.upsert('map', points('Berlin', 0), undefined, 'berlin');
    await engine.upsert('map', points('Rome', 1), undefined, 'rome');
    return subject;
  };

  describe(`${name}: shard keys`, () => {
    test('points of one id live beside each other under their keys, and say them', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      expect(await engine.count('map', {})).toBe(8);
      expect(await engine.count('map', { shard_key: 'rome' })).toBe(4);
      expect(await engine.count('map', { shard_key: [7, 'rome'] })).toBe(4);
      expect(await engine.retrieve('map', { ids: [2], with_payload: ['city'], shard_key: 'rome' })).toEqual([
        { id: 2, payload: { city: 'Rome' }, shard_key: 'rome' },
      ]);
      expect((await engine.retrieve('map', { ids: [3, 2, 9, 3] })).map(({ id, shard_key: key }) => [id, key])).toEqual([
        [3, 'berlin'],
        [3, 'rome'],
        [2, 'berlin'],
        [2, 'rome'],
        [3, 'berlin'],
        [3, 'rome'],
      ]);
      const near = await engine.nearest('map', { vector: [4.1, 0.4], limit: 3 });
      expect(near.map(({ id, shard_key: key }) => [id, key])).toEqual([
        [2, 'berlin'],
        [2, 'rome'],
        [1, 'berlin'],
      ]);
      expect((await engine.nearest('map', { vector: [4.1, 0.4], limit: 1, shard_key: ['rome'] }))[0]).toMatchObject({
        id: 2,
        shard_key: 'rome',
      });
    });

    test('pages in the order of ids hold all points of their last id, and none comes twice', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      const seen: (readonly [unknown, ShardKey | undefined])[] = [];
      const lengths: number[] = [];
      for (let offset: string | number | bigint | null = null; ; ) {
        const page: Awaited<ReturnType<typeof engine.scroll>> = await engine.scroll('map', { limit: 3, offset });
        lengths.push(page.points.length);
        seen.push(...page.points.map(({ id, shard_key: key }) => [id, key] as const));
        if (page.next_page_offset === null) break;
        offset = page.next_page_offset;
      }
      expect(lengths).toEqual([4, 4]);
      expect(seen).toEqual([1, 2, 3, 4].flatMap((id) => ['berlin', 'rome'].map((key) => [id, key])));
      expect((await engine.scroll('map', { limit: 1, shard_key: 'rome' })).points).toMatchObject([{ id: 1, shard_key: 'rome' }]);
    });

    test('a write is about the points of its keys, or of all', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      const seen = { must: [{ key: 'seen', match: { value: true } }] };
      const see = { selector: { points: [1, 3] }, payload: { seen: true } };
      await engine.setPayload('map', see, 'rome');
      expect([await engine.count('map', { filter: seen }), await engine.count('map', { filter: seen, shard_key: 'rome' })]).toEqual([2, 2]);
      await engine.setPayload('map', see);
      expect(await engine.count('map', { filter: seen })).toBe(4);
      await engine.deletePayload('map', { points: [1] }, ['seen'], ['berlin', 'rome']);
      expect(await engine.count('map', { filter: seen })).toBe(2);
      await engine.clearPayload('map', { filter: seen }, 'berlin');
      expect(await engine.count('map', { filter: seen })).toBe(1);
      await engine.updateVectors('map', [{ id: 4, vector: [9, 9] }], undefined, 'rome');
      expect((await engine.nearest('map', { vector: [9, 9], limit: 1 }))[0]).toMatchObject({ id: 4, shard_key: 'rome', score: 0 });
      await engine.deletePoints('map', { points: [4] }, 'rome');
      await engine.deletePoints('map', { filter: { must: [{ key: 'even', match: { value: true } }] } }, ['berlin']);
      expect((await engine.scroll('map', {})).points.map(({ id, shard_key: key }) => `${id} ${key}`)).toEqual([
        '1 berlin',
        '1 rome',
        '2 rome',
        '3 berlin',
        '3 rome',
      ]);
      await engine.upsert('map', [{ id: 5, vector: [5, 5], payload: {} }], undefined, ['berlin', 7]);
      expect((await engine.retrieve('map', { ids: [5] })).map(({ shard_key: key }) => key)).toEqual(['berlin', 7]);
    });

    test('a key that stands in for another one does so until that exists', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      const either = { target: 'oslo', fallback: 7 };
      await engine.upsert('map', [{ id: 1, vector: [0, 0], payload: {} }], undefined, either);
      expect((await engine.retrieve('map', { ids: [1], shard_key: either }))[0]?.shard_key).toBe(7);
      await engine.createShardKey('map', 'oslo');
      expect(await engine.retrieve('map', { ids: [1], shard_key: either })).toEqual([]);
      await engine.upsert('map', [{ id: 1, vector: [0, 0], payload: {} }], undefined, either);
      expect(await engine.count('map', { shard_key: 'oslo' })).toBe(1);
    });

    test('an example is the point of the first key that has it, and no point of that id is an answer', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      const near = await engine.nearest('map', { vector: { id: 2 }, limit: 2 });
      expect(near.map(({ id, shard_key: key }) => [id, key])).toEqual([
        [1, 'berlin'],
        [1, 'rome'],
      ]);
      const romans = await engine.nearest('map', { vector: { id: 2 }, limit: 9, shard_key: 'rome' });
      expect(romans.map(({ id }) => id)).toEqual([1, 3, 4]);
    });

    test('a new key has the schema of its collection, and one that is dropped takes its points along', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      await engine.createFieldIndex('map', 'city', { type: 'keyword' });
      await engine.createShardKey('map', 'oslo');
      await engine.upsert('map', [{ id: 8, vector: [8, 8], payload: { city: 'Oslo' } }], undefined, 'oslo');
      expect(await engine.facet('map', { key: 'city' })).toEqual([
        { value: 'Berlin', count: 4 },
        { value: 'Rome', count: 4 },
        { value: 'Oslo', count: 1 },
      ]);
      expect(await engine.facet('map', { key: 'city', shard_key: 'oslo' })).toEqual([{ value: 'Oslo', count: 1 }]);
      await engine.dropShardKey('map', 'rome');
      expect(await engine.count('map', {})).toBe(5);
      await engine.createShardKey('map', 'rome');
      expect(await engine.count('map', { shard_key: 'rome' })).toBe(0);
    });

    test('keys that do not exist are refused by name, and an upsert names one', async () => {
      await using subject = await withCities();
      const { engine } = subject;
      const point = [{ id: 1, vector: [0, 0], payload: {} }];
      await refused(engine.upsert('map', point), { code: 'shard_key_required' });
      const unknown = { code: 'shard_key_not_found', details: { key: '"paris"', collection: 'map' } };
      await refused(engine.upsert('map', point, undefined, ['rome', 'paris']), unknown);
      expect(await engine.count('map', { shard_key: 'rome', filter: { must: [{ has_id: [1] }] } })).toBe(1);
      await refused(engine.count('map', { shard_key: 'paris' }), unknown);
      await refused(engine.nearest('map', { vector: [0, 0], limit: 1, shard_key: ['rome', 'paris'] }), unknown);
      await refused(engine.count('map', { shard_key: '7' }), { code: 'shard_key_not_found', details: { key: '"7"', collection: 'map' } });
      await refused(engine.dropShardKey('map', 'paris'), unknown);
      await refused(engine.createShardKey('map', 'rome'), { code: 'shard_change_refused' });
      await refused(engine.setPayload('map', { selector: { points: [1, 77] }, payload: {} }, 'rome'), { code: 'point_not_found' });
    });

    test('a collection without keys says what is wrong with a request', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('map', PLANE);
      expect(await engine.count('map', {})).toBe(0);
      expect(await engine.nearest('map', { vector: [0, 0], limit: 1 })).toEqual([]);
      await refused(engine.nearest('map', { vector: [0], limit: 1 }), {});
    });
  });
}

async function refused(promise: Promise<unknown>, error: object): Promise<void> {
  const thrown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(thrown).toBeInstanceOf(ServiceError);
  expect(thrown).toMatchObject(error);
}
