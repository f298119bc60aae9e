// SPDX-License-Identifier: Apache-2.0
import { manualClock } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { LoginLimiter } from './login-limiter.ts';

function limited() {
  const clock = manualClock(1000);
  return { clock, limiter: new LoginLimiter(clock) };
}

const takeAll = (limiter: LoginLimiter, address: string, attempts: number) =>
  Array.from({ length: attempts }, () => limiter.take({ address }));

test('an address has twenty attempts, then one every three seconds', () => {
  const { clock, limiter } = limited();
  expect(takeAll(limiter, 'a', 20)).toEqual(Array(20).fill(0));
  expect(limiter.take({ address: 'a' })).toBe(3);
  clock.advance(2000);
  expect(limiter.take({ address: 'a' })).toBe(1);
  clock.advance(1000);
  expect(takeAll(limiter, 'a', 2)).toEqual([0, 3]);
});

test('one address does not slow another', () => {
  const { limiter } = limited();
  takeAll(limiter, 'a', 21);
  expect(limiter.take({ address: 'b' })).toBe(0);
});

test('one account does not slow another of the same address, and many together are slowed', () => {
  const { limiter } = limited();
  const attempts = (account: string) => Array.from({ length: 21 }, () => limiter.take({ address: 'proxy', account }) === 0);
  expect(attempts('ada').filter(Boolean)).toHaveLength(20);
  expect(attempts('bob').filter(Boolean)).toHaveLength(20);
  const guessed = Array.from({ length: 100 }, (_, index) => limiter.take({ address: 'proxy', account: `guess ${index}` }) === 0);
  expect(guessed.filter(Boolean)).toHaveLength(60);
  expect(limiter.take({ address: 'elsewhere', account: 'ada' })).toBe(0);
});

test('many addresses together are slowed too', () => {
  const { limiter } = limited();
  const refused = Array.from({ length: 300 }, (_, index) => limiter.take({ address: `address ${index}` })).filter((seconds) => seconds > 0);
  expect(refused).toHaveLength(100);
});

test('right passwords cost nothing', () => {
  const { limiter } = limited();
  for (let attempt = 0; attempt < 1000; attempt++) {
    expect(limiter.take({ address: 'a' })).toBe(0);
    limiter.release({ address: 'a' });
  }
});

test('a full bucket does not overflow', () => {
  const { clock, limiter } = limited();
  limiter.release({ address: 'a' });
  clock.advance(3_600_000);
  expect(takeAll(limiter, 'a', 21).filter((seconds) => seconds > 0)).toHaveLength(1);
});

test('an attacker with ever new addresses stays slowed when old ones are forgotten', () => {
  const { clock, limiter } = limited();
  let granted = 0;
  for (let attempt = 0; attempt < 30_000; attempt++) {
    if (limiter.take({ address: `address ${attempt}` }) === 0) granted++;
    clock.advance(2);
  }
  // One minute: the two hundred of the start, and two hundred more.
  expect(granted).toBeLessThanOrEqual(400);
});
