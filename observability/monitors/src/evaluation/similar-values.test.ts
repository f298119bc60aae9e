// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import type { SeriesPoint } from '../bands/band.ts';
import { traitsOf } from './metric-traits.ts';
import { similarValues } from './similar-values.ts';
import { bounds, DAY_MS, point, predefined, TIME_ATTRIBUTE, WatchedAsset } from './testing/watched-asset.ts';

const START_MS = Date.UTC(2026, 0, 1);
const SERIES = point('COMPLETENESS', 'ratio', null, { attribute: 'a' });

function similarTo(value: number, past: readonly (number | null | Partial<SeriesPoint>)[]) {
  const history = past.map((each, day): SeriesPoint => {
    const own = typeof each === 'number' || each === null ? { value: each } : each;
    return { timeMs: START_MS + day * DAY_MS, value: null, isExcluded: false, ...own };
  });
  const traits = traitsOf('COMPLETENESS', 'ratio');
  return similarValues({ watched: { series: SERIES, value, history, traits, tolerance: () => 0, origin: 'point' }, value });
}

const january = (day: number): string => `2026-01-0${day}T00:00:00.000Z`;

describe('[E27] the past values most like one', () => {
  test('are the nearest three, the nearest first', () => {
    expect(similarTo(50, [99, 40, 98, 57, 97]).map(({ metric_time, value }) => [metric_time, value])).toEqual([
      [january(4), 57],
      [january(2), 40],
      [january(5), 97],
    ]);
  });

  test('that are equally near are the newest', () => {
    expect(similarTo(50, [100, 100, 0, 100]).map(({ metric_time }) => metric_time)).toEqual([january(4), january(3), january(2)]);
  });

  test('are as many as there are', () => {
    expect(similarTo(50, [null, 99.5, Number.POSITIVE_INFINITY])).toEqual([{ metric_time: january(2), value: 99.5, text: '99.5 %' }]);
    expect(similarTo(50, [])).toEqual([]);
  });

  test('say what people said of them', () => {
    const past = [
      { value: 49, isExcluded: true },
      { value: 47, isExpected: true },
    ];
    expect(similarTo(50, past)).toMatchObject([
      { value: 49, is_excluded: true },
      { value: 47, is_expected: true },
    ]);
  });
});

describe('[E27] an alert', () => {
  const records = (value: number): MetricPoint => point('RECORD_COUNT', 'count', value);

  test('lists them without the value itself', () => {
    const asset = new WatchedAsset([predefined('RECORD_COUNT_DRIFTS')]);
    asset.repeat(20, (scan) => [records(scan === 11 ? 300 : 1000 + scan)]);
    const { violations } = asset.evaluate([records(200)]);
    expect(violations[0]?.facts.similar).toEqual([
      { metric_time: '2026-01-12T00:00:00.000Z', value: 300, text: '300' },
      { metric_time: january(1), value: 1000, text: '1000' },
      { metric_time: january(2), value: 1001, text: '1001' },
    ]);
  });

  test('about dates that move with the clock lists none', () => {
    const asset = new WatchedAsset([predefined('MAX', { attributes: [TIME_ATTRIBUTE], threshold: bounds(null, START_MS) })]);
    const newest = (value: number): MetricPoint => point('MAX', 'max', value, { attribute: TIME_ATTRIBUTE });
    asset.repeat(5, (scan) => [newest(START_MS + scan * DAY_MS)]);
    const { violations } = asset.evaluate([newest(START_MS + 5 * DAY_MS)]);
    expect(violations).toHaveLength(1);
    expect(violations[0]?.facts).not.toHaveProperty('similar');
  });
});
