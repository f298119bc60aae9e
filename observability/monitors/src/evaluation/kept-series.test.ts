// SPDX-License-Identifier: Apache-2.0
/** What is kept of a series from scan to scan says what all of its points say, whatever the series is of. */
import type { MetricPoint } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { describe, expect, test } from 'vitest';
import { normal } from '../anomaly-bench/chance.ts';
import type { SeriesMemory } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import { seriesId } from './scan-series.ts';
import { point, predefined, TIME_ATTRIBUTE, WatchedAsset } from './testing/watched-asset.ts';

const SCANS = 60;
const DAY_MS = 86_400_000;

type Kind = { readonly monitor: string; readonly pointsOf: (noise: number, scan: number) => readonly MetricPoint[] };

const KINDS: { readonly [name: string]: Kind } = {
  'the age of a daily delivery': {
    monitor: 'FRESHNESS_DRIFTS',
    pointsOf: (noise, scan) => [point('FRESHNESS', 'min', scan === 50 ? 9 : 3 + 0.2 * noise, { attribute: 'at' })],
  },
  'the age of a weekly delivery': {
    monitor: 'FRESHNESS_DRIFTS',
    pointsOf: (noise, scan) => [point('FRESHNESS', 'min', 2 + 0.2 * noise + 24 * (scan % 7), { attribute: 'at' })],
  },
  'a duration of dates': {
    monitor: 'NUMERIC_VALUE_DRIFTS',
    pointsOf: (noise) => [point('STDDEV', 'stddev', (100 + noise) * DAY_MS, { attribute: TIME_ATTRIBUTE })],
  },
  'what stands near its limit': {
    monitor: 'SEARCH_RECALL_DRIFTS',
    pointsOf: (noise) => [point('SEARCH_RECALL', 'ratio', 98 - Math.abs(noise), { attribute: 'v' })],
  },
  'a count': { monitor: 'RECORD_COUNT_DRIFTS', pointsOf: (noise) => [point('RECORD_COUNT', 'count', Math.round(1000 + 20 * noise))] },
};

/** Counts how often it is asked for what it keeps. */
class Memories {
  readonly #kept = new Map<string, Uint8Array>();
  used = 0;

  readonly of = (series: SeriesKey): SeriesMemory => {
    const id = seriesId(series);
    const kept = this.#kept.get(id);
    if (kept !== undefined) this.used += 1;
    return { kept, keep: (state) => void this.#kept.set(id, state) };
  };
}

describe('a series is kept from scan to scan', () => {
  test.each(Object.entries(KINDS))('%s', (_, { monitor, pointsOf }) => {
    const random = seededRandom(5);
    const [keeping, replaying] = [new WatchedAsset([predefined(monitor)]), new WatchedAsset([predefined(monitor)])];
    const memories = new Memories();
    for (let scan = 0; scan < SCANS; scan += 1) {
      const points = pointsOf(normal(random), scan);
      const kept = keeping.scan(points, [], { memoryOf: memories.of });
      expect(kept.points).toEqual(replaying.scan(points).points);
    }
    expect(memories.used).toBeGreaterThan(SCANS - 20);
  });
});
