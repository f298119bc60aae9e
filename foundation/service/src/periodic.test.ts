// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { periodic } from './periodic.ts';

const settled = () => new Promise((resolve) => setImmediate(resolve));

/** Turns are counted; each answers what `answers` has for it, then that there is no more to do. */
function counted(answers: readonly (boolean | Error)[] = []) {
  const clock = manualClock();
  const errors: unknown[] = [];
  let turns = 0;
  const turn = async () => {
    const answer = answers[turns++] ?? false;
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const loop = periodic({ turn, pauseMs: 100, clock, onError: (error) => void errors.push(error) });
  return { clock, errors, loop, turns: () => turns };
}

test('turns follow each other while there is more, then after the pause', async () => {
  const { clock, loop, turns } = counted([true, true]);
  loop.wake();
  await settled();
  expect(turns()).toBe(3);
  clock.advance(99);
  await settled();
  expect(turns()).toBe(3);
  clock.advance(1);
  await settled();
  expect(turns()).toBe(4);
  await loop.stop();
});

test('a turn that fails is reported, and the next one comes after the pause', async () => {
  const { clock, errors, loop, turns } = counted([new Error('away')]);
  loop.wake();
  await settled();
  clock.advance(100);
  await settled();
  expect([errors, turns()]).toEqual([[new Error('away')], 2]);
  await loop.stop();
});

test('a loop that is woken during a turn takes another one at once, and none beside it', async () => {
  const clock = manualClock();
  let [running, most, turns] = [0, 0, 0];
  const end = Promise.withResolvers<boolean>();
  const turn = async () => {
    most = Math.max(most, ++running);
    turns++;
    await end.promise;
    running--;
    return false;
  };
  const loop = periodic({ turn, pauseMs: 100, clock, onError: () => undefined });
  loop.wake();
  loop.wake();
  loop.wake();
  expect(turns).toBe(1);
  end.resolve(false);
  await settled();
  expect([turns, most]).toEqual([2, 1]);
  await loop.stop();
});

test('no turn begins after the stop, which waits for the current one', async () => {
  const { clock, loop, turns } = counted();
  loop.wake();
  await loop.stop();
  loop.wake();
  clock.advance(1000);
  await settled();
  expect(turns()).toBe(1);
});
