// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { SeriesPoint } from '../bands/band.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';
import { DAY_MS, point, predefined, WatchedAsset } from './testing/watched-asset.ts';

const SCANS = 14;
const FIRST_MS = Date.UTC(2026, 0, 1);

/** A parent that is scanned an hour before each scan of the asset. */
function parent(measured: (series: SeriesKey, scan: number) => number | undefined): EvaluationRequest['parents'][number] {
  return {
    asset_id: 'p',
    name: 'orders',
    historyOf: (series) =>
      Array.from({ length: SCANS + 1 }, (_, scan): SeriesPoint | undefined => {
        const value = measured(series, scan);
        return value === undefined ? undefined : { timeMs: FIRST_MS + scan * DAY_MS - 3_600_000, value, isExcluded: false };
      }).filter((found) => found !== undefined),
  };
}

const records = (value: number) => [point('RECORD_COUNT', 'count', value)];
/** Of the parent, far from steady. */
const delivered = (scan: number): number => 1000 * (1 + ((scan * 7) % 5));

describe('record counts of related assets', () => {
  const asset = (): WatchedAsset => {
    const watched = new WatchedAsset([predefined('RECORD_COUNT_CORRELATION_DRIFTS')], [parent((_, scan) => delivered(scan))]);
    watched.repeat(SCANS, (scan) => records(delivered(scan) / 2));
    return watched;
  };

  test('may vary as long as they do together', () => {
    expect(asset().evaluate(records(delivered(SCANS) / 2)).outcome).toBe('clear');
  });

  test('drift when one does not follow the other', () => {
    const { violations } = asset().evaluate(records(delivered(SCANS) / 4));
    expect(violations).toMatchObject([
      {
        violation_name: 'DATA.RECORD_COUNT_CORRELATION_DRIFTS.parent=p',
        value: 25,
        facts: { compared_to: { asset_id: 'p', name: 'orders' } },
      },
    ]);
    expect(violations[0]?.sentence).toMatch(/^ratio of record count to that of `orders` is 25 %, expected 4[\d.]+ % to 5[\d.]+ %$/);
  });

  test('are unknown without a parent, and where the parent has no records', () => {
    expect(new WatchedAsset([predefined('RECORD_COUNT_CORRELATION_DRIFTS')]).evaluate(records(1)).outcome).toBe('unknown');
    const empty = new WatchedAsset([predefined('RECORD_COUNT_CORRELATION_DRIFTS')], [parent(() => 0)]);
    empty.repeat(SCANS, () => records(1000));
    expect(empty.evaluate(records(1000)).outcome).toBe('unknown');
  });
});

test('uniqueness is compared with that of the attribute of the same name', () => {
  const unique = (attribute: string, value: number) => point('UNIQUENESS', 'ratio', value, { attribute });
  const asset = new WatchedAsset(
    [predefined('UNIQUENESS_CORRELATION_DRIFTS')],
    [parent(({ attribute }) => (attribute === 'id' ? 100 : undefined))],
  );
  asset.repeat(SCANS, () => [unique('id', 100), unique('other', 100)]);
  expect(asset.evaluate([unique('id', 60), unique('other', 60)]).violations.map(({ attribute }) => attribute)).toEqual(['id']);
});
