// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { asset, incident, job } from '../../data/assets/asset-fixtures.ts';
import { assetRows, type Listings } from '../../data/assets/asset-rows.ts';
import { assetState } from './asset-state.ts';

const checks = { ok: 9, violated: 0, errored: 2, not_enough_history: 0, not_applicable: 0 };
const score = {
  asset_id: 'a',
  asset_name: 'a',
  project_id: 0,
  state: 'scored' as const,
  score: 98,
  band: 'excellent' as const,
  metric_time: '2026-03-04T06:00:00.000Z',
};

test.each<[Omit<Listings, 'assets'>, string, string]>([
  [{}, 'unscored', 'no score yet'],
  [{ scores: [score] }, 'fine', 'score 98'],
  [{ scores: [score], jobs: [job('a', { status: 'FAILED' })] }, 'failed', 'last scan failed'],
  [{ scores: [score], jobs: [job('a', { checks })] }, 'failed', 'score 98, 2 errored'],
  [{ scores: [score], jobs: [job('a', { checks: { ...checks, errored: 0 } })] }, 'fine', 'score 98'],
  [{ scores: [score], jobs: [job('a', { status: 'FAILED' })], incidents: [incident('a')] }, 'open', 'score 98, 1 open'],
])('of %j is %s: %s', (listings, kind, words) => {
  const [row] = assetRows({ assets: [asset('a')], ...listings }, Date.parse('2026-03-04T10:30:00Z'));
  expect(row && assetState(row)).toEqual({ kind, words });
});
