import type { Asset, Incident, ListedJob } from '@sextant/sdk';
import { describe, expect, test } from 'vitest';
import { assetRows, filtered, type Listings, sorted, withHealth } from './asset-rows.ts';

const NOW = Date.parse('2026-03-04T10:30:00Z');

function asset(id: string, more: Partial<Asset> = {}): Asset {
  return {
    id,
    project_id: 0,
    name: id,
    description: null,
    type: 'UPLOAD',
    options: {},
    payload: {},
    connection_id: null,
    db_type: null,
    tags: [],
    webhook_url: null,
    created_by: 'ada@example.org',
    created_at: '2026-01-01T00:00:00.000Z',
    ...more,
  };
}

function job(assetId: string, more: Partial<ListedJob> = {}): ListedJob {
  const at = '2026-03-04T06:00:00.000Z';
  const progress = { phase: 'done', rows_read: 1, fraction: 1 } as const;
  return {
    id: 'j',
    asset_id: assetId,
    status: 'FINISHED',
    details: '',
    created_at: at,
    start_time: at,
    end_time: at,
    progress,
    run_time: null,
    ...more,
  };
}

function incident(assetId: string, more: Partial<Incident> = {}): Incident {
  const at = '2026-03-04T06:00:00.000Z';
  return {
    id: 1,
    project_id: 0,
    asset_id: assetId,
    last_upload_timestamp: at,
    created_time: at,
    severity: '',
    impact: 'HIGH',
    status: 'OPEN',
    ticket_id: null,
    alert_policy_id: 'SCHEMA_DRIFTS',
    alert_policy_name: '',
    description: '',
    tags: [],
    ...more,
  };
}

function schedule(cron: string, enabled = true) {
  return { schedule: cron, enabled, delta_only: false, sample_fraction: null, skip_investigator: false, timestamp_attribute: null };
}

const rowsOf = (listings: Listings) => assetRows(listings, NOW);
const idsOf = (rows: ReturnType<typeof rowsOf>) => rows.map((row) => row.asset.id);

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

const MANY: Listings = {
  assets: [asset('well'), asset('failed'), asset('open'), asset('new'), asset('late')],
  jobs: [job('well'), job('failed', { status: 'FAILED' }), job('open'), job('late')],
  incidents: [
    incident('open'),
    incident('open', { impact: 'LOW' }),
    incident('open', { impact: null }),
    incident('late', { alert_policy_id: 'FRESHNESS_DRIFTS', impact: 'MEDIUM' }),
  ],
};

test('open incidents are counted by impact', () => {
  const open = rowsOf(MANY).find((row) => row.asset.id === 'open')?.open;
  expect(open).toEqual({ high: 1, medium: 0, low: 1, unrated: 1, total: 3 });
});

test.each([
  ['incidents', ['open', 'late']],
  ['failed', ['failed']],
  ['overdue', ['late']],
  ['unscanned', ['new']],
  ['well', ['well']],
] as const)('%s are %j', (health, ids) => {
  expect(idsOf(withHealth(rowsOf(MANY), health))).toEqual(ids);
});

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
