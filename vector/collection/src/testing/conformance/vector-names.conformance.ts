// SPDX-License-Identifier: Apache-2.0
/** What any engine must do when vectors are added to a collection that is in use, and removed from it. */
import { ServiceError } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import { type EngineUnderTest, untilIndexed } from './engine.conformance.ts';

const POINTS = 300;
const ROUNDS = 3;
const GRAPH = { optimizers_config: { indexing_threshold: 1 } };
const LINE = { size: 1, distance: 'Euclid' } as const;

export function describeVectorNames(name: string, open: () => Promise<EngineUnderTest>): void {
  describe(`${name}: vectors that come and go`, () => {
    test('an added vector is written to and searched; points from before have none of it', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { one: LINE } });
      await engine.upsert('a', [{ id: 1, vector: { one: [1] }, payload: { kept: true } }]);
      const added = await engine.createVector('a', 'two', { dense: { size: 2, distance: 'Euclid' } });
      expect(added).toEqual({ operation_id: 2, status: 'Completed' });
      expect((await engine.collectionInfo('a')).config).toMatchObject({
        params: { vectors: { one: LINE, two: { size: 2, distance: 'Euclid' } } },
      });
      expect(await engine.nearest('a', { vector: [0, 0], using: 'two', limit: 5 })).toEqual([]);
      await engine.upsert('a', [{ id: 2, vector: { one: [2], two: [3, 4] } }]);
      await engine.updateVectors('a', [{ id: 1, vector: { two: [0, 1] } }]);
      const near = await engine.nearest('a', { vector: [0, 0], using: 'two', limit: 5 });
      expect(near.map(({ id, score }) => [id, score])).toEqual([
        [1, 1],
        [2, 5],
      ]);
      const [first] = await engine.retrieve('a', { ids: [1], with_vector: true });
      expect(first).toEqual({ id: 1, payload: { kept: true }, vector: { one: [1], two: [0, 1] } });
      expect(await engine.count('a', { filter: { must: { has_vector: 'two' } } })).toBe(2);
    });

    test('beside the unnamed vector it is a named one, and leaves the unnamed one alone again', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: LINE });
      await engine.upsert('a', [{ id: 1, vector: [1] }]);
      await engine.createVector('a', 'two', { dense: LINE });
      await engine.upsert('a', [{ id: 2, vector: { '': [2], two: [20] } }]);
      const vectors = async () => (await engine.retrieve('a', { ids: [1, 2], with_vector: true })).map(({ vector }) => vector);
      expect(await vectors()).toEqual([[1], { '': [2], two: [20] }]);
      expect((await engine.nearest('a', { vector: [2], limit: 1 }))[0]?.id).toBe(2);
      expect((await engine.collectionInfo('a')).config).toMatchObject({ params: { vectors: { '': LINE, two: LINE } } });
      await engine.deleteVector('a', 'two');
      expect(await vectors()).toEqual([[1], [2]]);
      const { config } = await engine.collectionInfo('a');
      expect(config.params).toMatchObject({ vectors: LINE });
      expect(config).not.toHaveProperty('places');
    });

    test('a removed vector is gone from points, searches and filters, and the others stay', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { one: LINE, two: LINE, three: LINE } });
      const points = Array.from({ length: 10 }, (_, id) => ({ id, vector: { one: [id], two: [-id], three: [10 * id] } }));
      await engine.upsert('a', points);
      expect((await engine.deleteVector('a', 'two')).operation_id).toBe(2);
      await refused(engine.nearest('a', { vector: [0], using: 'two', limit: 1 }), 'vector_name_unknown');
      await refused(engine.upsert('a', [{ id: 11, vector: { two: [1] } }]), 'vector_name_unknown');
      await refused(engine.deleteVector('a', 'two'), 'vector_name_unknown');
      const [seventh] = await engine.retrieve('a', { ids: [7], with_vector: true });
      expect(seventh?.vector).toEqual({ one: [7], three: [70] });
      expect((await engine.nearest('a', { vector: [70], using: 'three', limit: 1 }))[0]?.id).toBe(7);
      await engine.upsert('a', [{ id: 7, vector: { three: [1000] } }]);
      expect((await engine.nearest('a', { vector: [990], using: 'three', limit: 1 }))[0]?.id).toBe(7);
    });

    test('the same name can be used again, with another size', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { one: LINE, two: LINE } });
      await engine.upsert(
        'a',
        Array.from({ length: 10 }, (_, id) => ({ id, vector: { one: [id], two: [id] } })),
      );
      for (const size of [2, 3, 4]) {
        await engine.deleteVector('a', 'two');
        await engine.createVector('a', 'two', { dense: { size, distance: 'Dot' } });
        expect(await engine.count('a', { filter: { must: { has_vector: 'two' } } })).toBe(0);
        const vector = Array.from({ length: size }, () => 1);
        await engine.updateVectors('a', [{ id: 3, vector: { two: vector } }]);
        expect((await engine.nearest('a', { vector, using: 'two', limit: 5 })).map(({ id, score }) => [id, score])).toEqual([[3, size]]);
      }
    });

    test('the same once more is no fault, another configuration is', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { one: LINE } });
      await engine.upsert('a', [{ id: 1, vector: { one: [1] } }]);
      expect((await engine.createVector('a', 'one', { dense: { ...LINE, datatype: 'float32', on_disk: true } })).operation_id).toBe(2);
      expect((await engine.nearest('a', { vector: [1], using: 'one', limit: 1 }))[0]?.id).toBe(1);
      for (const params of [{ ...LINE, size: 2 }, { ...LINE, distance: 'Dot' } as const, { ...LINE, datatype: 'uint8' } as const]) {
        await refused(engine.createVector('a', 'one', { dense: params }), 'vector_exists');
      }
      await refused(engine.createVector('none', 'one', { dense: LINE }), 'collection_not_found');
      await refused(engine.deleteVector('none', 'one'), 'collection_not_found');
      await refused(engine.deleteVector('a', 'constructor'), 'vector_name_unknown');
    });

    test('sparse vectors come and go in the same way', async () => {
      await using subject = await open();
      await subject.engine.createCollection('a', { vectors: { one: LINE }, sparse_vectors: { first: {} } });
      const point = (id: number, value: number) => ({ id, vector: { one: [id], words: { indices: [3, id], values: [value, 1] } } });
      for (const factor of [1, 2]) {
        const { engine } = subject;
        await engine.createVector('a', 'words', { sparse: {} });
        expect(await engine.nearest('a', { vector: { indices: [3], values: [1] }, using: 'words', limit: 5 })).toEqual([]);
        await engine.upsert('a', [point(10, factor), point(20, 3 * factor)]);
        const near = await engine.nearest('a', { vector: { indices: [3], values: [1] }, using: 'words', limit: 5 });
        expect(near.map(({ id, score }) => [id, score])).toEqual([
          [20, 3 * factor],
          [10, factor],
        ]);
        await engine.createVector('a', 'words', { sparse: { modifier: 'none' } });
        await refused(engine.createVector('a', 'words', { sparse: { modifier: 'idf' } }), 'vector_exists');
        await refused(engine.createVector('a', 'words', { dense: LINE }), 'vector_exists');
        await refused(engine.createVector('a', 'one', { sparse: {} }), 'vector_exists');
        if (factor === 1) await subject.reopen?.();
        await subject.engine.deleteVector('a', 'words');
        await refused(subject.engine.upsert('a', [point(30, 1)]), 'vector_name_unknown');
      }
    });

    test('a collection may lose its last vector and get others', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: LINE });
      await engine.upsert('a', [{ id: 1, vector: [1], payload: { kept: 1 } }]);
      await engine.deleteVector('a', '');
      expect(await engine.retrieve('a', { ids: [1], with_vector: true })).toEqual([{ id: 1, payload: { kept: 1 }, vector: {} }]);
      await engine.upsert('a', [{ id: 2, vector: {} }]);
      await engine.createVector('a', 'new', { dense: LINE });
      await engine.updateVectors('a', [{ id: 2, vector: { new: [5] } }]);
      expect((await engine.nearest('a', { vector: [0], using: 'new', limit: 5 })).map(({ id }) => id)).toEqual([2]);
    });

    test('writes and searches beside it either know the vector or say that they do not', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { one: LINE }, ...GRAPH });
      let isDone = false;
      const outcome = (work: Promise<unknown>) =>
        work.then(
          () => 'done',
          (error: unknown) => (error instanceof ServiceError ? error.code : String(error)),
        );
      const outcomes = new Set<string>();
      const writer = (async () => {
        for (let id = 0; !isDone; id++) {
          outcomes.add(await outcome(engine.upsert('a', [{ id: id % 50, vector: { one: [id], two: [id] } }])));
          await turn();
        }
      })();
      const reader = (async () => {
        while (!isDone) {
          outcomes.add(await outcome(engine.nearest('a', { vector: [1], using: 'two', limit: 5 })));
          await turn();
        }
      })();
      for (let round = 0; round < ROUNDS; round++) {
        await engine.createVector('a', 'two', { dense: LINE });
        for (let id = 0; id < 3; id++) await outcome(engine.upsert('a', [{ id: 100 + id, vector: { one: [id], two: [id] } }]));
        expect(await engine.count('a', { filter: { must: { has_vector: 'two' } } })).toBeGreaterThanOrEqual(3);
        await engine.deleteVector('a', 'two');
      }
      isDone = true;
      await Promise.all([writer, reader]);
      expect([...outcomes].sort()).toEqual(['done', 'vector_name_unknown']);
    });

    test('an added vector gets its graph, and after a restart everything is as it was', async ({ skip }) => {
      await using subject = await open();
      skip(subject.reopen === undefined, 'this engine keeps nothing');
      const vectorOf = (id: number) => [id, (id * 7) % 100];
      await subject.engine.createCollection('a', { vectors: { one: { size: 2, distance: 'Euclid' } }, ...GRAPH });
      await subject.engine.createVector('a', 'two', { dense: { size: 2, distance: 'Euclid' } });
      await subject.engine.upsert(
        'a',
        Array.from({ length: POINTS }, (_, id) => ({ id, vector: { one: vectorOf(id), two: vectorOf(POINTS - id) } })),
      );
      await untilIndexed(subject.engine, 'a', 2 * POINTS);
      await subject.engine.deleteVector('a', 'one');
      await untilIndexed(subject.engine, 'a', POINTS);
      const search = async () => (await subject.engine.nearest('a', { vector: vectorOf(5), using: 'two', limit: 3 })).map(({ id }) => id);
      expect((await search())[0]).toBe(POINTS - 5);
      const before = await search();
      await subject.reopen?.();
      await untilIndexed(subject.engine, 'a', POINTS);
      expect(await search()).toEqual(before);
      // Under the number of the vector that is gone.
      await subject.engine.createVector('a', 'three', { dense: { size: 3, distance: 'Dot' } });
      expect(await subject.engine.nearest('a', { vector: [1, 1, 1], using: 'three', limit: 3 })).toEqual([]);
      await subject.engine.updateVectors('a', [{ id: 9, vector: { three: [1, 2, 3] } }]);
      await subject.reopen?.();
      expect((await subject.engine.nearest('a', { vector: [1, 1, 1], using: 'three', limit: 3 })).map(({ id }) => id)).toEqual([9]);
      expect(await search()).toEqual(before);
    });
  });
}

/** Refusals alone would leave nobody else a turn. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

async function refused(promise: Promise<unknown>, code: string): Promise<void> {
  await expect(promise).rejects.toMatchObject({ code });
}
