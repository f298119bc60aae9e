// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { asset, incident, job, MANY, schedule } from './asset-fixtures.ts';
import { assetRows, type Listings } from './asset-rows.ts';

const FINE = { ok: 20, violated: 0, errored: 0, not_enough_history: 1, not_applicable: 3 };
const NOW = Date.parse('2026-03-04T10:30:00Z');
const rowsOf = (listings: Listings) => assetRows(listings, NOW);

describe('a scan is overdue', () => {
  test.each([
    ['when the schedule asked for one since the last', '0 9 * * *', true, '2026-03-04T06:00:00.000Z', true],
    ['not when it came', '0 6 * * *', true, '2026-03-04T06:00:00.000Z', false],
    ['not while it may wait for its turn', '20 10 * * *', true, '2026-03-04T06:00:00.000Z', false],
    ['not of a schedule that is off', '0 9 * * *', false, '2026-03-04T06:00:00.000Z', false],
  ])('%s', (_case, cron, enabled, created, expected) => {
    const assets = [asset('a', { scheduled_upload: schedule(cron, enabled) })];
    expect(rowsOf({ assets, jobs: [job('a', { created_at: created })] })[0]?.isOverdue).toBe(expected);
  });

  test('not of an asset that was registered since it was due', () => {
    const assets = [asset('a', { scheduled_upload: schedule('0 9 * * *'), created_at: '2026-03-04T09:30:00.000Z' })];
    expect(rowsOf({ assets })[0]?.isOverdue).toBe(false);
  });
});

test('open incidents are counted by the worse of severity and impact', () => {
  const open = rowsOf(MANY).find((row) => row.asset.id === 'open')?.open;
  expect(open).toEqual({ high: 1, medium: 0, low: 1, unrated: 1, total: 3 });
  const incidents = [incident('a', { severity: 'HIGH', impact: '' }), incident('a', { severity: 'LOW', impact: 'MEDIUM' })];
  expect(rowsOf({ assets: [asset('a')], incidents })[0]?.open).toEqual({ high: 1, medium: 1, low: 0, unrated: 0, total: 2 });
});

describe('an asset is unhealthy', () => {
  const score = (band: 'poor' | 'fair') => ({
    asset_id: 'a',
    asset_name: 'a',
    project_id: 0,
    state: 'scored' as const,
    score: band === 'poor' ? 50 : 70,
    band,
    metric_time: '2026-03-04T06:00:00.000Z',
  });
  test.each([
    ['whose score is poor', { scores: [score('poor')] }, true],
    ['with an open incident of high severity', { incidents: [incident('a', { severity: 'HIGH', impact: '' })] }, true],
    ['whose last scan failed', { jobs: [job('a', { status: 'FAILED' })] }, true],
    ['of which a monitor could not be evaluated', { jobs: [job('a', { checks: { ...FINE, errored: 1 } })] }, true],
    ['but not one whose monitors could', { jobs: [job('a', { checks: FINE })] }, false],
    ['but not one that is fair', { scores: [score('fair')], incidents: [incident('a', { severity: 'LOW', impact: '' })] }, false],
  ])('%s', (_case, listings, expected) => {
    expect(rowsOf({ assets: [asset('a')], ...listings })[0]?.isUnhealthy).toBe(expected);
  });
});
