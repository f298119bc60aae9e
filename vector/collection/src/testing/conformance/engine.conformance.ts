// SPDX-License-Identifier: Apache-2.0
/**
 * What any engine must do, as tests over a factory. A second engine runs the same suite.
 * `reopen` closes an engine and opens it again over the same data; engines that keep nothing leave it out.
 */
import { type CreateCollection, type Distance, type PointInput, ServiceError, type VectorParams } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import type { Engine, SnapshotReads, SnapshotWrites } from '../../engine.ts';
import type { CoreEngine } from '../naive-engine/core-engine.ts';

/** Snapshots have tests of their own. */
export type EngineAsked = Omit<Engine, keyof (SnapshotReads & SnapshotWrites)>;

export type EngineUnderTest<Tested = EngineAsked> = AsyncDisposable & { engine: Tested; readonly reopen?: () => Promise<void> };

/** How the vectors of the suite's collections are kept; what a test says holds for each. */
export type VectorForm = Pick<VectorParams, 'datatype' | 'on_disk'>;

const SQUARE: readonly PointInput[] = [
  { id: 1, vector: [0, 0], payload: { city: 'Berlin', rank: 3 } },
  { id: 2, vector: [1, 0], payload: { city: 'London', rank: 1 } },
  { id: 3, vector: [0, 2], payload: { city: 'Berlin', rank: 2 } },
  { id: '11111111-2222-4333-8444-555555555555', vector: [3, 3], payload: {} },
];

/** As few points as a graph is built for when each takes two bytes; four of them have a value in common, and a tenth another one. */
const MANY = 600;

export function describeEngine(name: string, open: () => Promise<EngineUnderTest<CoreEngine>>, form: VectorForm = {}): void {
  const space = (size: number, distance: Distance): VectorParams => ({ size, distance, ...form });
  const PLANE: CreateCollection = { vectors: space(2, 'Euclid') };
  const withSquare = async () => {
    const subject = await open();
    await subject.engine.createCollection('square', PLANE);
    await subject.engine.upsert('square', SQUARE);
    return subject;
  };

  const isPlain = Object.keys(form).length === 0;

  // How vectors are kept says nothing of a collection's configuration, of ids and payloads, and of fields.
  describe.runIf(isPlain)(`${name}: collections`, () => {
    test('a created collection is listed, exists and says how it was made', async () => {
      await using subject = await open();
      const { engine } = subject;
      expect(await engine.createCollection('a', { ...PLANE, metadata: { team: 'x' } })).toBe(true);
      expect(await engine.listCollections()).toEqual(['a']);
      expect(await engine.collectionExists('a')).toBe(true);
      expect(await engine.collectionExists('b')).toBe(false);
      const info = await engine.collectionInfo('a');
      expect(info).toMatchObject({ status: 'green', optimizer_status: 'ok', points_count: 0, payload_schema: {} });
      expect(info.config).toMatchObject({
        params: { vectors: { size: 2, distance: 'Euclid' } },
        hnsw_config: { m: 16, ef_construct: 100, full_scan_threshold: 10_000 },
        optimizer_config: { deleted_threshold: 0.2, indexing_threshold: 10_000 },
        metadata: { team: 'x' },
      });
    });

    test('a name can be taken once', async () => {
      await using subject = await open();
      await subject.engine.createCollection('a', PLANE);
      await refused(subject.engine.createCollection('a', PLANE), 'collection_exists');
    });

    test('a deleted collection is gone and its name is free', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      expect(await engine.deleteCollection('square')).toBe(true);
      expect(await engine.deleteCollection('square')).toBe(false);
      await refused(engine.collectionInfo('square'), 'collection_not_found');
      await engine.createCollection('square', PLANE);
      expect(await engine.count('square', {})).toBe(0);
    });

    test('an update keeps what it does not name and removes metadata by null', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { ...PLANE, metadata: { keep: 1, drop: 2 } });
      await engine.updateCollection('a', { optimizers_config: { indexing_threshold: 5 }, metadata: { drop: null, more: 3 } });
      expect((await engine.collectionInfo('a')).config).toMatchObject({
        optimizer_config: { indexing_threshold: 5, deleted_threshold: 0.2 },
        metadata: { keep: 1, more: 3 },
      });
      expect((await engine.collectionInfo('a')).config.metadata).not.toHaveProperty('drop');
    });

    test('every operation on an unknown collection says so', async () => {
      await using subject = await open();
      const { engine } = subject;
      await refused(engine.upsert('none', []), 'collection_not_found');
      await refused(engine.nearest('none', { vector: [1], limit: 1 }), 'collection_not_found');
      await refused(engine.scroll('none', {}), 'collection_not_found');
      await refused(engine.updateCollection('none', {}), 'collection_not_found');
      await refused(engine.createFieldIndex('none', 'a', { type: 'keyword' }), 'collection_not_found');
    });
  });

  describe(`${name}: points`, () => {
    test('what is upserted is read back, in the order of the ids', async () => {
      await using subject = await withSquare();
      const { points, next_page_offset } = await subject.engine.scroll('square', { with_vector: true });
      expect(points.map(({ id }) => id)).toEqual([1, 2, 3, '11111111-2222-4333-8444-555555555555']);
      expect(points[1]).toEqual({ id: 2, payload: { city: 'London', rank: 1 }, vector: [1, 0] });
      expect(next_page_offset).toBeNull();
    });

    test.runIf(isPlain)('operations are numbered one after the other', async () => {
      await using subject = await open();
      await subject.engine.createCollection('a', PLANE);
      const first = await subject.engine.upsert('a', SQUARE);
      const second = await subject.engine.deletePoints('a', { points: [1] });
      expect(first.status).toBe('Completed');
      expect(second.operation_id).toBe(first.operation_id + 1);
    });

    test('an upsert replaces the whole point', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      await engine.upsert('square', [{ id: 1, vector: [9, 9] }]);
      expect(await engine.retrieve('square', { ids: [1], with_vector: true })).toEqual([{ id: 1, payload: {}, vector: [9, 9] }]);
      expect(await engine.count('square', {})).toBe(4);
      expect((await engine.nearest('square', { vector: [9, 9], limit: 1 })).map(({ id }) => id)).toEqual([1]);
    });

    test.runIf(isPlain)('ids of the whole unsigned 64-bit range are exact', async () => {
      await using subject = await withSquare();
      const ids = [9007199254740993n, 18446744073709551615n];
      await subject.engine.upsert(
        'square',
        ids.map((id) => ({ id, vector: [7, 7] })),
      );
      expect((await subject.engine.retrieve('square', { ids })).map(({ id }) => id)).toEqual(ids);
      expect((await subject.engine.scroll('square', { offset: 9007199254740992n, limit: 1 })).next_page_offset).toBe(18446744073709551615n);
    });

    test.runIf(isPlain)('pages follow each other without gap or repetition', async () => {
      await using subject = await withSquare();
      const seen: unknown[] = [];
      let offset: PointInput['id'] | null = 0;
      while (offset !== null) {
        const page = await subject.engine.scroll('square', { limit: 1, offset });
        seen.push(...page.points.map(({ id }) => id));
        offset = page.next_page_offset;
      }
      expect(seen).toEqual(SQUARE.map(({ id }) => id));
    });

    test('a wrong dimension or name of a vector refuses the whole upsert', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      const error = await refused(
        engine.upsert('square', [
          { id: 8, vector: [1, 1] },
          { id: 9, vector: [1] },
        ]),
        'dimension_mismatch',
      );
      expect(error.message).toBe('Dimension mismatch for vector: expected 2, got 1');
      await refused(engine.upsert('square', [{ id: 8, vector: { other: [1, 1] } }]), 'vector_name_unknown');
      expect(await engine.count('square', {})).toBe(4);
    });

    test('points are deleted by id and by filter; unknown ids are gone already', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      await engine.deletePoints('square', { points: [2, 77] });
      await engine.deletePoints('square', { filter: { must: { key: 'rank', range: { gte: 3 } } } });
      expect((await engine.scroll('square', {})).points.map(({ id }) => id)).toEqual([3, '11111111-2222-4333-8444-555555555555']);
      expect(await engine.nearest('square', { vector: [0, 0], limit: 9 })).toHaveLength(2);
    });

    test('vectors are updated and removed without touching the payload', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { x: space(1, 'Dot'), y: space(2, 'Dot') } });
      await engine.upsert('a', [{ id: 1, vector: { x: [1], y: [1, 2] }, payload: { k: 'v' } }]);
      await engine.updateVectors('a', [{ id: 1, vector: { x: [5] } }]);
      expect(await engine.retrieve('a', { ids: [1], with_vector: true })).toEqual([
        { id: 1, payload: { k: 'v' }, vector: { x: [5], y: [1, 2] } },
      ]);
      await engine.deleteVectors('a', { points: [1] }, ['y']);
      expect(await engine.retrieve('a', { ids: [1], with_vector: true })).toEqual([{ id: 1, payload: { k: 'v' }, vector: { x: [5] } }]);
      expect(await engine.nearest('a', { vector: [1, 1], using: 'y', limit: 5 })).toEqual([]);
      await refused(engine.updateVectors('a', [{ id: 2, vector: { x: [5] } }]), 'point_not_found');
    });

    test.runIf(isPlain)('payload is merged, replaced, trimmed and cleared', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      const payload = async () => (await engine.retrieve('square', { ids: [1] }))[0]?.payload;
      await engine.setPayload('square', { selector: { points: [1] }, payload: { city: null, nested: { a: 1 } } });
      expect(await payload()).toEqual({ rank: 3, nested: { a: 1 } });
      await engine.setPayload('square', { selector: { points: [1] }, payload: { b: 2 }, key: 'nested' });
      expect(await payload()).toEqual({ rank: 3, nested: { a: 1, b: 2 } });
      await engine.deletePayload('square', { points: [1] }, ['nested.a']);
      expect(await payload()).toEqual({ rank: 3, nested: { b: 2 } });
      await engine.overwritePayload('square', { selector: { filter: { must: { has_id: [1] } } }, payload: { only: true } });
      expect(await payload()).toEqual({ only: true });
      await engine.clearPayload('square', { points: [1] });
      expect(await payload()).toEqual({});
      await refused(engine.setPayload('square', { selector: { points: [1, 99] }, payload: { x: 1 } }), 'point_not_found');
      expect(await payload()).toEqual({});
    });

    test.runIf(isPlain)('integers beyond 2^53 in a payload are exact', async () => {
      await using subject = await withSquare();
      await subject.engine.setPayload('square', { selector: { points: [1] }, payload: { big: 9223372036854775807n } });
      expect((await subject.engine.retrieve('square', { ids: [1], with_payload: ['big'] }))[0]?.payload).toEqual({
        big: 9223372036854775807n,
      });
    });
  });

  describe(`${name}: search`, () => {
    test.each([
      ['Euclid', [0, 0, 1, 2, Math.fround(Math.sqrt(18))]],
      ['Manhattan', [0, 0, 1, 2, 6]],
    ] as const)('%s gives the true distance, nearest first', async (distance, [, ...expected]) => {
      await using subject = await open();
      await subject.engine.createCollection('a', { vectors: space(2, distance) });
      await subject.engine.upsert('a', SQUARE);
      const hits = await subject.engine.nearest('a', { vector: [0, 0], limit: 10 });
      expect(hits.map(({ score }) => score)).toEqual(expected);
      expect(hits[0]).toMatchObject({ id: 1, version: 1 });
      expect(hits[0]).not.toHaveProperty('payload');
    });

    test('Dot and Cosine give the similarity, largest first', async () => {
      await using subject = await open();
      const { engine } = subject;
      for (const distance of ['Dot', 'Cosine'] as const) {
        await engine.createCollection(distance, { vectors: space(2, distance) });
        await engine.upsert(distance, SQUARE);
      }
      expect((await engine.nearest('Dot', { vector: [1, 1], limit: 2 })).map(({ id, score }) => [id, score])).toEqual([
        ['11111111-2222-4333-8444-555555555555', 6],
        [3, 2],
      ]);
      const [best] = await engine.nearest('Cosine', { vector: [5, 5], limit: 1, with_vector: true });
      expect(best?.id).toBe('11111111-2222-4333-8444-555555555555');
      expect(best?.score).toBeCloseTo(1, form.datatype === 'float16' ? 3 : 6);
      // Bytes cannot be normalised.
      const half = form.datatype === 'float16' ? Math.f16round(Math.SQRT1_2) : Math.fround(Math.SQRT1_2);
      expect(best?.vector).toEqual(form.datatype === 'uint8' ? [3, 3] : [half, half]);
    });

    test('offset, limit and the strict threshold cut the same list', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      const ids = async (request: object) =>
        (await engine.nearest('square', { vector: [0, 0], limit: 10, ...request })).map(({ id }) => id);
      expect(await ids({ limit: 2, offset: 1 })).toEqual([2, 3]);
      expect(await ids({ score_threshold: 2 })).toEqual([1, 2]);
      expect(await ids({ offset: 9 })).toEqual([]);
    });

    test('a stored point as query is no answer of its own', async () => {
      await using subject = await withSquare();
      expect((await subject.engine.nearest('square', { vector: { id: 1 }, limit: 1 })).map(({ id }) => id)).toEqual([2]);
      await refused(subject.engine.nearest('square', { vector: { id: 99 }, limit: 1 }), 'point_not_found');
    });

    test('a filter limits the answers, with and without an index', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      const request = { vector: [0, 0], limit: 5, filter: { must: { key: 'city', match: { value: 'Berlin' } } } };
      const without = await engine.nearest('square', request);
      await engine.createFieldIndex('square', 'city', { type: 'keyword' });
      expect(without.map(({ id }) => id)).toEqual([1, 3]);
      expect(await engine.nearest('square', request)).toEqual(without);
      expect(await engine.count('square', { filter: request.filter })).toBe(2);
      await refused(engine.nearest('square', { vector: [0], limit: 1 }), 'dimension_mismatch');
    });

    test('always finds as many as there are, filtered or not, in the graph or not', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('many', { ...PLANE, optimizers_config: { indexing_threshold: 1 } });
      const points = Array.from({ length: MANY }, (_, id) => ({
        id,
        vector: [128 + Math.round(100 * Math.cos(id)), 128 + Math.round(100 * Math.sin(id * 1.7))],
        payload: { tenth: id % 10, rare: id % (MANY / 4) },
      }));
      await engine.upsert('many', points);
      for (let round = 0; round < 3; round++) {
        expect(await engine.nearest('many', { vector: [158, 158], limit: 50 })).toHaveLength(50);
        const rare = await engine.nearest('many', {
          vector: [158, 158],
          limit: 10,
          filter: { must: { key: 'rare', match: { value: 7 } } },
        });
        expect(new Set(rare.map(({ id }) => id))).toEqual(new Set([7, 157, 307, 457]));
        const tenth = await engine.nearest('many', {
          vector: [128, 128],
          limit: 20,
          filter: { must: { key: 'tenth', match: { value: 3 } } },
        });
        expect(tenth).toHaveLength(20);
        if (round === 0) await untilIndexed(engine, 'many', MANY);
        if (round === 1) for (const field of ['rare', 'tenth']) await engine.createFieldIndex('many', field, { type: 'integer' });
      }
    });
  });

  describe.runIf(isPlain)(`${name}: fields`, () => {
    test('order_by, facet and counts come from a field index', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      await refused(engine.scroll('square', { order_by: 'rank' }), 'range_index_required');
      await refused(engine.facet('square', { key: 'city' }), 'index_required');
      await engine.createFieldIndex('square', 'rank', { type: 'integer' });
      await engine.createFieldIndex('square', 'city', { type: 'keyword' });
      const ordered = await engine.scroll('square', { order_by: { key: 'rank', direction: 'desc' }, with_payload: false });
      expect(ordered).toEqual({
        points: [
          { id: 1, order_value: 3 },
          { id: 3, order_value: 2 },
          { id: 2, order_value: 1 },
        ],
        next_page_offset: null,
      });
      expect(await engine.facet('square', { key: 'city' })).toEqual([
        { value: 'Berlin', count: 2 },
        { value: 'London', count: 1 },
      ]);
      expect((await engine.collectionInfo('square')).payload_schema).toMatchObject({
        city: { data_type: 'keyword', points: 3 },
        rank: { data_type: 'integer', points: 3 },
      });
      await engine.deleteFieldIndex('square', 'rank');
      await refused(engine.scroll('square', { order_by: 'rank' }), 'range_index_required');
    });

    test('an index follows every change of the points', async () => {
      await using subject = await withSquare();
      const { engine } = subject;
      await engine.createFieldIndex('square', 'city', { type: 'keyword' });
      await engine.setPayload('square', { selector: { points: [2] }, payload: { city: 'Berlin' } });
      await engine.deletePoints('square', { points: [1] });
      await engine.updateVectors('square', [{ id: 3, vector: [8, 8] }]);
      await engine.upsert('square', [{ id: 4, vector: [1, 1], payload: { city: ['Berlin', 'Rome'] } }]);
      expect(await engine.facet('square', { key: 'city' })).toEqual([
        { value: 'Berlin', count: 3 },
        { value: 'Rome', count: 1 },
      ]);
    });

    test('a sample has each point at most once', async () => {
      await using subject = await withSquare();
      const all = await subject.engine.sample('square', { limit: 10 });
      expect(new Set(all.map(({ id }) => id)).size).toBe(4);
      expect(await subject.engine.sample('square', { limit: 2 })).toHaveLength(2);
    });
  });

  test(`${name}: everything is there after a restart`, async ({ skip }) => {
    await using subject = await withSquare();
    skip(subject.reopen === undefined, 'this engine keeps nothing');
    await subject.engine.createFieldIndex('square', 'city', { type: 'keyword' });
    await subject.engine.deletePoints('square', { points: [3] });
    const before = await subject.engine.scroll('square', { with_vector: true });
    await subject.reopen?.();
    const { engine } = subject;
    expect(await engine.scroll('square', { with_vector: true })).toEqual(before);
    expect(await engine.facet('square', { key: 'city' })).toHaveLength(2);
    expect((await engine.nearest('square', { vector: [0, 2], limit: 4 })).map(({ id }) => id)).not.toContain(3);
    expect((await engine.upsert('square', [{ id: 3, vector: [0, 2] }])).operation_id).toBe(4);
  });
}

async function refused(promise: Promise<unknown>, code: string): Promise<ServiceError> {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({ code });
  return error as ServiceError;
}

/** Waits until the graph has every point; an engine that needs none says so by a green status. */
export async function untilIndexed(engine: Pick<Engine, 'collectionInfo'>, collection: string, points: number): Promise<void> {
  for (let turn = 0; turn < 10_000; turn++) {
    const info = await engine.collectionInfo(collection);
    if (info.status === 'green' && info.indexed_vectors_count === points) return;
    await new Promise<void>((resolve) => setTimeout(resolve, 2));
  }
  throw new Error('the graph was not built');
}
