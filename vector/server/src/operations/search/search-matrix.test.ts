// SPDX-License-Identifier: Apache-2.0
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Distance, MatrixOffsets, MatrixPair } from '@sextant/contracts-vector';
import { manualClock, seededRandom, systemClock } from '@sextant/foundation-std';
import { type Engine, openEmbeddedEngine } from '@sextant/vector-collection';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Input, ReadContext } from '../operation.ts';
import type { BatchPart } from './batch.ts';
import { answerForOther } from './help.ts';
import { searchMatrixOffsets, searchMatrixPairs } from './search-matrix.ts';

const COUNT = 60;
const SIZE = 3;
/** Of the points, those that have the second vector. */
const WITH_SIDE = 20;

const dataDirectory = mkdtempSync(join(tmpdir(), 'sextant-matrix-'));
let engine: Engine;
const random = seededRandom(5);
const vector = () => Array.from({ length: SIZE }, () => Math.fround(random.next() * 2 - 1));
const points = Array.from({ length: COUNT }, (_, id) => ({
  id,
  vector: { main: vector(), ...(id < WITH_SIDE ? { side: vector() } : {}) },
  payload: { parity: id % 2 },
}));

beforeAll(async () => {
  engine = await openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1) });
  const params = (distance: Distance) => ({ size: SIZE, distance });
  await engine.createCollection('points', { vectors: { main: params('Euclid'), side: params('Dot') } });
  await engine.upsert('points', points);
});

afterAll(async () => {
  await engine.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});

type Body = { sample?: number; limit?: number; using?: string; filter?: object };
const input = (body: Body | undefined) => ({ params: { collection_name: 'points' }, body }) as unknown as Input<never>;
const pairsOf = async (body?: Body, context: ReadContext = { engine, clock: systemClock }) =>
  ((await searchMatrixPairs.run(context, input(body))) as { pairs: readonly MatrixPair[] }).pairs;
const offsetsOf = async (body?: Body) => (await searchMatrixOffsets.run({ engine, clock: systemClock }, input(body))) as MatrixOffsets;

type Space = 'main' | 'side';

/** The nearest first, among some points. */
function naiveRow(id: number, among: readonly number[], using: Space, limit: number): readonly number[] {
  const at = (other: number): readonly number[] => points[other]?.vector[using] ?? [];
  const sum = (other: number, each: (a: number, b: number) => number) =>
    at(id).reduce((total, value, index) => total + each(value, at(other)[index] ?? 0), 0);
  const distance = (other: number) => (using === 'main' ? sum(other, (a, b) => (a - b) ** 2) : -sum(other, (a, b) => a * b));
  return among
    .filter((other) => other !== id)
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, limit);
}

const rowsOf = (pairs: readonly MatrixPair[]) => Map.groupBy(pairs, ({ a }) => Number(a));

describe('a distance matrix', () => {
  test.each([
    ['all points', { sample: 100, limit: 4, using: 'main' }, () => true],
    [
      'those that match a filter',
      { sample: 100, limit: 3, using: 'main', filter: { must: { key: 'parity', match: { value: 1 } } } },
      (id: number) => id % 2 === 1,
    ],
    ['those that have the vector', { sample: 100, limit: 2, using: 'side' }, (id: number) => id < WITH_SIDE],
  ] as const)('of %s has the nearest of each', async (_name, body, isMeant) => {
    const meant = points.map(({ id }) => id).filter(isMeant);
    const rows = rowsOf(await pairsOf(body));
    expect(new Set(rows.keys())).toEqual(new Set(meant));
    for (const [id, row] of rows)
      expect(
        row.map(({ b }) => b),
        `row ${id}`,
      ).toEqual(naiveRow(id, meant, body.using, body.limit));
  });

  test('of a sample stays within it, and another sample is drawn the next time', async () => {
    const rows = rowsOf(await pairsOf({ using: 'main' }));
    const sample = [...rows.keys()];
    expect(sample).toHaveLength(10);
    for (const [id, row] of rows) expect(row.map(({ b }) => b)).toEqual(naiveRow(id, sample, 'main', 3));
    expect(new Set(rowsOf(await pairsOf({ using: 'main' })).keys())).not.toEqual(new Set(sample));
  });

  test('as offsets has the same pairs', async () => {
    const { offsets_row: rows, offsets_col: columns, scores, ids } = await offsetsOf({ sample: 100, limit: 4, using: 'main' });
    const keyed = (pairs: readonly MatrixPair[]) => new Map(pairs.map(({ a, b, score }) => [`${a} ${b}`, score]));
    const pairs = rows.map((row, at) => ({ a: ids[row] ?? -1, b: ids[columns[at] ?? -1] ?? -1, score: scores[at] ?? null }));
    expect(keyed(pairs)).toEqual(keyed(await pairsOf({ sample: 100, limit: 4, using: 'main' })));
    expect(rows).toEqual([...rows].sort((a, b) => a - b));
  });

  test('of fewer than two points is empty', async () => {
    const body = { using: 'main', filter: { must: { has_id: [3] } } };
    expect(await pairsOf(body)).toEqual([]);
    expect(await offsetsOf(body)).toEqual({ offsets_row: [], offsets_col: [], scores: [], ids: [] });
  });

  test('of a vector that there is not is refused', async () => {
    await expect(pairsOf({ using: 'none' })).rejects.toMatchObject({ code: 'vector_name_unknown' });
    await expect(pairsOf()).rejects.toMatchObject({ code: 'vector_name_unknown' });
  });

  test('is shared with other threads', async () => {
    const clock = manualClock();
    let shared = 0;
    const slow = {
      ...engine,
      neighboursAmong: (...request: Parameters<Engine['neighboursAmong']>) => {
        clock.advance(1);
        return engine.neighboursAmong(...request);
      },
    };
    const helper = (part: BatchPart) => {
      shared += part.searches.length;
      return answerForOther(slow, structuredClone(part));
    };
    const body = { sample: 100, limit: 4, using: 'main' };
    const bySource = (pairs: readonly MatrixPair[]) => new Map([...rowsOf(pairs)].sort(([a], [b]) => a - b));
    expect(bySource(await pairsOf(body, { engine: slow, clock, helpers: [helper] }))).toEqual(bySource(await pairsOf(body)));
    expect(shared).toBeGreaterThan(5);
  });

  test('leaves out the row of a point that is deleted meanwhile', async () => {
    const forgetful = {
      ...engine,
      sample: async (...request: Parameters<Engine['sample']>) => [...(await engine.sample(...request)), { id: 999 }],
    };
    const rows = rowsOf(await pairsOf({ sample: 100, limit: 1, using: 'main' }, { engine: forgetful, clock: systemClock }));
    expect([rows.size, rows.has(999)]).toEqual([COUNT, false]);
  });
});
