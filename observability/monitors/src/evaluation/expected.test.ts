// SPDX-License-Identifier: Apache-2.0
/** What follows for learned bands from a person's word that a value was to be expected. */
import type { MetricPoint } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { point, predefined, WatchedAsset } from './testing/watched-asset.ts';

/** Enough scans for any model to speak. */
const ENOUGH = 60;

const records = (value: number): MetricPoint => point('RECORD_COUNT', 'count', value);
const completeness = (attribute: string, value: number): MetricPoint => point('COMPLETENESS', 'ratio', value, { attribute });

test.each([
  ['rows that went up', 'RECORD_COUNT_DRIFTS', [1000, 1003, 997], records, { expected: 1500, beyond: 2500, other: 500 }],
  ['rows that went down', 'RECORD_COUNT_DRIFTS', [1000, 1003, 997], records, { expected: 600, beyond: 100, other: 1500 }],
  [
    'a share that was whole at every scan',
    'COMPLETENESS',
    [100],
    (value: number) => completeness('a', value),
    { expected: 95, beyond: 60 },
  ],
  [
    'numbers',
    'MEAN',
    [7.5, 7.6, 7.4],
    (value: number) => point('MEAN', 'mean', value, { attribute: 'a' }),
    { expected: 30, beyond: 90, other: -30 },
  ],
] as const)(
  '[E26] %s, marked as expected, are no news at the next scan; what is far beyond them is',
  (_, metric, usual, pointOf, { expected, beyond, ...more }) => {
    const monitor = predefined(metric, { monitor: { predefined_metric: metric, attributes: metric.startsWith('RECORD') ? [] : ['a'] } });
    const scanned = (value: number) => [records(1000), pointOf(value)].slice(metric.startsWith('RECORD') ? 1 : 0);
    const after = (marked: boolean, ...values: readonly number[]) => {
      const asset = new WatchedAsset([monitor]);
      asset.repeat(ENOUGH, (index) => scanned(usual[index % usual.length] ?? 0));
      expect(asset.evaluate(scanned(expected)).outcome).toBe('violated');
      if (marked) asset.expectNewest(pointOf(expected));
      return values.map((value) => asset.evaluate(scanned(value)).outcome);
    };
    const [quiet = 0] = usual;
    expect(after(true, expected)).toEqual(['clear']);
    expect(after(true, quiet, quiet, quiet, expected)).toEqual(['clear', 'clear', 'clear', 'clear']);
    expect(after(false, quiet, quiet, quiet, expected).at(-1)).toBe('violated');
    expect(after(true, beyond)).toEqual(['violated']);
    if ('other' in more) expect(after(true, more.other)).toEqual(['violated']);
  },
);
