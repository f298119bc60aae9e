// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { normal } from '../anomaly-bench/chance.ts';
import { DAY_MS, point, userMetric, WatchedAsset } from './testing/watched-asset.ts';

const START_MS = Date.UTC(2026, 0, 1);
const SCANS = 60;
const DEVIATION = 5;
const DAILY_DRIFT = 2;

function noisySums(): (moved: number) => MetricPoint {
  const random = seededRandom(1);
  return (moved) => point('CUSTOM', 'value', 1000 + DEVIATION * normal(random) + moved, { monitor_id: '1' });
}

test('[E28] an alert about a drift says since when, one about a single value does not', () => {
  const sum = noisySums();
  const asset = new WatchedAsset([userMetric('1')]);
  asset.repeat(SCANS, () => [sum(0)]);
  const drifting = Array.from({ length: 25 }, (_, day) => asset.evaluate([sum(DAILY_DRIFT * (day + 1))]));
  const first = drifting.flatMap(({ violations }) => violations).find(({ facts }) => facts.since !== undefined);
  expect(first?.facts.detector).toBe('shift');
  const since = (Date.parse(String(first?.facts.since)) - START_MS) / DAY_MS;
  expect(since).toBeGreaterThan(SCANS - 5);
  expect(since).toBeLessThan(SCANS + 10);

  const jumping = new WatchedAsset([userMetric('1')]);
  jumping.repeat(SCANS, () => [sum(0)]);
  const [jump] = jumping.evaluate([sum(-600)]).violations;
  expect(jump?.facts).toMatchObject({ detector: 'level' });
  expect(jump?.facts).not.toHaveProperty('since');
});
