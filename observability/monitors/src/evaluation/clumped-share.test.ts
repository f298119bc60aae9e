// SPDX-License-Identifier: Apache-2.0
import { type Random, seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { type ExposedShare, mostOfClumped } from './clumped-share.ts';
import { point, predefined, WatchedAsset } from './testing/watched-asset.ts';
import { confidenceOf } from './tolerance.ts';

/** New near-duplicates of paragraphs of documentation over ten days, of some 1,750. */
const PAIRS = [0.41, 0, 0.17, 0.17, 0, 0.12, 0, 0.11, 0.46];
const SAMPLE = { size: 1750, confidence: confidenceOf(12), exposure: 1 };

const evenly = (percents: readonly number[]) => percents.map((percent) => ({ percent, exposure: 1 }));

test('a few pairs a day reach no further than a few more pairs may, and less far the more days there were', () => {
  const [few, many] = [PAIRS, [...PAIRS, ...PAIRS, ...PAIRS, ...PAIRS]].map((past) => mostOfClumped(evenly(past), SAMPLE) ?? Number.NaN);
  expect(few).toBeGreaterThan(1);
  expect(few).toBeLessThan(2.2);
  expect(many).toBeLessThan(1.5);
  expect(many).toBeGreaterThan(0.7);
});

test('nothing is said from fewer than five scans, nor of shares that are numbers of very many clumps', () => {
  expect(mostOfClumped(evenly(PAIRS.slice(0, 4)), SAMPLE)).toBeUndefined();
  expect(mostOfClumped(evenly([30, 31, 30, 29, 30]), { ...SAMPLE, size: 4000 })).toBeUndefined();
});

test('where nothing ever came, as many may come as chance puts among so many', () => {
  const most = mostOfClumped(evenly([0, 0, 0, 0, 0, 0]), SAMPLE) ?? Number.NaN;
  expect(most).toBeGreaterThan(0.4);
  expect(most).toBeLessThan(1);
});

test('what came in bursts may come in bursts', () => {
  expect(mostOfClumped(evenly([0, 0, 2.5, 0, 0, 2.4, 0, 0]), SAMPLE)).toBeGreaterThan(5);
});

test.each([
  [2, 0.2, true],
  [2, 4, true],
  [6, 1, true],
  [2, 0.2, false],
  [2, 4, false],
  [6, 1, false],
])(
  'clumps of %d, %d a day on average, are called more than usual in less than one scan of a thousand (exposure known: %s)',
  (clump, mean, isKnown) => {
    const random = seededRandom(41);
    const confidence = confidenceOf(1);
    let alarms = 0;
    let scans = 0;
    for (let series = 0; series < 200; series += 1) {
      const past: ExposedShare[] = [];
      for (let day = 0; day < 40; day += 1) {
        // As many points are exchanged as chance makes it, from 5 to 20 %.
        const exchanged = 5 + 15 * random.next();
        const percent = (100 * clump * poisson((exchanged / 12.5) * mean, random)) / 4000;
        const exposure = isKnown ? exchanged : 1;
        const most = mostOfClumped(past, { size: 4000, confidence, exposure });
        if (most !== undefined) scans += 1;
        if (most !== undefined && percent > most) alarms += 1;
        past.push({ percent, exposure });
      }
    }
    expect(scans).toBe(7000);
    expect(alarms).toBeLessThanOrEqual(7);
  },
);

test('on a day on which few points came fewer copies are usual than on one on which many did, and days differ no more than that', () => {
  const past = Array.from({ length: 20 }, (_, day) => ({ percent: day % 2 === 0 ? 0.1 : 0.4, exposure: day % 2 === 0 ? 5 : 20 }));
  const most = (exposure: number) => mostOfClumped(past, { size: 4000, confidence: confidenceOf(1), exposure }) ?? Number.NaN;
  expect(most(5)).toBeLessThan(0.7 * most(20));
  const unknown =
    mostOfClumped(evenly(past.map(({ percent }) => percent)), { size: 4000, confidence: confidenceOf(1), exposure: 1 }) ?? Number.NaN;
  expect(most(20)).toBeLessThan(1.4 * unknown);
  expect(most(5)).toBeLessThan(unknown);
});

test('[E31] new near-duplicates are a violation among those that came in a few pairs a day', () => {
  const scan = (value: number) => [
    point('RECORD_COUNT', 'count', 1750),
    point('VECTOR_SAMPLE_COUNT', 'count', 1750, { attribute: 'v' }),
    point('VECTOR_NEAR_DUPLICATE_SHARE', 'new', value, { attribute: 'v' }),
  ];
  const asset = new WatchedAsset([predefined('VECTOR_DRIFTS')]);
  const days = [0.41, 0, 0.17, 0.17, 0, 0.12, 0, 0.11, 0.46];
  for (const value of [...days, ...days]) expect(asset.scan(scan(value)).verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  expect(asset.evaluate(scan(0.7)).outcome).toBe('clear');
  expect(asset.evaluate(scan(1.7)).violations).toMatchObject([{ metric_name: 'VECTOR_NEAR_DUPLICATE_SHARE', value: 1.7 }]);
});

test('[E31] as many new near-duplicates are usual as new vectors came', () => {
  const scan = (value: number, share: number) => [
    point('VECTOR_SAMPLE_COUNT', 'count', 1750, { attribute: '' }),
    point('VECTOR_NEW_SHARE', 'ratio', share, { attribute: '' }),
    point('VECTOR_NEAR_DUPLICATE_SHARE', 'new', value, { attribute: '' }),
  ];
  const asset = new WatchedAsset([predefined('VECTOR_DRIFTS')]);
  for (let day = 0; day < 30; day += 1) {
    const [value, share] = day % 2 === 0 ? [0.12, 5] : [0.46, 20];
    expect(asset.scan(scan(value, share)).verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  }
  expect(asset.evaluate(scan(0.9, 20)).outcome).toBe('clear');
  expect(asset.evaluate(scan(0.9, 5)).violations).toMatchObject([{ metric_name: 'VECTOR_NEAR_DUPLICATE_SHARE', value: 0.9 }]);
});

test('[E31] new vectors that lie far are a violation though the share of far ones has grown from scan to scan', () => {
  const scan = (ratio: number, fresh: number) => [
    point('VECTOR_SAMPLE_COUNT', 'count', 4000, { attribute: '' }),
    point('VECTOR_NEW_SHARE', 'ratio', 12, { attribute: '' }),
    point('VECTOR_FAR_SHARE', 'ratio', ratio, { attribute: '' }),
    point('VECTOR_FAR_SHARE', 'new', fresh, { attribute: '' }),
  ];
  const asset = new WatchedAsset([predefined('VECTOR_DRIFTS')]);
  // Of paragraphs of documentation over ten days.
  const shares = [0.125, 0.125, 0.125, 0.275, 0.3, 0.375, 0.4, 0.35, 0.35, 0.375];
  const fresh = [0.025, 0.05, 0.05, 0.075, 0.05, 0.1, 0.05, 0.025, 0.075, 0.05];
  for (const [day, ratio] of shares.entries()) {
    expect(asset.scan(scan(ratio, fresh[day] ?? 0)).verdicts.flatMap(({ violations }) => violations)).toEqual([]);
  }
  expect(asset.evaluate(scan(0.45, 0.1)).outcome).toBe('clear');
  expect(asset.evaluate(scan(1.4, 1)).violations).toMatchObject([{ metric_name: 'VECTOR_FAR_SHARE', metric_aggregation: 'new', value: 1 }]);
});

function poisson(mean: number, random: Random): number {
  let [count, rest] = [0, Math.exp(mean) * random.next()];
  while (rest > 1) {
    count += 1;
    rest *= random.next();
  }
  return count;
}
