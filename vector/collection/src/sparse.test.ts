import type { PointInput } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from './embedded-engine.ts';

const open = async () => {
  const scratch = await temporaryDirectory();
  const engine = await openEmbeddedEngine({ dataDirectory: scratch.path, clock: systemClock, random: seededRandom(1) });
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine.close();
      await scratch[Symbol.asyncDispose]();
    },
  };
};

const POINTS: readonly PointInput[] = [
  { id: 1, vector: { text: { indices: [7, 3], values: [2, 1] } }, payload: { lang: 'de' } },
  { id: 2, vector: { text: { indices: [3], values: [4] } }, payload: { lang: 'en' } },
  { id: 3, vector: { text: { indices: [], values: [] } } },
  { id: 4, vector: {} },
];

test('a collection may have sparse vectors alone', async () => {
  await using subject = await open();
  const { engine } = subject;
  await engine.createCollection('a', { vectors: {}, sparse_vectors: { text: { modifier: 'idf' } } });
  await engine.upsert('a', POINTS);
  expect(await engine.retrieve('a', { ids: [1, 4], with_vector: true, with_payload: false })).toEqual([
    { id: 1, vector: { text: { indices: [3, 7], values: [1, 2] } } },
    { id: 4, vector: {} },
  ]);
  const hits = await engine.nearest('a', { vector: { indices: [7, 3], values: [1, 1] }, using: 'text', limit: 10 });
  // N = 2, n(3) = 2, n(7) = 1
  const [both, one] = [Math.log(1 + 0.5 / 2.5), Math.log(1 + 1.5 / 1.5)];
  expect(hits).toEqual([
    { id: 1, version: 1, score: expect.closeTo(both + 2 * one, 6) },
    { id: 2, version: 1, score: expect.closeTo(4 * both, 6) },
  ]);
  expect(await engine.count('a', { filter: { must: { has_vector: 'text' } } })).toBe(3);
});
