// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { point, predefined, WatchedAsset } from './testing/watched-asset.ts';

const RECORDS = 2000;
const random = seededRandom(7);

/** The frequencies of so many records drawn with these weights. */
function drawn(weights: readonly number[], name: (value: number) => string = (value) => `v${value}`): readonly MetricPoint[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const bounds = weights.map((_, value) => weights.slice(0, value + 1).reduce((sum, weight) => sum + weight, 0));
  const counts = weights.map(() => 0);
  for (let record = 0; record < RECORDS; record += 1) {
    const place = random.next() * total;
    const value = bounds.findIndex((bound) => place < bound);
    counts[value] = (counts[value] ?? 0) + 1;
  }
  const listed = counts.map((count, value) => [name(value), count] as const).toSorted(([, first], [, second]) => second - first);
  return [
    point('RECORD_COUNT', 'count', RECORDS),
    ...listed.slice(0, 20).map(([value, count]) => point('VALUE_DISTRIBUTION', value, (100 * count) / RECORDS, { attribute: 'a' })),
  ];
}

/** Forty values, the first of which are far more frequent. */
const usual = Array.from({ length: 40 }, (_, value) => 1 / (value + 1));

function watched(): WatchedAsset {
  const asset = new WatchedAsset([predefined('VALUE_DISTRIBUTION_DRIFTS')]);
  asset.repeat(12, () => drawn(usual));
  return asset;
}

test('records drawn alike are distributed alike', () => {
  const asset = watched();
  for (let scan = 0; scan < 50; scan += 1) expect(asset.evaluate(drawn(usual)).outcome).toBe('clear');
});

test('a value that takes over from another is a drift', () => {
  const { violations } = watched().evaluate(
    drawn([...usual.slice(0, 2).toReversed(), ...usual.slice(2)].map((weight, value) => (value === 0 ? 0.1 : weight))),
  );
  expect(violations).toMatchObject([{ attribute: 'a', metric_name: 'VALUE_DISTRIBUTION', series: null, band: { lower: null } }]);
  expect(violations[0]?.sentence).toMatch(/^change of the distribution of `a` is 0.\d+ bits, expected at most 0.0\d+ bits$/);
});

test('values that are written otherwise are a drift', () => {
  expect(watched().evaluate(drawn(usual, (value) => `V${value}`)).outcome).toBe('violated');
});

test('a column that has lost all values is not evaluated', () => {
  expect(watched().evaluate([point('RECORD_COUNT', 'count', RECORDS)]).outcome).toBe('unknown');
});
