// SPDX-License-Identifier: Apache-2.0
/**
 * The tables "Incident", "Metric item", "History item" and "Alert" of the specification, the filters of the incident list, the distribution, the
 * summary and both alert queries: every row, on incidents that scans raised. Whoever reads a value here can find its cause in `seeded-tenant.ts`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Alert, Incident, IncidentDetail, IncidentDistribution } from '@sextant/contracts-observability';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../until.ts';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { assertRefused, bodyOf, ISO_TIME } from '../contract/wire.ts';
import { scan } from '../scanning.ts';
import { startPeer } from './peer.ts';
import { CHANNEL, seedTenant } from './seeded-tenant.ts';

const INCIDENTS = '/api/backend/default/incidents';
const BY_FILTERS = '/api/backend/default/configuration/alerts/by_filters';
const DELIVERY_TIMEOUT_MS = 120_000;

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const { path: directory } = stack.use(await temporaryDirectory());
const receiver = stack.use(await startPeer(() => ({ status: 200, body: {} })));
await mkdir(join(directory, 'sources'));
const { admin, api } = stack.use(await sharedServiceUnderTest());
const seeded = await seedTenant(api, { directory: join(directory, 'sources'), hook: `${receiver.url}/hook` });
const { assets, jobs, monitors } = seeded;

const time = expect.stringMatching(ISO_TIME);
const list = async (query = '') => bodyOf<readonly Incident[]>(await admin.get(`${INCIDENTS}?${query}`));
const policies = async (query: string) => (await list(query)).map(({ alert_policy_name }) => alert_policy_name);
const detail = async ({ id }: Pick<Incident, 'id'>) => bodyOf<IncidentDetail>(await admin.get(`${INCIDENTS}/${id}`));
const alertsOf = async ({ asset_id, history }: IncidentDetail) => {
  const refs = history.flatMap(({ alert_refs }) => alert_refs);
  const body = {
    sources: [asset_id],
    upload_dates: refs.map(({ metric_time }) => metric_time),
    violation_names: refs.map(({ violation_name }) => violation_name),
  };
  return bodyOf<readonly Alert[]>(await admin.post(BY_FILTERS, body));
};

const filled = {
  kind: 'VIOLATION',
  project_id: 0,
  asset_id: assets.orders.id,
  last_upload_timestamp: time,
  created_time: time,
  severity: 'HIGH',
  impact: 'HIGH',
  status: 'OPEN',
  ticket_id: 0,
  alert_policy_id: monitors['Totals are filled']?.id,
  alert_policy_name: 'Totals are filled',
  description: 'completeness of `total` is 80 %, expected 90 % to 100 %',
  tags: ['finance', 'shop'],
};
const positive = {
  ...filled,
  impact: 'LOW',
  alert_policy_id: monitors['Totals are positive']?.id,
  alert_policy_name: 'Totals are positive',
  description: 'correctness of `Totals are positive` is 87.5 %, expected at least 100 %',
};
const mails = {
  ...filled,
  project_id: seeded.sales,
  asset_id: assets.customers.id,
  severity: 'MEDIUM',
  impact: 'MEDIUM',
  alert_policy_id: monitors['Mail addresses are known']?.id,
  alert_policy_name: 'Mail addresses are known',
  description: 'completeness of `email` where country=FR is 40 %, expected 50 % to 100 %',
  tags: [],
};
const prices = {
  ...filled,
  project_id: seeded.sales,
  asset_id: assets.prices.id,
  severity: 'LOW',
  impact: '',
  alert_policy_id: monitors['Mean price']?.id,
  alert_policy_name: 'Mean price',
  description: expect.stringMatching(/`Mean price` is 20.5, expected 10 to 20/),
  tags: ['Finance 100 %'],
};
const ALL = ['Mean price', 'Mail addresses are known', 'Totals are positive', 'Totals are filled'];

describe('incidents', () => {
  test('are listed newest first, each with every field and no other', async () => {
    const listed = await list();
    const id = expect.any(Number);
    // Two of one scan begin in the same instant; the later id is the newer one.
    expect(listed).toEqual([
      { id, ...prices },
      { id, ...mails },
      { id, ...positive },
      { id, ...filled },
    ]);
    expect(listed.every((incident) => Number.isInteger(incident.id))).toBe(true);
    expect(new Set(listed.map((incident) => incident.id)).size).toBe(ALL.length);
  });

  test('last_upload_timestamp is the metric time of the scan, created_time lies in the time of the scans', async () => {
    for (const incident of await list()) {
      const [point] = await api.call('list_metrics', {}, { query: { asset_id: incident.asset_id, metric_name: 'RECORD_COUNT' } });
      expect(incident.last_upload_timestamp).toBe(point?.metric_time);
      expect(incident.created_time >= seeded.period.from && incident.created_time <= seeded.period.to).toBe(true);
    }
  });

  test.each([
    [
      'Totals are filled',
      { attribute: 'total', metric_name: 'COMPLETENESS', display_metric_name: 'Completeness', segment: null, rule: null },
    ],
    [
      'Totals are positive',
      { attribute: 'total', metric_name: 'CORRECTNESS', display_metric_name: 'Correctness', segment: null, rule: 'Totals are positive' },
    ],
    [
      'Mail addresses are known',
      { attribute: 'email', metric_name: 'COMPLETENESS', display_metric_name: 'Completeness', segment: 'country=FR', rule: null },
    ],
  ])('in detail have metrics and history besides: %s', async (policy, metric) => {
    const incident = await seeded.incidentOf(policy);
    const { metrics, history, ...listed } = await detail(incident);
    expect(listed).toEqual(incident);
    expect(metrics).toEqual([{ metric_aggregation: 'ratio', ...metric }]);
    expect(history).toEqual([
      {
        timestamp: incident.created_time,
        state: 'NEW',
        alert_refs: [{ metric_time: incident.last_upload_timestamp, violation_name: expect.stringMatching(/^FEATURE\./) }],
      },
    ]);
  });

  test('a metric that somebody defined belongs to no attribute', async () => {
    const { metrics, history } = await detail(await seeded.incidentOf('Mean price'));
    const metric_name = 'CUSTOM';
    expect(metrics).toEqual([
      { metric_name, metric_aggregation: 'value', display_metric_name: 'Custom metric', segment: null, rule: null, attribute: null },
    ]);
    expect(history[0]?.alert_refs[0]?.violation_name).toMatch(/^DATA\./);
  });
});

describe('the list filters by', () => {
  const { from, to } = seeded.period;
  const ofSales = ['Mean price', 'Mail addresses are known'];
  const ofOrders = ['Totals are positive', 'Totals are filled'];
  const before = '2020-01-01T00:00:00.000Z';

  test.each([
    ['project_ids', `project_ids=${seeded.sales}`, ofSales],
    ['project_ids', 'project_ids=0', ofOrders],
    ['several project_ids', `project_ids=0,${seeded.sales}`, ALL],
    ['connection_types', 'connection_types=UPLOAD', ofOrders],
    ['connection_types', 'connection_types=FILE,S3', ofSales],
    ['connection_types', 'connection_types=POSTGRESQL', []],
    [
      'alert_policy_ids',
      `alert_policy_ids=${monitors['Mean price']?.id},${monitors['Totals are filled']?.id}`,
      ['Mean price', 'Totals are filled'],
    ],
    ['alert_policy_ids', 'alert_policy_ids=RECORD_COUNT_DRIFTS', []],
    ['severities', 'severities=HIGH', ofOrders],
    ['severities', 'severities=LOW,MEDIUM', ofSales],
    ['impacts', 'impacts=LOW', ['Totals are positive']],
    ['impacts', 'impacts=HIGH,MEDIUM', ['Mail addresses are known', 'Totals are filled']],
    ['connection_ids', `connection_ids=${seeded.connections.prices}`, ['Mean price']],
    ['connection_ids', `connection_ids=${seeded.connections.customers},${seeded.connections.prices}`, ofSales],
    ['connection_ids', 'connection_ids=conn-123', []],
    ['from_time', `from_time=${from}`, ALL],
    ['from_time', `from_time=${to}`, []],
    ['to_time', `to_time=${to}`, ALL],
    ['to_time', `to_time=${before}`, []],
    ['from_time and to_time', `from_time=${from}&to_time=${to}`, ALL],
    ['text_to_search in policy names', 'text_to_search=totals', ofOrders],
    ['text_to_search in source names', 'text_to_search=CUSTOM', ['Mail addresses are known']],
    ['text_to_search, taken literally', 'text_to_search=%25', []],
    ['several parameters at once', `severities=HIGH&impacts=LOW,MEDIUM&project_ids=0`, ['Totals are positive']],
  ])('%s: %s', async (_, query, expected) => {
    expect(await policies(query)).toEqual(expected);
    const days = bodyOf<IncidentDistribution>(await admin.get(`${INCIDENTS}/distribution?${query}`)).incidents;
    const counted = days.reduce((sum, { counts }) => sum + Object.values(counts).reduce((a, b) => a + b, 0), 0);
    expect(counted, 'the distribution takes the same filters').toBe(expected.length);
  });

  test('created_time, both bounds included', async () => {
    const { created_time } = await seeded.incidentOf('Mean price');
    expect(await policies(`from_time=${created_time}&to_time=${created_time}`)).toEqual(['Mean price']);
  });
});

test('the distribution counts severities and impacts of each day', async () => {
  const { incidents } = bodyOf<IncidentDistribution>(await admin.get(`${INCIDENTS}/distribution`));
  const days = Map.groupBy(await list(), ({ created_time }) => created_time.slice(0, 10));
  // One day, or two where the scans ran past midnight.
  expect(incidents.filter(({ counts }) => Object.values(counts).some((count) => count > 0)).map(({ date }) => date)).toEqual(
    [...days.keys()].toSorted(),
  );
  const sum = (pick: (day: IncidentDistribution['incidents'][number]) => number) => incidents.reduce((total, day) => total + pick(day), 0);
  expect(incidents.map(({ counts }) => Object.keys(counts).toSorted())).toEqual(incidents.map(() => ['', 'HIGH', 'LOW', 'MEDIUM']));
  expect(['LOW', 'MEDIUM', 'HIGH', ''].map((level) => sum(({ counts }) => counts[level as 'LOW']))).toEqual([1, 1, 2, 0]);
  // One incident has no impact and is counted in none.
  expect(['LOW', 'MEDIUM', 'HIGH'].map((level) => sum(({ counts_by_impact }) => counts_by_impact[level as 'LOW']))).toEqual([1, 1, 1]);
});

describe('alerts', () => {
  const common = { save_time: time, metric_time: time, create_time: time, is_notification_enabled: false, is_notified: false, segment: '' };
  const ofOrders = {
    ...common,
    source: assets.orders.id,
    job_id: jobs.orders.id,
    source_name: 'Orders',
    source_type: 'UPLOAD',
    project_name: 'Default',
  };
  const values = (value: number, lower_bound: number | null, upper_bound: number | null) =>
    expect.objectContaining({ value, lower_bound, upper_bound });

  test('of an incident come by its asset and its references, with every field and no other', async () => {
    const incident = await detail(await seeded.incidentOf('Totals are filled'));
    await until('the notification is delivered', DELIVERY_TIMEOUT_MS, async () => {
      const [alert] = await alertsOf(incident);
      return alert?.is_notified === true ? alert : undefined;
    });
    expect(await alertsOf(incident)).toEqual([
      {
        ...ofOrders,
        type: 'THRESHOLD_BREACH',
        attribute: 'total',
        create_time: jobs.orders.created_at,
        violation_data: values(80, 90, 100),
        violation_name: incident.history[0]?.alert_refs[0]?.violation_name,
        notification_channels: [CHANNEL],
        is_notification_enabled: true,
        metric_time: incident.last_upload_timestamp,
        is_notified: true,
        metric_value: 80,
        policy_name: 'Totals are filled',
        priority: 'HIGH',
        description: { HIGH: [incident.description] },
        tags: ['finance', 'shop'],
      },
    ]);
    expect(receiver.requests).toHaveLength(1);
    expect(JSON.stringify(receiver.requests)).toContain('Totals are filled');
  });

  test('of a rule, of a segment and of a metric say so', async () => {
    const [rule] = await alertsOf(await detail(await seeded.incidentOf('Totals are positive')));
    expect(rule).toEqual({
      ...ofOrders,
      type: 'RULE_VIOLATION',
      attribute: 'total',
      violation_data: values(87.5, 100, null),
      violation_name: expect.stringMatching(/^FEATURE\./),
      notification_channels: [],
      metric_value: 87.5,
      policy_name: 'Totals are positive',
      priority: 'HIGH',
      description: { HIGH: [positive.description] },
      tags: ['finance', 'shop'],
      // The same attribute is at fault: the message about its completeness tells this, too.
      is_notified: true,
    });
    const [mail] = await alertsOf(await detail(await seeded.incidentOf('Mail addresses are known')));
    expect(mail).toMatchObject({
      segment: 'country=FR',
      metric_value: 40,
      priority: 'MEDIUM',
      description: { MEDIUM: [mails.description] },
      source_type: 'FILE',
      project_name: 'Sales',
      tags: [],
    });
    const [price] = await alertsOf(await detail(await seeded.incidentOf('Mean price')));
    expect(price).toMatchObject({ attribute: '', metric_value: 20.5, priority: 'LOW', source_name: 'Prices', tags: ['Finance 100 %'] });
  });

  test('by_filters joins sources, times and names, each as alternatives', async () => {
    const incidents = await Promise.all((await list()).map(detail));
    const refs = incidents.flatMap(({ history }) => history.flatMap(({ alert_refs }) => alert_refs));
    const ask = async (sources: readonly string[], upload_dates: readonly string[], violation_names: readonly string[]) =>
      bodyOf<readonly Alert[]>(await admin.post(BY_FILTERS, { sources, upload_dates, violation_names })).map(
        ({ policy_name }) => policy_name,
      );
    const times = refs.map(({ metric_time }) => metric_time);
    const names = refs.map(({ violation_name }) => violation_name);
    const sources = incidents.map(({ asset_id }) => asset_id);
    expect((await ask(sources, times, names)).toSorted()).toEqual(ALL.toSorted());
    expect((await ask([assets.orders.id], times, names)).toSorted()).toEqual(['Totals are filled', 'Totals are positive']);
    expect(await ask(sources, times, ['nothing'])).toEqual([]);
    expect(await ask(sources, ['2020-01-01T00:00:00Z'], names)).toEqual([]);
  });

  test('of a job carry the stated subset', async () => {
    const path = `/api/backend/default/configuration/sources/${assets.customers.id}/alerts?job_id=${jobs.customers.id}`;
    expect(bodyOf(await admin.post(path))).toEqual([
      {
        type: 'THRESHOLD_BREACH',
        source: assets.customers.id,
        description: { MEDIUM: [mails.description] },
        job_id: jobs.customers.id,
        create_time: jobs.customers.created_at,
        save_time: time,
        is_notification_enabled: false,
        metric_time: time,
        metric_value: 40,
        policy_name: 'Mail addresses are known',
        priority: 'MEDIUM',
        source_name: 'Customers',
        source_type: 'FILE',
      },
    ]);
    // A job of another asset is none of this one.
    assertRefused(await admin.post(path.replace(jobs.customers.id, jobs.orders.id)), 404, /job/i);
  });
});

test('an incident goes on, is resolved, is reopened, and the summary counts along', async () => {
  const id = (await seeded.incidentOf('Mean price')).id;
  const summary = async () => bodyOf<object>(await admin.get(`${INCIDENTS}/summary`));
  const hours = { mean_time_to_resolve: 0, previous_mean_time_to_resolve: 0 };
  expect(await summary()).toEqual({
    total: 4,
    open: 4,
    closed: 0,
    ...hours,
    open_by_tag: { finance: 2, shop: 2, 'Finance 100 %': 1 },
    closed_by_tag: {},
  });

  const again = await scan(api, assets.prices.id);
  const fair = await seeded.pricesAre('fair');
  expect(fair.details).toMatch(/2 records scanned/);
  expect(await detail({ id })).toMatchObject({ status: 'CLOSED', severity: 'LOW' });
  expect(await summary()).toEqual({
    total: 4,
    open: 3,
    closed: 1,
    ...hours,
    open_by_tag: { finance: 2, shop: 2 },
    closed_by_tag: { 'Finance 100 %': 1 },
  });

  const dear = await seeded.pricesAre('dear');
  const { history, status, last_upload_timestamp, created_time } = await detail({ id });
  expect(status).toBe('OPEN');
  expect(history.map(({ state, alert_refs }) => [state, alert_refs.length])).toEqual([
    ['NEW', 1],
    ['ONGOING', 1],
    ['RESOLVED', 0],
    ['REOPENED', 1],
  ]);
  expect(history.map(({ timestamp }) => timestamp)).toEqual(history.map(({ timestamp }) => timestamp).toSorted());
  expect(history[0]?.timestamp).toBe(created_time);
  expect(history.at(-1)?.alert_refs[0]?.metric_time).toBe(last_upload_timestamp);
  const found = await alertsOf(await detail({ id }));
  expect(found.map(({ job_id }) => job_id).toSorted()).toEqual([jobs.prices.id, again.id, dear.id].toSorted());
});
