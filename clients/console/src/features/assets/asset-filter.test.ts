// SPDX-License-Identifier: Apache-2.0
import type { AssetScore } from '@sextant/sdk';
import { expect, test } from 'vitest';
import { asset, job, MANY } from '../../data/assets/asset-fixtures.ts';
import { type AssetRow, assetRows, type Listings } from '../../data/assets/asset-rows.ts';
import { filtered, sorted, withHealth } from './asset-filter.ts';

const rowsOf = (listings: Listings) => assetRows(listings, Date.parse('2026-03-04T10:30:00Z'));
const idsOf = (rows: readonly AssetRow[]) => rows.map((row) => row.asset.id);

const SCORED: AssetScore = {
  asset_id: 'well',
  asset_name: 'well',
  project_id: 0,
  state: 'scored',
  score: 70,
  band: 'fair',
  metric_time: null,
};

test.each([
  ['incidents', ['open', 'late']],
  ['failed', ['failed']],
  ['overdue', ['late']],
  ['unscanned', ['new']],
  ['doubtful', []],
  ['well', ['well']],
] as const)('%s are %j', (health, ids) => {
  expect(idsOf(withHealth(rowsOf(MANY), health))).toEqual(ids);
});

test.each([{ band: 'fair' }, { band: 'poor' }, { state: 'not_measured', band: null }] as const)(
  'a scan with the score %j shows nothing good',
  (changes) => {
    const rows = rowsOf({ ...MANY, scores: [{ ...SCORED, ...changes }] });
    expect(idsOf(withHealth(rows, 'doubtful'))).toEqual(['well']);
    expect(idsOf(withHealth(rows, 'well'))).toEqual([]);
  },
);

test('words are sought in name, tags, source and project', () => {
  const assets = [asset('orders', { tags: ['Gold'] }), asset('customers', { type: 'S3' }), asset('stock', { project_id: 2 })];
  const created = { description: null, created_by: '', created_at: '' };
  const rows = rowsOf({ assets, projects: [{ id: 2, name: 'Warehouse', ...created }] });
  expect(idsOf(filtered(rows, { q: 'gold ord' }))).toEqual(['orders']);
  expect(idsOf(filtered(rows, { q: 's3' }))).toEqual(['customers']);
  expect(idsOf(filtered(rows, { q: 'warehouse' }))).toEqual(['stock']);
  expect(idsOf(filtered(rows, { project: '2' }))).toEqual(['stock']);
  expect(idsOf(filtered(rows, { type: 'S3' }))).toEqual(['customers']);
});

test('what is unknown comes last, whichever way the list is sorted', () => {
  const rows = rowsOf({ ...MANY, jobs: [job('well', { created_at: '2026-03-01T00:00:00Z' }), job('open'), job('late')] });
  expect(idsOf(sorted(rows, { sort: 'scan' }))).toEqual(['well', 'late', 'open', 'failed', 'new']);
  expect(idsOf(sorted(rows, { sort: 'scan', desc: true }))).toEqual(['late', 'open', 'well', 'failed', 'new']);
});

test('names are sorted as people count', () => {
  const rows = rowsOf({ assets: [asset('table 10'), asset('Table 9'), asset('a')] });
  expect(idsOf(sorted(rows, {}))).toEqual(['a', 'Table 9', 'table 10']);
});
