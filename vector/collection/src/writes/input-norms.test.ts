// SPDX-License-Identifier: Apache-2.0
import type { InputNorms } from '@sextant/contracts-vector';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openEmbeddedEngine } from '../embedded-engine.ts';

const COSINE = { size: 2, distance: 'Cosine' } as const;
const open = (dataDirectory: string) => openEmbeddedEngine({ dataDirectory, clock: systemClock, random: seededRandom(1) });

/** By vector name: the lengths that intervals begin with, rounded, and how many vectors each has. */
function counted({ vectors }: InputNorms): object {
  return Object.fromEntries(
    Object.entries(vectors).map(([name, { intervals }]) => [name, intervals.map(({ from, written }) => [Math.round(from), written])]),
  );
}

test('the lengths of vectors that are normalised are counted as they came, and survive a restart', async () => {
  await using scratch = await temporaryDirectory();
  let engine = await open(scratch.path);
  const vectors = { a: COSINE, b: COSINE, dot: { size: 2, distance: 'Dot' }, bytes: { ...COSINE, datatype: 'uint8' } } as const;
  await engine.createCollection('c', { vectors });
  expect(await engine.inputNorms('c')).toEqual({ vectors: { a: { written: 0, intervals: [] }, b: { written: 0, intervals: [] } } });
  await engine.upsert('c', [
    { id: 1, vector: { a: [3, 4], b: [0, 64], dot: [1, 1], bytes: [1, 1] } },
    { id: 2, vector: { a: [4, 3] } },
  ]);
  await engine.updateVectors('c', [{ id: 2, vector: { a: [0, 1024] } }]);
  // Neither a refused write nor one that moves stored vectors counts.
  await expect(engine.upsert('c', [{ id: 3, vector: { a: [1, 2, 3] } }])).rejects.toThrow();
  await engine.setPayload('c', { selector: { points: [1] }, payload: { x: 1 } });
  await engine.deletePoints('c', { points: [1] });
  const expected = {
    a: [
      [5, 2],
      [1024, 1],
    ],
    b: [[64, 1]],
  };
  expect(counted(await engine.inputNorms('c'))).toEqual(expected);
  await engine.close();

  engine = await open(scratch.path);
  expect(counted(await engine.inputNorms('c'))).toEqual(expected);
  await engine.deleteVector('c', 'a');
  expect(counted(await engine.inputNorms('c'))).toEqual({ b: [[64, 1]] });
  await engine.createVector('c', 'again', { dense: COSINE });
  expect((await engine.inputNorms('c')).vectors.again).toEqual({ written: 0, intervals: [] });
  await engine.close();
});

test('what many writes at once have counted is what they wrote', async () => {
  await using scratch = await temporaryDirectory();
  const engine = await open(scratch.path);
  const lengths = fc.array(fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 8 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(lengths, async (writes) => {
      await engine.createCollection('c', { vectors: COSINE });
      await Promise.all(
        writes.map((exponents, write) =>
          engine.upsert(
            'c',
            exponents.map((exponent, place) => ({ id: 8 * write + place, vector: [2 ** exponent, 0] })),
          ),
        ),
      );
      const tally = new Map<number, number>();
      for (const exponent of writes.flat()) tally.set(2 ** exponent, (tally.get(2 ** exponent) ?? 0) + 1);
      const sorted = [...tally].sort(([one], [other]) => one - other);
      expect(counted(await engine.inputNorms('c'))).toEqual({ '': sorted });
      await engine.deleteCollection('c');
    }),
    { numRuns: 20 },
  );
  await engine.close();
});
