// SPDX-License-Identifier: Apache-2.0
/** Series of one monitor learn from each other how far errors reach. */
import type { MetricPoint } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { expect, test } from 'vitest';
import { normal, student } from '../anomaly-bench/chance.ts';
import { point, predefined, WatchedAsset } from './testing/watched-asset.ts';

const SERIES = 60;
const SCANS = 30;
/** Far enough apart that each is a fault and none a habit. */
const FAULTY = [12, 17, 23];
const MONITOR = predefined('MEAN', {
  monitor: { predefined_metric: 'MEAN', attributes: Array.from({ length: SERIES }, (_, index) => `a${index}`) },
});

type Random = ReturnType<typeof seededRandom>;

/** The means of all attributes; the first one normal, whatever the others are. */
function means(random: Random, draw: (random: Random) => number): MetricPoint[] {
  return Array.from({ length: SERIES }, (_, index) =>
    point('MEAN', 'mean', 100 + 5 * (index === 0 ? normal(random) : draw(random)), { attribute: `a${index}` }),
  );
}

/** Width of the band of the first attribute after so many scans; some may be faulty. */
function widthAfter(draw: (random: Random) => number, faulty?: (points: MetricPoint[]) => MetricPoint[]): number {
  const asset = new WatchedAsset([MONITOR]);
  const random = seededRandom(7);
  asset.repeat(SCANS, (scan) => {
    const points = means(random, draw);
    return FAULTY.includes(scan) && faulty !== undefined ? faulty(points) : points;
  });
  const [first] = asset.scan(means(random, draw)).points;
  return (first?.upper_bound ?? Number.NaN) - (first?.lower_bound ?? Number.NaN);
}

const heavy = (random: Random): number => student(random, 3);

test('[E32] a series among those with heavy tails has a wider band than among normal ones', () => {
  expect(widthAfter(heavy)).toBeGreaterThan(1.15 * widthAfter(normal));
});

test('[E32] faults of all other series at once teach it nothing', () => {
  const faulty = (points: MetricPoint[]) => points.map((one, index) => ({ ...one, value: index === 0 ? one.value : 0 }));
  expect(widthAfter(normal, faulty)).toBeLessThan(1.02 * widthAfter(normal));
});
