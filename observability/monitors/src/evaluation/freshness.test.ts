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

test('[E13] data that never changes is not stale', () => {
  const still = watched((scan) => 5000 + 24 * scan);
  expect(still.evaluate(aged(5000 + 24 * SCANS)).outcome).toBe('clear');
});

test('[E13] data that never changed is stale when an older version of it comes', () => {
  const still = watched((scan) => 5000 + 24 * scan);
  expect(still.evaluate(aged(5000 + 24 * (SCANS + 90))).outcome).toBe('violated');
});
