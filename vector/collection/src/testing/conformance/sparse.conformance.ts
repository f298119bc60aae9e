// SPDX-License-Identifier: Apache-2.0
/** What any engine must do with sparse vectors, as tests over a factory. */
import { type PointInput, ServiceError } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import type { EngineAsked, EngineUnderTest } from './engine.conformance.ts';

const POINTS: readonly PointInput[] = [
  { id: 1, vector: { words: { indices: [7, 3], values: [2, 1] } }, payload: { lang: 'de' } },
  { id: 2, vector: { words: { indices: [3], values: [4] } }, payload: { lang: 'en' } },
  { id: 3, vector: { words: { indices: [], values: [] } } },
  { id: 4, vector: {} },
];
const BOTH = { indices: [7, 3], values: [1, 1] };

export function describeSparse(name: string, open: () => Promise<EngineUnderTest>): void {
  const withWords = async () => {
    const subject = await open();
    await subject.engine.createCollection('a', { vectors: {}, sparse_vectors: { words: {}, rare: { modifier: 'idf' } } });
    await subject.engine.upsert('a', POINTS);
    return subject;
  };
  const found = async (engine: EngineAsked, request: object = {}) =>
    (await engine.nearest('a', { vector: BOTH, using: 'words', limit: 10, ...request })).map(({ id, score }) => [id, score]);

  describe(`${name}: sparse vectors`, () => {
    test('come back by ascending index; empty ones too', async () => {
      await using subject = await withWords();
      const { engine } = subject;
      expect(await engine.retrieve('a', { ids: [1, 3, 4], with_vector: true, with_payload: false })).toEqual([
        { id: 1, vector: { words: { indices: [3, 7], values: [1, 2] } } },
        { id: 3, vector: { words: { indices: [], values: [] } } },
        { id: 4, vector: {} },
      ]);
      expect(await engine.count('a', { filter: { must: { has_vector: 'words' } } })).toBe(3);
      expect(await engine.collectionInfo('a')).toMatchObject({ status: 'green', points_count: 4, indexed_vectors_count: 2 });
    });

    test('answer by the dot product, those alone that share an index, also where that is zero or less', async () => {
      await using subject = await withWords();
      const { engine } = subject;
      expect(await found(engine)).toEqual([
        [2, 4],
        [1, 3],
      ]);
      expect(await found(engine, { vector: { indices: [7], values: [0] } })).toEqual([[1, 0]]);
      expect(await found(engine, { vector: { indices: [3, 7], values: [-2, 1] } })).toEqual([
        [1, 0],
        [2, -8],
      ]);
      expect(await found(engine, { vector: { indices: [5], values: [1] } })).toEqual([]);
      expect(await found(engine, { vector: { indices: [], values: [] } })).toEqual([]);
      expect(await found(engine, { score_threshold: 3 })).toEqual([[2, 4]]);
      expect(await found(engine, { offset: 1 })).toEqual([[1, 3]]);
      expect(await found(engine, { vector: { id: 1 } })).toEqual([[2, 4]]);
    });

    test('answer within a filter', async () => {
      await using subject = await withWords();
      const { engine } = subject;
      const filter = { must: { key: 'lang', match: { value: 'de' } } };
      expect(await found(engine, { filter })).toEqual([[1, 3]]);
      await engine.createFieldIndex('a', 'lang', { type: 'keyword' });
      expect(await found(engine, { filter })).toEqual([[1, 3]]);
      expect(await found(engine, { filter: { must_not: { has_id: [1, 2] } } })).toEqual([]);
    });

    test('leave the lists when they are replaced, removed, or their point is', async () => {
      await using subject = await withWords();
      const { engine } = subject;
      await engine.updateVectors('a', [{ id: 1, vector: { words: { indices: [3], values: [9] } } }]);
      expect(await found(engine)).toEqual([
        [1, 9],
        [2, 4],
      ]);
      await engine.deleteVectors('a', { points: [1] }, ['words']);
      expect(await found(engine)).toEqual([[2, 4]]);
      await engine.setPayload('a', { selector: { points: [2] }, payload: { lang: 'fr' } });
      expect(await found(engine)).toEqual([[2, 4]]);
      await engine.deletePoints('a', { points: [2] });
      expect(await found(engine)).toEqual([]);
      expect(await engine.collectionInfo('a')).toMatchObject({ points_count: 3, indexed_vectors_count: 0 });
    });

    test('count rarity by what is there at the moment', async () => {
      await using subject = await withWords();
      const { engine } = subject;
      const rarity = (vectors: number, having: number) => expect.closeTo(Math.log(1 + (vectors - having + 0.5) / (having + 0.5)), 6);
      const rare = (indices: readonly number[]) => ({ vector: { rare: { indices, values: indices.map(() => 1) } } });
      await engine.upsert('a', [
        { id: 1, ...rare([3]) },
        { id: 2, ...rare([3, 8]) },
        { id: 3, ...rare([]) },
      ]);
      const search = { using: 'rare', vector: { indices: [8], values: [1] } };
      expect(await found(engine, search)).toEqual([[2, rarity(2, 1)]]);
      await engine.deletePoints('a', { points: [1] });
      expect(await found(engine, search)).toEqual([[2, rarity(1, 1)]]);
      await engine.upsert('a', [{ id: 5, ...rare([9]) }]);
      expect(await found(engine, { ...search, params: { idf: 'global' } })).toEqual([[2, rarity(2, 1)]]);
      expect(await found(engine, { ...search, params: { idf: { corpus: { must: { has_id: [2, 3] } } } } })).toEqual([[2, rarity(1, 1)]]);
      await engine.updateCollection('a', { sparse_vectors: { rare: { modifier: 'none' } } });
      expect(await found(engine, search)).toEqual([[2, 1]]);
    });

    test('lie beside a dense vector, which stays an array where it is alone', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { size: 1, distance: 'Dot' }, sparse_vectors: { words: {} } });
      await engine.upsert('a', [
        { id: 1, vector: { '': [1], words: { indices: [3], values: [1] } } },
        { id: 2, vector: [2] },
      ]);
      expect((await engine.scroll('a', { with_vector: true })).points.map(({ vector }) => vector)).toEqual([
        { '': [1], words: { indices: [3], values: [1] } },
        [2],
      ]);
      expect(await found(engine)).toEqual([[1, 1]]);
      await engine.updateVectors('a', [{ id: 1, vector: [5] }]);
      expect(await found(engine)).toEqual([[1, 1]]);
      expect((await engine.nearest('a', { vector: [1], limit: 1 })).map(({ id }) => id)).toEqual([1]);
    });

    test('are refused under another name, or as another kind', async () => {
      await using subject = await withWords();
      const { engine } = subject;
      const refused = async (action: Promise<unknown>, code: string) => {
        const error = await action.catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(ServiceError);
        expect((error as ServiceError).code).toBe(code);
      };
      await refused(engine.upsert('a', [{ id: 9, vector: { other: BOTH } }]), 'vector_name_unknown');
      await refused(engine.upsert('a', [{ id: 9, vector: { words: [1, 2] } }]), 'invalid_request');
      await refused(engine.nearest('a', { vector: [1], using: 'words', limit: 1 }), 'invalid_request');
      await refused(engine.nearest('a', { vector: BOTH, limit: 1 }), 'vector_name_unknown');
      await refused(engine.nearest('a', { vector: { id: 4 }, using: 'words', limit: 1 }), 'invalid_request');
      await refused(engine.updateCollection('a', { sparse_vectors: { other: {} } }), 'vector_name_unknown');
      const taken = { vectors: { words: { size: 1, distance: 'Dot' } }, sparse_vectors: { words: {} } } as const;
      await refused(engine.createCollection('b', taken), 'invalid_request');
      expect(await engine.count('a', {})).toBe(4);
    });

    test('are there after the engine was opened again', async () => {
      await using subject = await withWords();
      if (subject.reopen === undefined) return;
      await subject.engine.deletePoints('a', { points: [2] });
      await subject.reopen();
      expect(await found(subject.engine)).toEqual([[1, 3]]);
      await subject.engine.upsert('a', [{ id: 7, vector: { words: { indices: [3], values: [8] } } }]);
      expect(await found(subject.engine)).toEqual([
        [7, 8],
        [1, 3],
      ]);
    });
  });
}
