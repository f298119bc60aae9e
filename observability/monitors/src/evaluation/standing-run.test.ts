// SPDX-License-Identifier: Apache-2.0
/** Values that stand still, as a pipeline makes them that delivers the same file again. */
import type { MetricPoint } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { normal } from '../anomaly-bench/chance.ts';
import type { Violation } from './evaluation.ts';
import { point, predefined, userMetric, WatchedAsset } from './testing/watched-asset.ts';

const GOOD_SCANS = 30;
const START_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

const records = (value: number): MetricPoint => point('RECORD_COUNT', 'count', value);

/** Of 10,000 records, give or take two in a hundred. */
function taught(): WatchedAsset {
  const random = seededRandom(3);
  const asset = new WatchedAsset([predefined('RECORD_COUNT_DRIFTS')]);
  asset.repeat(GOOD_SCANS, () => [records(Math.round(10_000 * (1 + 0.02 * normal(random))))]);
  return asset;
}

const stuck = (asset: WatchedAsset, scans: number) => Array.from({ length: scans }, () => asset.evaluate([records(10_050)]));

describe('[E33] a value that stays exactly the same', () => {
  test('is a violation until it moves, though it lies within its band', () => {
    const asset = taught();
    const outcomes = stuck(asset, 14).map(({ outcome }) => outcome);
    const first = outcomes.indexOf('violated');
    expect(first).toBeGreaterThan(3);
    expect(first).toBeLessThan(12);
    expect(outcomes.slice(first)).toEqual(Array.from({ length: 14 - first }, () => 'violated'));
    expect(asset.evaluate([records(10_051)]).outcome).toBe('clear');
  });

  test('has an alert that says since when, how likely it was, and what the past was like', () => {
    const [violation] = stuck(taught(), 14).at(-1)?.violations ?? [];
    expect(violation).toMatchObject<Partial<Violation>>({
      type: 'METRIC_DRIFT',
      priority: 'MEDIUM',
      sentence: 'record count is 10050, exactly the same at the last 14 scans; before that, 0 of 30 values repeated the previous one',
    });
    expect(violation?.facts).toMatchObject({ detector: 'flatline', since: new Date(START_MS + GOOD_SCANS * DAY_MS).toISOString() });
    expect(violation?.facts.probability).toBeLessThan(0.0001);
    expect(violation?.facts).not.toHaveProperty('similar');
    expect(violation?.band.lower).toBeLessThan(10_050);
    expect(violation?.band.upper).toBeGreaterThan(10_050);
  });

  test('is none any more once a person said to expect it, as long as it stays', () => {
    const asset = taught();
    expect(stuck(asset, 14).at(-1)?.outcome).toBe('violated');
    asset.expectNewest(records(10_050));
    expect(stuck(asset, 20).map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'clear'));
  });

  test.each([
    ['where only one side is bad', 'COMPLETENESS', (value: number) => point('COMPLETENESS', 'ratio', 90 + value, { attribute: 'a' }), 3],
    [
      'at an end of its range',
      'DISTINCT_COUNT',
      (value: number) => point('DISTINCT_COUNT', 'count', Math.round(3 * value), { attribute: 'a' }),
      0,
    ],
  ])('%s is none', (_, metric, pointOf, value) => {
    const random = seededRandom(4);
    const asset = new WatchedAsset([predefined(metric, { attributes: ['a'] })]);
    asset.repeat(40, () => [records(1000), pointOf(Math.abs(normal(random)))]);
    const verdicts = Array.from({ length: 30 }, () => asset.evaluate([records(1000), pointOf(value)]));
    expect(verdicts.flatMap(({ violations }) => violations.filter(({ facts }) => facts.detector === 'flatline'))).toEqual([]);
  });

  test('is found of a metric that a person made, in its name', () => {
    const random = seededRandom(5);
    const asset = new WatchedAsset([userMetric('1')]);
    const sum = (value: number) => [point('CUSTOM', 'value', value, { monitor_id: '1' })];
    asset.repeat(60, () => sum(100 + 5 * normal(random)));
    const last = Array.from({ length: 12 }, () => asset.evaluate(sum(101))).at(-1);
    expect(last?.violations[0]?.sentence).toBe(
      '`metric 1` is 101, exactly the same at the last 12 scans; before that, 0 of 60 values repeated the previous one',
    );
  });
});
