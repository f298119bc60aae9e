// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { traitsOf } from './metric-traits.ts';
import { excessOf, priorityOf } from './priority.ts';
import { formatted, sentenceOf } from './sentence.ts';
import { bounds, DAY_MS, point, predefined, TIME_ATTRIBUTE, WatchedAsset } from './testing/watched-asset.ts';

describe('sentences', () => {
  test.each([
    [
      point('COMPLETENESS', 'ratio', 81.3, { attribute: 'email' }),
      bounds(97.9, null),
      'completeness of `email` is 81.3 %, expected at least 97.9 %',
    ],
    [
      point('COMPLETENESS', 'ratio', 97.8999, { attribute: 'email' }),
      bounds(97.9, null),
      'completeness of `email` is 97.8999 %, expected at least 97.9 %',
    ],
    [point('RECORD_COUNT', 'count', 1_234_567), bounds(10, 20), 'record count is 1234567, expected 10 to 20'],
    [
      point('FRESHNESS', 'min', 26.04, { attribute: 'at' }),
      bounds(null, 25),
      'age of the newest data of `at` is 26 hours, expected at most 25 hours',
    ],
    [point('QUANTILE', 'p05', -1, { attribute: 'n' }), bounds(0, null), '5 % quantile of `n` is -1, expected at least 0'],
    [point('LENGTH', 'max', 12, { attribute: 'code' }), bounds(3, 3), 'max of the length of `code` is 12, expected 3'],
    [point('VECTOR_NORM', 'p95', 2.5, { attribute: 'v' }), bounds(null, 1), '95 % quantile of the norm of `v` is 2.5, expected at most 1'],
    [
      point('UNIQUENESS', 'ratio', 50, { segment: 'a=b' }),
      bounds(99, 100),
      'uniqueness of the record id where a=b is 50 %, expected 99 % to 100 %',
    ],
    [
      point('FRESHNESS', 'min', 721, { attribute: 'at' }),
      bounds(null, 25),
      'age of the newest data of `at` is 30 days, expected at most 25 hours',
    ],
    [
      point('QUANTILE', 'p95', Date.UTC(2026, 7, 9, 12, 30), { attribute: TIME_ATTRIBUTE }),
      bounds(Date.UTC(2026, 7, 10), null),
      '95 % quantile of `born` is 2026-08-09 12:30, expected at least 2026-08-10 00:00, 11.5 hours too early',
    ],
    [
      point('STDDEV', 'stddev', 12 * 3_600_000, { attribute: TIME_ATTRIBUTE }),
      bounds(DAY_MS, 10 * DAY_MS),
      'standard deviation of `born` is 12 hours, expected 24 hours to 10 days',
    ],
    [
      point('MAX', 'max', 1e300, { attribute: TIME_ATTRIBUTE }),
      bounds(null, 1),
      'maximum of `born` is 1e+300, expected at most 1970-01-01 00:00',
    ],
  ])('say %o', (measured, threshold, sentence) => {
    const attributes = measured.attribute === null ? [] : [measured.attribute];
    const asset = new WatchedAsset([predefined(measured.metric_name, { attributes, threshold })]);
    expect(asset.evaluate([measured]).violations.map((violation) => violation.sentence)).toEqual([sentence]);
  });

  test('say of a value that stood still for longer than the history how long that is', () => {
    const watched = { series: point('MEAN', 'mean', 3, { attribute: 'a' }), value: 3, history: [], traits: traitsOf('MEAN', 'mean') };
    const standing = { scans: 1001, sinceMs: 0, past: { values: 0, repeated: 0 } };
    const sentence = sentenceOf(
      { watched: { ...watched, tolerance: () => 0, origin: 'point' }, value: 3, band: { lower: 1, upper: 5 }, standing },
      undefined,
    );
    expect(sentence).toBe('mean of `a` is 3, exactly the same at the last 1001 scans');
  });

  test.each([
    [0, '0'],
    [1 / 3, '0.333'],
    [123_456.7, '123457'],
    [-0.000_012_345, '-0.0000123'],
    [1e21, '1e+21'],
  ])('write %d as %s', (value, text) => expect(formatted(value)).toBe(text));
});

describe('[E20] priority', () => {
  test.each([
    [{ lower: 0, upper: 100 }, 105, 'LOW'],
    [{ lower: 0, upper: 100 }, -20, 'MEDIUM'],
    [{ lower: 0, upper: 100 }, 150, 'HIGH'],
    [{ lower: 90, upper: null }, 85, 'LOW'],
    [{ lower: 90, upper: null }, 60, 'MEDIUM'],
    [{ lower: 90, upper: null }, 10, 'HIGH'],
    [{ lower: null, upper: 0 }, 0.001, 'HIGH'],
    [{ lower: 100, upper: 100 }, 99, 'LOW'],
  ])('outside of %o, %d is %s', (band, value, level) => {
    const width = band.lower === null || band.upper === null ? null : band.upper - band.lower;
    expect(priorityOf(excessOf({ value, band, width }))).toBe(level);
  });
});
