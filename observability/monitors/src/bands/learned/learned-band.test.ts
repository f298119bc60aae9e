// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { pastPointsBy } from '../past-points.ts';
import { createLearnedBand } from './learned-band.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-03-02T09:00:00.000Z');
const VALUES = [100, 103, 98, 101, 99, 102];

function bandAfter(values: readonly number[], { everyMs, laterMs = everyMs }: { readonly everyMs: number; readonly laterMs?: number }) {
  const history = values.map((value, index) => ({ timeMs: START_MS + index * everyMs, value, isExcluded: false }));
  const pastPoints = pastPointsBy({ strategy: 'IGNORE', limit: 1000 });
  const model = createLearnedBand({ familySize: 1 }, { pastPoints, latestPoints: undefined });
  return model.bandAt(history, (history.at(-1)?.timeMs ?? 0) + laterMs);
}

test('scans that somebody makes by hand within a minute teach a band', () => {
  expect(bandAfter(VALUES, { everyMs: 10_000 })).toMatchObject({ lower: expect.any(Number), upper: expect.any(Number) });
  expect(bandAfter(VALUES, { everyMs: 10_000, laterMs: HOUR_MS / 2 })).toBeDefined();
});

test('an hour that the first day has not come to is not judged, unless all values are the same', () => {
  expect(bandAfter(VALUES, { everyMs: HOUR_MS })).toBeUndefined();
  expect(bandAfter(VALUES, { everyMs: 10_000, laterMs: 2 * HOUR_MS })).toBeUndefined();
  expect(bandAfter([7, 7, 7, 7, 7, 7], { everyMs: HOUR_MS })).toBeDefined();
});

test('daily scans teach a band from the sixth on', () => {
  expect(bandAfter(VALUES.slice(0, 4), { everyMs: 24 * HOUR_MS })).toBeUndefined();
  expect(bandAfter(VALUES, { everyMs: 24 * HOUR_MS })).toBeDefined();
});

test('where any number may come, the band is open', () => {
  const wednesdayMs = START_MS + 48 * HOUR_MS;
  const history = [5, 4, 5, 6, 5].map((value, day) => ({ timeMs: wednesdayMs + day * 24 * HOUR_MS, value, isExcluded: false }));
  const pastPoints = pastPointsBy({ strategy: 'IGNORE', limit: 1000 });
  const model = createLearnedBand({ familySize: 1, minimum: 0, isCount: true }, { pastPoints, latestPoints: undefined });
  expect(model.bandAt(history, wednesdayMs + 5 * 24 * HOUR_MS)).toMatchObject({ lower: expect.any(Number), upper: null });
});
