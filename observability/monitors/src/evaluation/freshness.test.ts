// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { point, predefined, WatchedAsset } from './testing/watched-asset.ts';

const SCANS = 14;
const aged = (hours: number): readonly MetricPoint[] => [
  point('RECORD_COUNT', 'count', 1000),
  point('FRESHNESS', 'min', hours, { attribute: 'at' }),
];

function watched(hours: (scan: number) => number): WatchedAsset {
  const asset = new WatchedAsset([predefined('FRESHNESS_DRIFTS')]);
  asset.repeat(SCANS, (scan) => aged(hours(scan)));
  return asset;
}

test('data that comes every day is stale when a day brings none', () => {
  const fresh = watched((scan) => 2 + (scan % 3) / 10);
  expect(fresh.evaluate(aged(1)).outcome).toBe('clear');
  expect(fresh.evaluate(aged(26)).violations).toMatchObject([{ attribute: 'at', value: 26, band: { lower: null } }]);
});

test('data that comes every week is as old as a week now and then', () => {
  const weekly = watched((scan) => 2 + 24 * (scan % 7));
  expect(weekly.evaluate(aged(2)).outcome).toBe('clear');
  expect(weekly.evaluate(aged(24 * 40)).outcome).toBe('violated');
});

test('a daily delivery that is some hours older than it always was is stale', () => {
  const punctual = watched((scan) => 3 + ((scan * 5) % 7) / 10 - 0.3);
  expect(punctual.evaluate(aged(3.4)).outcome).toBe('clear');
  expect(punctual.evaluate(aged(7)).violations).toMatchObject([{ value: 7 }]);
});

test('records that come by chance may be some hours older', () => {
  const chance = watched((scan) => 0.5 + ((scan * 5) % 14 === 0 ? 6 : ((scan * 5) % 14) / 40));
  expect(chance.evaluate(aged(7)).outcome).toBe('clear');
});

test('[E25] a weekly delivery is missing two days after it should have come', () => {
  const asset = new WatchedAsset([predefined('FRESHNESS_DRIFTS')]);
  asset.repeat(35, (scan) => aged(2 + 24 * (scan % 7)));
  expect(asset.evaluate(aged(24 * 6 + 2)).outcome).toBe('clear');
  expect(asset.evaluate(aged(24 * 7 + 2)).outcome).toBe('clear');
  expect(asset.evaluate(aged(24 * 8 + 2)).violations).toMatchObject([{ value: 194, band: { upper: expect.closeTo(184.8, 1) } }]);
});

test('[E25] what is older after each weekend is not missing then', () => {
  const asset = new WatchedAsset([predefined('FRESHNESS_DRIFTS')]);
  asset.repeat(35, (scan) => aged(2 + 24 * Math.max(0, (scan % 7) - 4)));
  expect(asset.evaluate(aged(50)).outcome).toBe('clear');
});

test('[E25] the newest record of a segment may be missing, but not two of them', () => {
  const place = { attribute: 'at', segment: 'city=Oslo' };
  const dayMs = 86_400_000;
  // A record a day: 100 dates, the newest twentieth of which spans five days.
  const daily = (hours: number): readonly MetricPoint[] => [
    point('RECORD_COUNT', 'count', 1000),
    point('FRESHNESS', 'min', hours, place),
    point('MAX', 'max', 100 * dayMs, place),
    point('QUANTILE', 'p95', 95 * dayMs, place),
    point('DISTINCT_COUNT', 'count', 100, place),
  ];
  for (const scans of [8, 40]) {
    const asset = new WatchedAsset([predefined('FRESHNESS_DRIFTS')]);
    asset.repeat(scans, (scan) => daily(6 + ((scan * 5) % 7) / 10));
    expect(asset.evaluate(daily(30)).outcome).toBe('clear');
    expect(asset.evaluate(daily(80)).violations).toMatchObject([{ value: 80 }]);
  }
});

test('[E13] data that never changes is not stale', () => {
  const still = watched((scan) => 5000 + 24 * scan);
  expect(still.evaluate(aged(5000 + 24 * SCANS)).outcome).toBe('clear');
});

test('[E13] data that never changed is stale when an older version of it comes', () => {
  const still = watched((scan) => 5000 + 24 * scan);
  expect(still.evaluate(aged(5000 + 24 * (SCANS + 90))).outcome).toBe('violated');
});
