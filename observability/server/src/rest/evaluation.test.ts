// SPDX-License-Identifier: Apache-2.0
/** Alerts and incidents over HTTP, on what real scans of uploaded files find. */
import type { Alert, Asset, Incident, IncidentDetail, IncidentDistribution, IncidentSummary, Job } from '@sextant/contracts-observability';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const BACKEND = '/api/backend/default';
const ROWS = 60;

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

async function ask<Answer>(method: string, path: string, body?: unknown, headers = admin): Promise<Answer> {
  const reply = await service.call(method, path, body, headers);
  expect(reply, `${method} ${path} answered ${reply.text}`).toMatchObject({ status: 200 });
  return reply.body as Answer;
}

/** Amounts of the first rows can be left out. */
function csv(emptyAmounts = 0): string {
  const rows = Array.from({ length: ROWS }, (_, row) => `${row},customer ${row % 7},${row < emptyAmounts ? '' : 10 + (row % 5)}`);
  return `id,name,amount\n${rows.join('\n')}\n`;
}

async function upload(text: string): Promise<Asset['payload']> {
  const headers = { ...admin, 'content-type': 'text/csv' };
  return (await ask<{ payload: Asset['payload'] }>('POST', '/default/uploads?name=orders.csv', text, headers)).payload;
}

/** An asset with a monitor that wants its amounts filled; the monitors that learn need more scans than these. */
async function watchedAsset(name: string, watched: object = { all: true }): Promise<{ readonly id: string; readonly monitorId: string }> {
  const body = { name, type: 'UPLOAD', payload: await upload(csv()), tags: ['sales'] };
  const { id } = await ask<Asset>('POST', `${BACKEND}/configuration/projects/0/assets`, body);
  await ask('PUT', `${BACKEND}/configuration/assets/${id}/attributes`, watched);
  const monitor = {
    type: 'PREDEFINED_METRIC',
    name: `Amounts of ${name}`,
    enabled: true,
    impact: 'HIGH',
    tags: ['gold'],
    monitor: { predefined_metric: 'COMPLETENESS', attributes: ['amount'] },
    threshold: { threshold_type: 'STATIC', threshold1: 95, threshold2: 100 },
  };
  const { id: monitorId } = await ask<{ id: string }>('POST', `/default/configuration/assets/${id}/monitors`, monitor);
  return { id, monitorId };
}

async function scan(id: string): Promise<Job> {
  const { job_id } = await ask<{ job_id: string }>('POST', `/default/assets/${id}/batch_data`);
  return service.untilEnded(job_id, admin);
}

async function deliver(id: string, text: string): Promise<Job> {
  await ask('PUT', `${BACKEND}/configuration/projects/0/assets/${id}`, { payload: await upload(text) });
  return scan(id);
}

async function incidentOf(policyId: string, assetId: string): Promise<IncidentDetail> {
  const listed = (await ask<Incident[]>('GET', `${BACKEND}/incidents?alert_policy_ids=${policyId}`)).filter(
    ({ asset_id }) => asset_id === assetId,
  );
  expect(listed).toHaveLength(1);
  return ask<IncidentDetail>('GET', `${BACKEND}/incidents/${listed[0]?.id}`);
}

function alertsOf({ asset_id, history }: IncidentDetail): Promise<readonly Alert[]> {
  const refs = history.flatMap(({ alert_refs }) => alert_refs);
  return ask<Alert[]>('POST', `${BACKEND}/configuration/alerts/by_filters`, {
    sources: [asset_id],
    upload_dates: refs.map(({ metric_time }) => metric_time),
    violation_names: refs.map(({ violation_name }) => violation_name),
  });
}

describe('a damaged delivery', () => {
  let id: string;
  let monitorId: string;
  let good: Job;
  let damaged: Job;
  beforeAll(async () => {
    ({ id, monitorId } = await watchedAsset('orders'));
    good = await scan(id);
    damaged = await deliver(id, csv(24));
  });

  test('raises alerts, which its job counts and lists', async () => {
    expect(good.details).toContain('No alert was raised.');
    const alerts = await ask<Partial<Alert>[]>('POST', `${BACKEND}/configuration/sources/${id}/alerts?job_id=${damaged.id}`);
    expect(damaged.details).toContain(`${alerts.length === 1 ? '1 alert was' : `${alerts.length} alerts were`} raised.`);
    expect(alerts).toContainEqual({
      type: expect.stringMatching(/^[A-Z_]+$/),
      source: id,
      description: { HIGH: [expect.stringContaining('60')] },
      job_id: damaged.id,
      create_time: damaged.created_at,
      save_time: expect.any(String),
      is_notification_enabled: false,
      metric_time: expect.any(String),
      metric_value: 60,
      policy_name: 'Amounts of orders',
      priority: 'HIGH',
      source_name: 'orders',
      source_type: 'UPLOAD',
    });
    expect(await ask('POST', `${BACKEND}/configuration/sources/${id}/alerts?job_id=${good.id}`)).toEqual([]);
  });

  test('opens an incident that says what, where and how bad', async () => {
    const incident = await incidentOf(monitorId, id);
    const [alert] = await alertsOf(incident);
    expect(incident).toEqual({
      id: expect.any(Number),
      project_id: 0,
      asset_id: id,
      last_upload_timestamp: alert?.metric_time,
      created_time: alert?.save_time,
      severity: 'HIGH',
      impact: 'HIGH',
      status: 'OPEN',
      ticket_id: 0,
      alert_policy_id: monitorId,
      alert_policy_name: 'Amounts of orders',
      description: alert?.description.HIGH?.[0],
      tags: ['gold', 'sales'],
      kind: 'VIOLATION',
      metrics: [
        {
          metric_name: 'COMPLETENESS',
          metric_aggregation: 'ratio',
          display_metric_name: 'Completeness',
          segment: null,
          rule: null,
          attribute: 'amount',
        },
      ],
      history: [
        {
          timestamp: alert?.save_time,
          state: 'NEW',
          alert_refs: [{ metric_time: alert?.metric_time, violation_name: alert?.violation_name }],
        },
      ],
    });
    expect(alert).toMatchObject({
      attribute: 'amount',
      segment: '',
      project_name: 'Default',
      notification_channels: [],
      is_notified: false,
      tags: ['gold', 'sales'],
      violation_data: { metric_name: 'COMPLETENESS', value: 60, lower_bound: 95, upper_bound: 100 },
    });
    const points = `/api/search/default/metrics?asset_id=${id}&metric_name=COMPLETENESS&attribute=amount&job_id=`;
    expect(await ask('GET', points + damaged.id)).toMatchObject([{ lower_bound: 95, upper_bound: 100, is_violation: true }]);
    expect(await ask('GET', points + good.id)).toMatchObject([{ lower_bound: 95, upper_bound: 100, is_violation: false }]);
  });

  test('goes on, ends with a repaired one, and comes back', async () => {
    await deliver(id, csv(30));
    await deliver(id, csv());
    const resolved = await incidentOf(monitorId, id);
    expect(resolved).toMatchObject({ status: 'CLOSED', severity: 'HIGH' });
    expect(resolved.history.map(({ state, alert_refs }) => [state, alert_refs.length])).toEqual([
      ['NEW', 1],
      ['ONGOING', 1],
      ['RESOLVED', 0],
    ]);
    await deliver(id, csv(12));
    const reopened = await incidentOf(monitorId, id);
    expect(reopened).toMatchObject({ id: resolved.id, status: 'OPEN', created_time: resolved.created_time });
    expect(reopened.history.map(({ state }) => state)).toEqual(['NEW', 'ONGOING', 'RESOLVED', 'REOPENED']);
    expect(reopened.last_upload_timestamp).toBe(reopened.history.at(-1)?.alert_refs[0]?.metric_time);
    const times = reopened.history.map(({ timestamp }) => timestamp);
    expect(times).toEqual(times.toSorted());
    const alerts = await alertsOf(reopened);
    expect(alerts.map(({ metric_value }) => metric_value)).toEqual([80, 50, 60]);
    expect(new Set(alerts.map(({ policy_name }) => policy_name))).toEqual(new Set(['Amounts of orders']));
  });

  test('is found by every filter, counted per day and in the summary', async () => {
    const { id: incidentId, created_time } = await incidentOf(monitorId, id);
    const day = created_time.slice(0, 10);
    const from = `from_time=${day}T00:00:00.000Z&to_time=${day}T23:59:59.999Z`;
    const filters = ['project_ids=0', 'connection_types=UPLOAD', 'severities=HIGH', 'impacts=HIGH', 'text_to_search=AMOUNTS', from];
    for (const filter of filters) {
      expect((await ask<Incident[]>('GET', `${BACKEND}/incidents?${filter}`)).map((found) => found.id)).toContain(incidentId);
    }
    for (const filter of ['project_ids=9', 'connection_types=S3', 'severities=LOW', 'impacts=LOW', 'text_to_search=nothing']) {
      expect((await ask<Incident[]>('GET', `${BACKEND}/incidents?${filter}`)).map((found) => found.id)).not.toContain(incidentId);
    }
    const { incidents } = await ask<IncidentDistribution>('GET', `${BACKEND}/incidents/distribution?alert_policy_ids=${monitorId}&${from}`);
    expect(incidents).toEqual([
      { date: day, counts: { LOW: 0, MEDIUM: 0, HIGH: 1, '': 0 }, counts_by_impact: { LOW: 0, MEDIUM: 0, HIGH: 1 } },
    ]);
    const summary = await ask<IncidentSummary>('GET', `${BACKEND}/incidents/summary`);
    expect(summary.total).toBe(summary.open + summary.closed);
    expect(summary.open_by_tag).toMatchObject({ gold: 1 });
  });
});

/** Patterns of texts, which a scan takes longest for, are not looked for in it. */
const NUMBERS = { monitored: ['id', 'amount'] };
const RENAMED = csv().replace('id', 'key');

test('a renamed column opens an incident of the policy that watches the schema, and closes it when the old one is back', async () => {
  const { id } = await watchedAsset('renamed', NUMBERS);
  await scan(id);
  const job = await deliver(id, RENAMED);
  const incident = await incidentOf('SCHEMA_DRIFTS', id);
  expect(incident).toMatchObject({ status: 'OPEN', severity: 'HIGH', alert_policy_name: 'Schema drifts', history: [{ state: 'NEW' }] });
  const alerts = await alertsOf(incident);
  expect(alerts).not.toEqual([]);
  for (const alert of alerts) expect(alert).toMatchObject({ type: 'SCHEMA_CHANGE', job_id: job.id, policy_name: 'Schema drifts' });
  // Other incidents of the same scan have their own alerts.
  const others = await ask<Alert[]>('POST', `${BACKEND}/configuration/sources/${id}/alerts?job_id=${job.id}`);
  expect(others.filter(({ policy_name }) => policy_name === 'Schema drifts')).toHaveLength(alerts.length);
  await deliver(id, RENAMED);
  expect(await incidentOf('SCHEMA_DRIFTS', id)).toMatchObject({ status: 'OPEN' });
  await deliver(id, csv());
  const { status, history } = await incidentOf('SCHEMA_DRIFTS', id);
  expect([status, history.map(({ state }) => state)]).toEqual(['CLOSED', ['NEW', 'ONGOING', 'RESOLVED']]);
});

test('a renamed column that stays is accepted after three scans', async () => {
  const { id } = await watchedAsset('renamed for good', NUMBERS);
  await scan(id);
  for (const _ of [1, 2, 3, 4]) await deliver(id, RENAMED);
  const { history } = await incidentOf('SCHEMA_DRIFTS', id);
  expect(history.map(({ state }) => state)).toEqual(['NEW', 'ONGOING', 'ONGOING', 'RESOLVED']);
});

test('stale dates open an incident also where no attribute is named as the timestamp', async () => {
  const dated = (daysAgo: number): string => {
    const dayOf = (row: number) => new Date(Date.UTC(2026, 0, 1 + row - daysAgo)).toISOString().slice(0, 10);
    return `id,day,amount\n${Array.from({ length: ROWS }, (_, row) => `${row},${dayOf(row)},1`).join('\n')}\n`;
  };
  const { id } = await watchedAsset('dated');
  for (const _ of [1, 2, 3, 4, 5, 6]) await deliver(id, dated(0));
  await deliver(id, dated(90));
  const stale = await incidentOf('NUMERIC_VALUE_DRIFTS', id);
  expect(stale).toMatchObject({ status: 'OPEN', metrics: [{ attribute: 'day' }] });
  expect(stale.description).toMatch(/ of `day` is 20\d\d-\d\d-\d\d \d\d:\d\d, expected .* days too early/);
  await deliver(id, dated(0));
  expect(await incidentOf('NUMERIC_VALUE_DRIFTS', id)).toMatchObject({ status: 'CLOSED' });
});

test('a scan that fails opens an incident, and the next good one closes it', async () => {
  const { id } = await watchedAsset('broken', NUMBERS);
  await scan(id);
  const place = `${BACKEND}/configuration/projects/0/assets/${id}`;
  const { payload } = await ask<Asset>('GET', place);
  await ask('PUT', place, { payload: {} });
  const failed = await scan(id);
  expect(failed).toMatchObject({ status: 'FAILED' });
  const incident = await incidentOf('DATA_PROCESS_FAILURE', id);
  expect(incident).toMatchObject({ status: 'OPEN', severity: 'HIGH', description: `The scan failed: ${failed.details}` });
  expect(await alertsOf(incident)).toMatchObject([{ type: 'DATA_PROCESS_FAILURE', job_id: failed.id, metric_value: 1, attribute: '' }]);
  await ask('PUT', place, { payload });
  expect(await scan(id)).toMatchObject({ status: 'FINISHED' });
  expect(await incidentOf('DATA_PROCESS_FAILURE', id)).toMatchObject({ status: 'CLOSED' });
});
