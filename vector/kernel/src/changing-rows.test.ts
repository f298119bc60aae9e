// SPDX-License-Identifier: Apache-2.0
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf } from '@sextant/foundation-testing';
import { afterAll, expect, test } from 'vitest';
import { HammerThreads } from './hammer-threads.ts';
import { attachIndexer, createVectorSpace } from './index.ts';
import type { Hammer } from './threads.worker.ts';
import type { Quantization } from './vector-space.ts';

const dimension = 128;
const live = 1500;
/** More rows than are in use while codes are learned, written and tried. */
const rowsForEach = 8;
/** Chance decides how the two threads overlap. */
const spaces = roundsOf({ quick: 2, long: 8 });

const threads = new HammerThreads();
afterAll(() => threads.end());

const random = seededRandom(1);
const vectors = Array.from({ length: live }, () => Float32Array.from({ length: dimension }, (_, i) => random.next() / (1 + (i >> 4))));

/**
 * Codes are tried by one thread while another moves each vector on to its next row. All rows are below the bound of the rows whose codes
 * are written.
 */
async function codesOfMoving(quantization: Quantization) {
  const space = createVectorSpace({ dimension, metric: 'euclid', m: 8, efConstruct: 32, seed: 1, quantization });
  vectors.forEach((vector, i) => {
    space.put(i * rowsForEach, vector, i);
  });
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const hammer: Hammer = { role: 'indexer', handle: space.handle, generations: new Int32Array(), stop, dimension, seed: 1 };
  const [report] = await threads.start([hammer]);

  const isUndecided = () => space.codes === 'awaited' || space.codes === 'learning';
  for (let step = 0; step < rowsForEach - 1; step++) {
    for (const [i, vector] of vectors.entries()) {
      if (!isUndecided()) break;
      const from = i * rowsForEach + step;
      space.remove(from);
      space.put(from + 1, vector, from);
    }
  }
  while (isUndecided() && Atomics.load(stop, 0) === 0) Atomics.wait(stop, 0, 0, 1);
  const { codes } = space;
  Atomics.store(stop, 0, 1);
  expect(await report).toMatchObject({ kind: 'indexer' });
  return codes;
}

test.each(['int8', 'reduced', 'product-x4', 'binary'] as const)(
  '[K23] codes of kind %s are tried on rows that stay, while others come and go',
  async (quantization) => {
    for (let i = 0; i < spaces; i++) expect(await codesOfMoving(quantization)).toBe('in use');
  },
);

test.each(['int8', 'reduced', 'product-x4', 'binary'] as const)(
  '[K23] codes of kind %s are learned and tried where no row at an equal distance from the others is live',
  (quantization) => {
    const space = createVectorSpace({ dimension, metric: 'euclid', m: 8, efConstruct: 32, seed: 1, quantization });
    const indexer = attachIndexer(space.handle);
    vectors.forEach((vector, i) => {
      space.put(i * rowsForEach + rowsForEach - 1, vector, i);
    });
    while (indexer.link(500) > 0 || indexer.isCalibrating) indexer.reclaim();
    expect(space.codes).toBe('in use');
  },
);
