// SPDX-License-Identifier: Apache-2.0
import type { NewAlert } from '@sextant/observability-metadata';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
let assetId: string;
let jobId: string;
let ids: readonly number[];
const call = (method: string, path: string, body?: unknown) => service.call(method, path, body, admin);
const BACKEND = '/api/backend/default';
const COMPLETENESS = {
  metric_name: 'COMPLETENESS',
  metric_aggregation: 'ratio',
  display_metric_name: 'Completeness',
  segment: null,
  rule: null,
  attribute: 'a',
};

beforeAll(async () => {
  service = await testService();
  admin = await service.login();
  const asset = await call('POST', `${BACKEND}/configuration/projects/0/assets`, { name: 'orders', type: 'UPLOAD', payload: {} });
  assetId = (asset.body as { id: string }).id;
  await using store = await service.openStore();
  const tenant = store.forTenant('default');
  // Nobody must run it: it would add alerts of its own.
  jobId = await tenant.atomically(async ({ jobs }) => {
    const { id } = await jobs.enqueue({ asset_id: assetId, request: { trigger: 'api' }, whenBusy: 'wait' });
    await jobs.requestCancel(id, 'ada');
    return id;
  });
  const open = (day: string, severity: 'HIGH' | 'LOW' | '', impact: 'HIGH' | null, name: string) =>
    tenant.incidents.open({
      asset_id: assetId,
      last_upload_timestamp: `${day}T10:00:00.000Z`,
      created_time: `${day}T10:00:00.000Z`,
      severity,
      impact,
      alert_policy_id: 'COMPLETENESS_DRIFTS',
      alert_policy_name: name,
      description: name,
      tags: ['finance'],
      metrics: [COMPLETENESS],
      history: {
        timestamp: `${day}T10:00:00.000Z`,
        state: 'NEW',
        alert_refs: [{ metric_time: `${day}T10:00:00.000Z`, violation_name: 'FEATURE.1' }],
      },
    });
  const first = await open('2025-01-01', 'HIGH', 'HIGH', 'Completeness drifts');
  const second = await open('2025-01-03', '', null, 'Freshness drifts');
  await tenant.incidents.advance(first.id, { timestamp: '2025-01-02T10:00:00.000Z', state: 'RESOLVED', alert_refs: [] });
  await tenant.alerts.append([alert()]);
  ids = [second.id, first.id];
});
afterAll(async () => service[Symbol.asyncDispose]());

function alert(): NewAlert {
  const time = '2025-01-01T10:00:00.000Z';
  return {
    monitor_id: 'COMPLETENESS_DRIFTS',
    series: { metric_name: 'COMPLETENESS', metric_aggregation: 'ratio', attribute: 'a', segment: null, monitor_id: null },
    metric: COMPLETENESS,
    type: 'COMPLETENESS',
    source: assetId,
    attribute: 'a',
    job_id: jobId,
    create_time: time,
    save_time: time,
    violation_data: { expected: 100 },
    violation_name: 'FEATURE.1',
    notification_channels: ['ops'],
    is_notification_enabled: true,
    metric_time: time,
    is_notified: false,
    metric_value: 55.5,
    policy_name: 'Completeness drifts',
    segment: '',
    priority: 'HIGH',
    description: { HIGH: ['too few values'] },
    source_name: 'orders',
    source_type: 'UPLOAD',
    project_name: 'Default',
    tags: ['finance'],
  };
}

describe('incidents', () => {
  test('are listed newest first with every field', async () => {
    const { body } = await call('GET', `${BACKEND}/incidents`);
    const list = body as { id: number }[];
    expect(list.map(({ id }) => id)).toEqual(ids);
    expect(list[1]).toEqual({
      id: ids[1],
      project_id: 0,
      asset_id: assetId,
      last_upload_timestamp: '2025-01-01T10:00:00.000Z',
      created_time: '2025-01-01T10:00:00.000Z',
      severity: 'HIGH',
      impact: 'HIGH',
      status: 'CLOSED',
      ticket_id: 0,
      alert_policy_id: 'COMPLETENESS_DRIFTS',
      alert_policy_name: 'Completeness drifts',
      description: 'Completeness drifts',
      tags: ['finance'],
      kind: 'VIOLATION',
    });
  });

  test.each([
    ['severities=HIGH,LOW', 1],
    ['impacts=HIGH', 1],
    ['impacts=NONE', 1],
    ['impacts=HIGH,NONE', 2],
    ['project_ids=0', 2],
    ['project_ids=1,2', 0],
    ['connection_types=UPLOAD', 2],
    ['connection_types=S3', 0],
    ['alert_policy_ids=COMPLETENESS_DRIFTS', 2],
    ['connection_ids=conn-123', 0],
    ['asset_ids=unknown', 0],
    ['statuses=OPEN', 1],
    ['statuses=OPEN,CLOSED', 2],
    ['from_time=2025-01-02T00:00:00Z', 1],
    ['to_time=2025-01-01T10:00:00.000Z', 1],
    ['text_to_search=FRESH', 1],
    ['text_to_search=orders', 2],
    ['severities=HIGH&text_to_search=fresh', 0],
    ['limit=1', 1],
    ['limit=10&offset=1', 1],
    ['from_time=2025-01-02T00:00:00%2B02:00', 1],
    ['text_to_search=caf%C3%A9%20%25_', 0],
    ['project_ids=&severities=&text_to_search=', 2],
  ])('are filtered by %s', async (query, count) => {
    expect((await call('GET', `${BACKEND}/incidents?${query}`)).body).toHaveLength(count);
  });

  test.each([
    'severities=URGENT',
    'severities=NONE',
    'project_ids=a',
    'statuses=NEW',
    'from_time=yesterday',
    'from_time=2025-02-01T00:00:00Z&to_time=2025-01-01T00:00:00Z',
    'from_time=2025-02-30T00:00:00Z',
    'impacts=low',
    'project_ids=1.5',
    'color=red',
  ])('refuse the filter %s by its name', async (query) => {
    for (const path of ['incidents', 'incidents/distribution']) {
      const reply = await call('GET', `${BACKEND}/${path}?${query}`);
      expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(query.split('=')[0] ?? '') } });
    }
  });

  test('one has its metrics and its history', async () => {
    const { body } = await call('GET', `${BACKEND}/incidents/${ids[1]}`);
    expect(body).toMatchObject({
      id: ids[1],
      metrics: [COMPLETENESS],
      history: [
        { state: 'NEW', alert_refs: [{ metric_time: '2025-01-01T10:00:00.000Z', violation_name: 'FEATURE.1' }] },
        { state: 'RESOLVED', alert_refs: [] },
      ],
    });
    for (const id of ['999999', 'abc', '99999999999999999999'])
      expect(await call('GET', `${BACKEND}/incidents/${id}`)).toMatchObject({ status: 404 });
  });

  test('are counted per day, days without any included', async () => {
    const none = { LOW: 0, MEDIUM: 0, HIGH: 0 };
    expect((await call('GET', `${BACKEND}/incidents/distribution`)).body).toEqual({
      incidents: [
        { date: '2025-01-01', counts: { ...none, HIGH: 1, '': 0 }, counts_by_impact: { ...none, HIGH: 1 } },
        { date: '2025-01-02', counts: { ...none, '': 0 }, counts_by_impact: none },
        { date: '2025-01-03', counts: { ...none, '': 1 }, counts_by_impact: none },
      ],
    });
  });

  test('are counted on every day of a period', async () => {
    const reply = await call('GET', `${BACKEND}/incidents/distribution?from_time=2026-01-01T00:00:00Z&to_time=2026-01-03T12:00:00Z`);
    const dates = ['2026-01-01', '2026-01-02', '2026-01-03'].map((date) => ({ date, counts_by_impact: { HIGH: 0 } }));
    expect(reply).toMatchObject({ status: 200, body: { incidents: dates } });
  });

  test('are summed up', async () => {
    expect((await call('GET', `${BACKEND}/incidents/summary`)).body).toMatchObject({
      total: 2,
      open: 1,
      closed: 1,
      mean_time_to_resolve: expect.any(Number),
      previous_mean_time_to_resolve: expect.any(Number),
      open_by_tag: { finance: 1 },
      closed_by_tag: { finance: 1 },
    });
  });
});

describe('alerts', () => {
  test('of an incident are found by its references', async () => {
    const { monitor_id: _monitor, series: _series, metric: _metric, ...expected } = alert();
    const filters = { sources: [assetId], upload_dates: ['2025-01-01T11:00:00+01:00'], violation_names: ['FEATURE.1'] };
    expect((await call('POST', `${BACKEND}/configuration/alerts/by_filters`, filters)).body).toEqual([expected]);
    expect((await call('POST', `${BACKEND}/configuration/alerts/by_filters`, { ...filters, sources: ['x'] })).body).toEqual([]);
  });

  test.each([
    [{}, 'sources'],
    [{ sources: 'x', upload_dates: [], violation_names: [] }, 'sources'],
    [{ sources: [], upload_dates: ['2025-02-30T00:00:00Z'], violation_names: [] }, 'upload_dates[0]'],
    [{ sources: [], upload_dates: [], violation_names: [7] }, 'violation_names[0]'],
  ])('refuse %j and name %s', async (filters, member) => {
    const reply = await call('POST', `${BACKEND}/configuration/alerts/by_filters`, filters);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(member) } });
  });

  test.each([
    ['with the slash', '/alerts'],
    ['as it is published, without', 'alerts'],
  ])('of a job, %s, carry the published subset', async (_how, end) => {
    const { body, status } = await call('POST', `${BACKEND}/configuration/sources/${assetId}${end}?job_id=${jobId}`);
    expect(status).toBe(200);
    const {
      type,
      source,
      description,
      job_id,
      create_time,
      save_time,
      is_notification_enabled,
      metric_time,
      metric_value,
      policy_name,
      priority,
    } = alert();
    const subset = {
      type,
      source,
      description,
      job_id,
      create_time,
      save_time,
      is_notification_enabled,
      metric_time,
      metric_value,
      policy_name,
      priority,
    };
    expect(body).toEqual([{ ...subset, source_name: 'orders', source_type: 'UPLOAD' }]);
  });

  test('of an unknown job or source are 404; without a job 400', async () => {
    expect(await call('POST', `${BACKEND}/configuration/sources/${assetId}/alerts?job_id=a${'0'.repeat(32)}`)).toMatchObject({
      status: 404,
    });
    expect(await call('POST', `${BACKEND}/configuration/sources/unknown/alerts?job_id=${jobId}`)).toMatchObject({ status: 404 });
    expect(await call('POST', `${BACKEND}/configuration/sources/${assetId}/alerts`)).toMatchObject({ status: 400 });
  });
});
