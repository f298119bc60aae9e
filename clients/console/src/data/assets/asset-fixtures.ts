// SPDX-License-Identifier: Apache-2.0
/** Assets, scans and incidents for tests, with what does not matter filled in. */
import type { Asset, Incident, ListedJob } from '@sextant/sdk';
import type { Listings } from './asset-rows.ts';

export function asset(id: string, more: Partial<Asset> = {}): Asset {
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

export function job(assetId: string, more: Partial<ListedJob> = {}): ListedJob {
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
    checks: null,
    run_time: null,
    ...more,
  };
}

export function incident(assetId: string, more: Partial<Incident> = {}): Incident {
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
    ticket_id: 0,
    alert_policy_id: 'SCHEMA_DRIFTS',
    alert_policy_name: '',
    description: '',
    tags: [],
    kind: 'VIOLATION',
    ...more,
  };
}

export function schedule(cron: string, enabled = true) {
  return { schedule: cron, enabled, delta_only: false, sample_fraction: null, skip_investigator: false, timestamp_attribute: null };
}

export const MANY: Listings = {
  assets: [asset('well'), asset('failed'), asset('open'), asset('new'), asset('late')],
  jobs: [job('well'), job('failed', { status: 'FAILED' }), job('open'), job('late')],
  incidents: [
    incident('open'),
    incident('open', { impact: 'LOW' }),
    incident('open', { impact: '' }),
    incident('late', { alert_policy_id: 'FRESHNESS_DRIFTS', impact: 'MEDIUM' }),
  ],
};
