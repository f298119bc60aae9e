// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { manualClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { type NewAlert, openMetadata, type TenantMetadata } from '@sextant/observability-metadata';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { backfillIncidents } from './backfill.ts';

const HOUR_MS = 3_600_000;
const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z');
const NOTHING = { alerts: 0, incidents_created: 0, incidents_continued: 0 };
const run = { actor: 'ada@example.com', nowMs: NOW_MS };

const open = new AsyncDisposableStack();
let tenant: TenantMetadata;
beforeAll(async () => {
  const directory = open.use(await temporaryDirectory());
  const options = { clock: manualClock(NOW_MS), randomBytes, encryptionKey: new Uint8Array(32) };
  const metadata = open.use(await openMetadata({ directory: directory.path }, options));
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
  tenant = metadata.forTenant('acme');
});
afterAll(() => open.disposeAsync());

async function newAsset(): Promise<string> {
  const place = { project_id: 0, name: 'orders', description: null, type: 'UPLOAD', options: {}, payload: {} } as const;
  const asset = await tenant.assets.create({
    ...place,
    connection_id: null,
    db_type: null,
    tags: [],
    webhook_url: null,
    created_by: 'ada',
  });
  return asset.id;
}

function alertOf(source: string, hoursAgo: number, monitor_id: string): NewAlert {
  const time = new Date(NOW_MS - hoursAgo * HOUR_MS).toISOString();
  const series = { metric_name: 'MEAN', metric_aggregation: 'mean', attribute: 'price', segment: null } as const;
  return {
    monitor_id,
    series: { ...series, monitor_id: null },
    metric: { ...series, display_metric_name: 'Mean', rule: null },
    type: 'METRIC_DRIFT',
    source,
    attribute: 'price',
    job_id: `a${hoursAgo}`,
    create_time: time,
    save_time: time,
    violation_data: {},
    violation_name: 'FEATURE.MEAN',
    notification_channels: [],
    is_notification_enabled: false,
    metric_time: time,
    is_notified: false,
    metric_value: 1,
    policy_name: 'Numeric value drifts',
    segment: '',
    priority: 'LOW',
    description: { LOW: [`${hoursAgo} hours ago`] },
    source_name: 'orders',
    source_type: 'UPLOAD',
    project_name: 'Default',
    tags: [],
  };
}

const hours = (from: number, to: number) => Array.from({ length: from - to + 1 }, (_, index) => from - index);

test('many alerts become one incident, though it takes several transactions', async () => {
  const asset = await newAsset();
  await tenant.alerts.append(hours(120, 1).map((hour) => alertOf(asset, hour, 'NUMERIC_VALUE_DRIFTS')));
  expect(await backfillIncidents(tenant, run)).toEqual({ alerts: 120, incidents_created: 1, incidents_continued: 0 });
  const [incident] = await tenant.incidents.openOfAsset(asset);
  const { history, description } = await tenant.incidents.get(incident?.id ?? 0);
  expect([history[0]?.state, new Set(history.slice(1).map(({ state }) => state))]).toEqual(['NEW', new Set(['ONGOING'])]);
  expect(history.flatMap(({ alert_refs }) => alert_refs)).toHaveLength(120);
  expect(description).toBe('1 hours ago');
  expect((await tenant.incidents.actors(incident?.id ?? 0))[0]?.actor).toBe('ada@example.com');
  expect(await tenant.alerts.strays({ source: asset, since: '2026-01-01T00:00:00.000Z' })).toEqual([]);
  expect(await backfillIncidents(tenant, run)).toEqual(NOTHING);
});

test('an incident that is there goes on with the alerts after it; those before it and those older than 30 days stay as they are', async () => {
  const asset = await newAsset();
  await tenant.alerts.append([alertOf(asset, 10, 'FRESHNESS_DRIFTS')]);
  await backfillIncidents(tenant, run);
  await tenant.alerts.append([721, 11, 9].map((hour) => alertOf(asset, hour, 'FRESHNESS_DRIFTS')));
  expect(await backfillIncidents(tenant, run)).toEqual({ alerts: 1, incidents_created: 0, incidents_continued: 1 });
  expect(await backfillIncidents(tenant, run)).toEqual(NOTHING);
  const left = await tenant.alerts.strays({ source: asset, since: '2026-01-01T00:00:00.000Z' });
  expect(left.map(({ job_id }) => job_id)).toEqual(['a721', 'a11']);
});

test('it notifies nobody, whatever the monitor says, and is recorded in the audit trail', async () => {
  const asset = await newAsset();
  await tenant.channels.create({ name: 'ops', type: 'WEBHOOK', addresses: ['https://hooks.example.com/a'] });
  const [prebuilt] = await tenant.monitors.list(asset);
  const notification = { send_notifications: true, notification_channel_names: ['ops'] };
  await tenant.monitors.update(asset, prebuilt?.id ?? '', { notification, modified_by: 'ada' });
  await tenant.alerts.append([alertOf(asset, 5, prebuilt?.id ?? '')]);
  const result = await backfillIncidents(tenant, run);
  expect(result).toEqual({ alerts: 1, incidents_created: 1, incidents_continued: 0 });
  expect(await tenant.deliveries.list()).toEqual([]);
  expect((await tenant.audit.list({ subject_type: 'TENANT', limit: 1 }))[0]).toMatchObject({
    actor: 'ada@example.com',
    action: 'BACKFILLED',
    details: result,
  });
});
