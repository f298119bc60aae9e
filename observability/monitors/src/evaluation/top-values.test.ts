// SPDX-License-Identifier: Apache-2.0
import type { MetricPoint } from '@sextant/contracts-observability';
import { describe, expect, test } from 'vitest';
import { bounds, point, predefined, WatchedAsset } from './testing/watched-asset.ts';

const SCANS = 8;
const RECORDS = 10_000;

/** The points of an attribute whose values have these numbers of records. */
function frequencies(counts: { readonly [value: string]: number }): readonly MetricPoint[] {
  const ranked = Object.entries(counts).sort(([, first], [, second]) => second - first);
  const place = { attribute: 'a' };
  return [
    point('RECORD_COUNT', 'count', RECORDS),
    ...ranked.slice(0, 10).map(([value, count]) => point('TOP_VALUE', value, count, place)),
    ...ranked.slice(0, 20).map(([value, count]) => point('VALUE_DISTRIBUTION', value, (100 * count) / RECORDS, place)),
  ];
}

/** Thirty values, each a little rarer than the one before. */
const usual: { readonly [value: string]: number } = Object.fromEntries(
  Array.from({ length: 30 }, (_, index) => [`v${index}`, 500 - 10 * index]),
);

function watched(threshold = predefined('TOP_VALUES_DRIFTS').threshold): WatchedAsset {
  const asset = new WatchedAsset([predefined('TOP_VALUES_DRIFTS', { threshold })]);
  asset.repeat(SCANS, () => frequencies(usual));
  return asset;
}

describe('[E16] a value', () => {
  test('that comes from nowhere has entered, and who gave way for it has not left', () => {
    const { violations } = watched().evaluate(frequencies({ ...usual, new: 900 }));
    expect(violations).toMatchObject([
      {
        violation_name: 'FEATURE.TOP_VALUES_DRIFTS.a',
        type: 'TOP_VALUES_CHANGE',
        value: 1,
        band: { lower: null, upper: 0 },
        series: null,
        facts: { changes: [{ kind: 'ENTERED', value: 'new', now: 9 }] },
      },
    ]);
    expect(violations[0]?.sentence).toMatch(/^the most frequent values of `a` changed: `new` entered \(at most 3.2 % before, 9 % now\)$/);
  });

  test('that is gone has left, and who moved up has not entered', () => {
    const { v0: _, ...others } = usual;
    expect(watched().evaluate(frequencies(others)).violations).toMatchObject([
      { facts: { changes: [{ kind: 'LEFT', value: 'v0', before: 5 }] } },
    ]);
  });

  test('that came or went is reported until it is accepted after three scans', () => {
    const { v0: _, ...others } = usual;
    for (const changed of [others, { ...usual, new: 900 }]) {
      const asset = watched();
      const outcomes = [1, 2, 3, 4].map(() => asset.evaluate(frequencies(changed)).outcome);
      expect(outcomes).toEqual(['violated', 'violated', 'violated', 'clear']);
    }
  });

  test('that came or went is reported until it is undone', () => {
    const { v0: _, ...others } = usual;
    for (const changed of [others, { ...usual, new: 900 }]) {
      const asset = watched();
      const outcomes = [changed, changed, usual, usual].map((counts) => asset.evaluate(frequencies(counts)).outcome);
      expect(outcomes).toEqual(['violated', 'violated', 'clear', 'clear']);
    }
  });

  test('that changes places at the tenth rank has done neither', () => {
    expect(watched().evaluate(frequencies({ ...usual, v9: 400, v10: 410, v11: 420, v8: 390 })).outcome).toBe('clear');
  });

  test('that is new is no news where there always is a new one', () => {
    const asset = new WatchedAsset([predefined('TOP_VALUES_DRIFTS'), predefined('VALUE_DISTRIBUTION_DRIFTS')]);
    const lastSevenDays = (today: number) =>
      frequencies(Object.fromEntries([0, 1, 2, 3, 4, 5, 6].map((ago) => [`day ${today - ago}`, ago === 0 ? 400 : 1600])));
    for (let today = 0; today < 30; today += 1) {
      expect(asset.scan(lastSevenDays(today)).verdicts.flatMap(({ violations }) => violations)).toEqual([]);
    }
  });

  test('that comes and goes does neither', () => {
    const asset = new WatchedAsset([predefined('TOP_VALUES_DRIFTS')]);
    asset.repeat(SCANS, (index) => frequencies(index % 2 === 0 ? usual : { ...usual, guest: 900 }));
    expect(asset.evaluate(frequencies(usual)).outcome).toBe('clear');
    expect(asset.evaluate(frequencies({ ...usual, guest: 900 })).outcome).toBe('clear');
  });

  test('that returns after one scan has not entered', () => {
    const asset = watched();
    const { v0: _, ...others } = usual;
    expect(asset.evaluate(frequencies(others)).outcome).toBe('violated');
    expect(asset.evaluate(frequencies(usual)).outcome).toBe('clear');
  });
});

test('[E2] fewer than five scans say nothing', () => {
  const asset = new WatchedAsset([predefined('TOP_VALUES_DRIFTS')]);
  asset.repeat(4, () => frequencies(usual));
  expect(asset.evaluate(frequencies({ ...usual, new: 900 })).outcome).toBe('unknown');
  expect(asset.evaluate(frequencies(usual)).outcome).toBe('clear');
});

test('[E17] a stated number of changes is fine', () => {
  const changed = frequencies({ ...usual, new: 900, newer: 950 });
  expect(watched(bounds(null, 2)).evaluate(changed).outcome).toBe('clear');
  expect(watched(bounds(null, 1)).evaluate(changed).violations).toMatchObject([{ value: 2, band: { lower: null, upper: 1 } }]);
});
