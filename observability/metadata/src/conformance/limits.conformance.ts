// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { Fixture } from './engines.conformance.ts';

const WINDOW_MS = 60_000;

export function limitsSuite({ metadata, clock }: Fixture): void {
  const limits = () => metadata().platform.spentTimes;

  test('however many take at once, a key gives what its window holds, and the rest as time comes back', async () => {
    const take = () => limits().take([['key', 3000]], WINDOW_MS);
    const waits = await Promise.all(Array.from({ length: 25 }, take));
    expect(waits.filter((waitMs) => waitMs === 0)).toHaveLength(20);
    expect(waits.filter((waitMs) => waitMs > 0)).toEqual(Array(5).fill(3000));
    clock.advance(2000);
    expect(await take()).toBe(1000);
    clock.advance(1000);
    expect([await take(), await take()]).toEqual([0, 3000]);
    await limits().release([['key', 3000]]);
    expect(await take()).toBe(0);
  });

  test('where one key has none left, none is taken of the others', async () => {
    const both = [
      ['scarce', WINDOW_MS],
      ['plenty', 1000],
    ] as const;
    expect([await limits().take(both, WINDOW_MS), await limits().take(both, WINDOW_MS)]).toEqual([0, WINDOW_MS]);
    const plenty = await Promise.all(Array.from({ length: 60 }, () => limits().take([['plenty', 1000]], WINDOW_MS)));
    expect(plenty.filter((waitMs) => waitMs === 0)).toHaveLength(59);
  });

  test('what has come back is forgotten, and what is spent is not', async () => {
    await limits().take([['forgotten', WINDOW_MS]], WINDOW_MS);
    await limits().deletePast();
    expect(await limits().take([['forgotten', 1]], WINDOW_MS)).toBe(1);
    clock.advance(WINDOW_MS + 1);
    await limits().deletePast();
    expect(await limits().take([['forgotten', WINDOW_MS]], WINDOW_MS)).toBe(0);
  });
}
