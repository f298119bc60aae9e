// SPDX-License-Identifier: Apache-2.0
/** What any engine must do with vectors of which points have several, compared by MaxSim. */
import type { Distance, MultiVector, PointInput, VectorParams } from '@sextant/contracts-vector';
import { describe, expect, test } from 'vitest';
import type { EngineUnderTest } from './engine.conformance.ts';

const multi = (distance: Distance, size = 2): VectorParams => ({ size, distance, multivector_config: { comparator: 'max_sim' } });
const LINE: VectorParams = { size: 1, distance: 'Euclid' };

const POINTS: readonly PointInput[] = [
  {
    id: 1,
    vector: {
      tokens: [
        [1, 0],
        [0, 1],
      ],
      line: [1],
    },
    payload: { color: 'red' },
  },
  { id: 2, vector: { tokens: [[3, 0]], line: [2] }, payload: { color: 'green' } },
  { id: 3, vector: { line: [3] }, payload: { color: 'red' } },
];

export function describeMulti(name: string, open: () => Promise<EngineUnderTest>): void {
  const opened = async (distance: Distance) => {
    const subject = await open();
    await subject.engine.createCollection('a', { vectors: { tokens: multi(distance), line: LINE } });
    await subject.engine.upsert('a', POINTS);
    return subject;
  };

  describe(`${name}: several vectors for each point`, () => {
    test('come back as they were sent, also after a restart', async () => {
      await using subject = await opened('Dot');
      const vectors = async () => (await subject.engine.retrieve('a', { ids: [1, 2, 3], with_vector: true })).map(({ vector }) => vector);
      const expected = [
        {
          line: [1],
          tokens: [
            [1, 0],
            [0, 1],
          ],
        },
        { line: [2], tokens: [[3, 0]] },
        { line: [3] },
      ];
      expect(await vectors()).toEqual(expected);
      await subject.reopen?.();
      expect(await vectors()).toEqual(expected);
      expect(await subject.engine.retrieve('a', { ids: [2], with_payload: false, with_vector: ['tokens'] })).toEqual([
        { id: 2, vector: { tokens: [[3, 0]] } },
      ]);
      expect(await subject.engine.count('a', { filter: { must: { has_vector: 'tokens' } } })).toBe(2);
    });

    // The sum over the query's vectors of what the nearest of the point's comes to; of Euclid, the root of the sum of squares.
    test.each([
      [
        'Dot',
        [
          [1, 0],
          [0, 3],
        ],
        [
          [1, 4],
          [2, 3],
        ],
      ],
      [
        'Euclid',
        [
          [1, 0],
          [0, 2],
        ],
        [
          [1, 1],
          [2, Math.sqrt(4 + 13)],
        ],
      ],
      [
        'Manhattan',
        [
          [1, 0],
          [0, 2],
        ],
        [
          [1, 1],
          [2, 7],
        ],
      ],
      [
        'Cosine',
        [
          [5, 0],
          [0, 0.1],
        ],
        [
          [1, 2],
          [2, 1],
        ],
      ],
    ] as const)('are scored by %s', async (distance, query, expected) => {
      await using subject = await opened(distance);
      const hits = await subject.engine.nearest('a', { vector: query, using: 'tokens', limit: 5 });
      expect(hits.map(({ id, score }) => [id, score])).toEqual(expected.map(([id, score]) => [id, expect.closeTo(score, 4)]));
    });

    test('are found by one vector, by the vectors of a point, with filters, offsets and thresholds', async () => {
      await using subject = await opened('Dot');
      const { engine } = subject;
      const ids = async (request: object) =>
        (await engine.nearest('a', { vector: [1, 0], using: 'tokens', limit: 5, ...request })).map(({ id }) => id);
      expect(await ids({})).toEqual([2, 1]);
      expect(await ids({ vector: { id: 1 } })).toEqual([2]);
      expect(await ids({ filter: { must: { key: 'color', match: { value: 'red' } } } })).toEqual([1]);
      expect(await ids({ filter: { must: { has_id: [1, 3] } } })).toEqual([1]);
      expect(await ids({ offset: 1 })).toEqual([1]);
      expect(await ids({ score_threshold: 1 })).toEqual([2]);
      expect(await ids({ limit: 1, params: { exact: true } })).toEqual([2]);
    });

    test('are replaced, deleted and given to points that had none', async () => {
      await using subject = await opened('Dot');
      const { engine } = subject;
      const hits = async () =>
        (await engine.nearest('a', { vector: [[1, 0]], using: 'tokens', limit: 5 })).map(({ id, score }) => [id, score]);
      await engine.updateVectors('a', [
        {
          id: 3,
          vector: {
            tokens: [
              [9, 0],
              [1, 1],
            ],
          },
        },
      ]);
      expect(await hits()).toEqual([
        [3, 9],
        [2, 3],
        [1, 1],
      ]);
      await engine.upsert('a', [{ id: 2, vector: { tokens: [[10, 0]] } }]);
      expect(await hits()).toEqual([
        [2, 10],
        [3, 9],
        [1, 1],
      ]);
      await engine.deleteVectors('a', { points: [3] }, ['tokens']);
      await engine.deletePoints('a', { points: [1] });
      expect(await hits()).toEqual([[2, 10]]);
      expect((await engine.retrieve('a', { ids: [3], with_vector: true }))[0]?.vector).toEqual({ line: [3] });
    });

    test('rescore what a prefetch by another vector found', async () => {
      await using subject = await opened('Dot');
      const hits = await subject.engine.query('a', {
        prefetch: [{ prefetch: [], query: { kind: 'nearest', to: [0] }, using: 'line', limit: 2, filter: null }],
        query: {
          kind: 'nearest',
          to: [
            [0, 1],
            [0, 1],
          ],
        },
        using: 'tokens',
        limit: 3,
        offset: 0,
        with_payload: ['color'],
        with_vector: false,
      });
      expect(hits).toMatchObject([
        { id: 1, score: 2, payload: { color: 'red' } },
        { id: 2, score: 0, payload: { color: 'green' } },
      ]);
    });

    test('of halves and bytes are measured as they are stored', async () => {
      await using subject = await open();
      const { engine } = subject;
      const params = { half: { ...multi('Dot'), datatype: 'float16' }, byte: { ...multi('Cosine'), datatype: 'uint8' } } as const;
      await engine.createCollection('a', { vectors: params });
      await engine.upsert('a', [
        {
          id: 1,
          vector: {
            half: [[0.1, 1]],
            byte: [
              [3, 4],
              [0, 7],
            ],
          },
        },
      ]);
      const score = async (using: string, vector: MultiVector) => (await engine.nearest('a', { vector, using, limit: 1 }))[0]?.score;
      expect(await score('half', [[1, 0]])).toBe(Math.f16round(0.1));
      expect(
        await score('byte', [
          [0, 9],
          [6, 8],
        ]),
      ).toBeCloseTo(2, 5);
      await expect(
        engine.upsert('a', [
          {
            id: 2,
            vector: {
              byte: [
                [1, 2],
                [1, 300],
              ],
            },
          },
        ]),
      ).rejects.toMatchObject({ code: 'invalid_request' });
    });

    test('of another size or kind are refused, and nothing is written', async () => {
      await using subject = await opened('Dot');
      const { engine } = subject;
      const upsert = (vector: PointInput['vector']) => engine.upsert('a', [{ id: 9, vector }]);
      await expect(upsert({ tokens: [[1, 2], [1]] })).rejects.toMatchObject({ code: 'dimension_mismatch' });
      await expect(upsert({ tokens: [] })).rejects.toMatchObject({ code: 'dimension_mismatch' });
      await expect(upsert({ line: [[1]] })).rejects.toThrow(
        'vector "line": expected a dense vector, an array of numbers, got a multivector',
      );
      await expect(upsert({ tokens: { indices: [1], values: [1] } })).rejects.toThrow('vector "tokens": expected a multivector');
      await expect(engine.nearest('a', { vector: [[1]], using: 'line', limit: 1 })).rejects.toThrow('got a multivector');
      expect(await engine.count('a', {})).toBe(3);
    });

    test('are added to a collection that is in use, and removed from it', async () => {
      await using subject = await opened('Dot');
      const { engine } = subject;
      await engine.createVector('a', 'more', { dense: multi('Dot') });
      await expect(engine.createVector('a', 'more', { dense: { size: 2, distance: 'Dot' } })).rejects.toMatchObject({
        code: 'vector_exists',
      });
      await engine.updateVectors('a', [
        {
          id: 3,
          vector: {
            more: [
              [1, 1],
              [2, 2],
            ],
          },
        },
      ]);
      await engine.deleteVector('a', 'tokens');
      expect((await engine.nearest('a', { vector: [[1, 0]], using: 'more', limit: 5 })).map(({ id, score }) => [id, score])).toEqual([
        [3, 2],
      ]);
      await engine.createVector('a', 'tokens', { dense: LINE });
      await subject.reopen?.();
      expect(await subject.engine.nearest('a', { vector: [1], using: 'tokens', limit: 5 })).toEqual([]);
    });

    test('a point that is written all the while is found, once, and where it is', async () => {
      await using subject = await open();
      const { engine } = subject;
      await engine.createCollection('a', { vectors: { '': multi('Euclid') } });
      const moved = (value: number) => ({
        id: 0,
        vector: [
          [value, 0],
          [0, value],
        ],
      });
      // Enough that a search takes several turns.
      await engine.upsert(
        'a',
        Array.from({ length: 1500 }, (_, id) => ({
          id,
          vector: [
            [100 + id, 0],
            [0, 100 + id],
          ],
        })),
      );
      await engine.upsert('a', [moved(0)]);
      let isDone = false;
      const writer = (async () => {
        for (let value = 0; !isDone; value = (value + 1) % 50) await engine.upsert('a', [moved(value)]);
      })();
      for (let round = 0; round < 8; round++) {
        const hits = await engine.nearest('a', { vector: [[0, 0]], limit: 3 });
        expect(hits.map(({ id }) => id)).toEqual([0, 1, 2]);
        expect(hits[0]?.score).toBeLessThan(50);
      }
      isDone = true;
      await writer;
    });
  });
}
