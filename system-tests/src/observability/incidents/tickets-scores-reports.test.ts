// SPDX-License-Identifier: Apache-2.0
/**
 * The tables "Ticket template", "DQ score configuration" and "DQ reporting configuration" of the specification: every row, by what it does to
 * the tickets, scores and reports that a scan leads to. Whoever reads a value here can find its cause in `seeded-tenant.ts`.
 */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { CurrentScore, IncidentDetail, Ticket, TicketTemplate } from '@sextant/contracts-observability';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { parquetReadObjects } from 'hyparquet';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../until.ts';
import { sharedServiceUnderTest } from '../contract/service-under-test.ts';
import { assertRefused, bodyOf } from '../contract/wire.ts';
import { BUCKET, startGatedStore } from '../reports/store-gate.ts';
import { scan } from '../scanning.ts';
import { type PeerRequest, startPeer } from './peer.ts';
import { MONITORS, seedTenant } from './seeded-tenant.ts';

const TEMPLATES = '/default/configuration/integrations/tickets/template';
const REPORTING = '/default/configuration/dq_reporting';
const WAIT_MS = 120_000;

const stack = new AsyncDisposableStack();
afterAll(() => stack.disposeAsync());
const { path: directory } = stack.use(await temporaryDirectory());
const tracker = stack.use(await startPeer(answerOfTracker));
const store = stack.use(await startGatedStore());
await store.put('reports/.keep', '');
await mkdir(join(directory, 'sources'));
const { admin, api } = stack.use(await sharedServiceUnderTest());
const seeded = await seedTenant(api, { directory: join(directory, 'sources'), hook: `${tracker.url}/hook` });
const { orders, customers } = seeded.assets;

describe('a ticket template', async () => {
  const template = {
    name: 'Data incident',
    description: 'For the team that owns the source',
    type: 'TRACKER',
    props: {
      tracker_project_id: '10000',
      tracker_issue_type_id: '10001',
      custom_fields: {
        // biome-ignore lint/suspicious/noTemplateCurlyInString: what templates are filled with is written so
        summary: '${policy.name}: ${severity}',
        customfield_10014: 'EPIC-1',
        customfield_7: { value: 'Berlin' },
        customfield_8: 3,
      },
    },
  } as const;
  const created = bodyOf<TicketTemplate>(await admin.post(TEMPLATES, template));

  test('has every field that it was given, and an id', async () => {
    expect(created).toEqual({ id: expect.any(Number), ...template });
    expect(Number.isInteger(created.id)).toBe(true);
    expect(bodyOf(await admin.get(`${TEMPLATES}/${created.id}`))).toEqual(created);
    expect(bodyOf(await admin.get(TEMPLATES))).toEqual([created]);
    assertRefused(await admin.post(TEMPLATES, template), 409, /Data incident/);
    const plain = { name: 'Plain', type: 'TRACKER', props: { ...template.props, custom_fields: {} } } as const;
    const { id } = bodyOf<TicketTemplate>(await admin.post(TEMPLATES, plain));
    expect(bodyOf(await admin.put(`${TEMPLATES}/${id}`, { ...plain, description: null }))).toEqual({ id, ...plain, description: null });
    await admin.delete(`${TEMPLATES}/${id}`);
  });

  test('says what the ticket of an incident holds, whose number the incident then carries', async () => {
    const connection = { base_url: tracker.url, email: 'bot@example.com', api_token: 'token' };
    bodyOf(await admin.put('/default/configuration/integrations/tickets/connection', connection));
    const [mails] = MONITORS.customers;
    const monitor_id = seeded.monitors[mails.name]?.id ?? '';
    const { type: _, ...unchanged } = mails;
    const ticketing = { type: 'TRACKER', create_ticket: true, ticket_template_id: created.id } as const;
    // The incident of the first scan is closed, so that the next one begins it again, with a ticket this time.
    const opened = await seeded.incidentOf(mails.name);
    expect(opened.ticket_id).toBe(0);
    await api.call('update_monitor', { asset_id: customers.id, monitor_id }, { body: { ...unchanged, enabled: false } });
    await api.call('update_monitor', { asset_id: customers.id, monitor_id }, { body: { ...unchanged, ticketing } });
    await scan(api, customers.id);

    const { id } = await seeded.incidentOf(mails.name);
    const path = `/api/backend/default/incidents/${id}`;
    const incident = await until('the incident has a ticket', WAIT_MS, async () => {
      const found = bodyOf<IncidentDetail>(await admin.get(path));
      return found.ticket_id === 0 ? undefined : found;
    });
    const ticket = bodyOf<Ticket>(await admin.get(`${path}/ticket`));
    expect(ticket).toMatchObject({ id: incident.ticket_id, incident_id: id, key: 'OPS-1', template_id: created.id });
    expect(Number.isInteger(incident.ticket_id)).toBe(true);
    const made = tracker.requests.filter(({ method, path: asked }) => method === 'POST' && asked === '/rest/api/2/issue');
    expect(made).toHaveLength(1);
    expect(made[0]?.body).toMatchObject({
      fields: {
        project: { id: '10000' },
        issuetype: { id: '10001' },
        summary: 'Mail addresses are known: MEDIUM',
        customfield_10014: 'EPIC-1',
        customfield_7: { value: 'Berlin' },
        customfield_8: 3,
      },
    });
    assertRefused(await admin.delete(`${TEMPLATES}/${created.id}`), 409, /monitor/i);
  });
});

describe('the DQ score of a scanned asset', () => {
  const configuration = `/api/backend/default/configuration/assets/${orders.id}/dq_score`;
  const score = async () => bodyOf<CurrentScore>(await admin.get(`/api/backend/default/assets/${orders.id}/dq_score`));
  const values = {
    // Of id and country all, of total eight of ten.
    completeness: (100 + 100 + 80) / 3,
    // Seven of the eight totals that are there are positive.
    accuracy: 87.5,
    // Two incidents of high severity are open, of one attribute of three: each weighs a third of the ten that one of the whole asset does, of twenty.
    consistency: 100 * (1 - (2 * 10) / 3 / 20),
    timeliness: 100,
  };
  /** Beside an open incident of high severity: 50 where it touches the whole asset, 89 where it touches next to nothing. */
  const cap = 89 - (89 - 50) / 3;
  const quarters = { completeness: 0.25, accuracy: 0.25, consistency: 0.25, timeliness: 0.25 };

  test('is the mean of four dimensions until other weights are set', async () => {
    expect(bodyOf(await admin.get(configuration))).toEqual({ dq_score_config: { enabled: true, weights: quarters } });
    const { state, score: value, parts } = await score();
    expect(state).toBe('scored');
    expect(Object.fromEntries(parts.map((part) => [part.dimension, part.value]))).toEqual({
      ...values,
      completeness: expect.closeTo(values.completeness, 9),
      consistency: expect.closeTo(values.consistency, 9),
    });
    expect(value).toBeCloseTo(Math.min(cap, Object.values(values).reduce((sum, each) => sum + each, 0) / 4), 9);
  });

  test.each(['completeness', 'accuracy', 'consistency', 'timeliness'] as const)('weighs %s', async (dimension) => {
    const weights = { completeness: 0, accuracy: 0, consistency: 0, timeliness: 0, [dimension]: 40 };
    const saved = { dq_score_config: { enabled: true, weights } };
    expect(bodyOf(await admin.put(configuration, saved.dq_score_config))).toEqual(saved);
    expect(bodyOf(await admin.get(configuration))).toEqual(saved);
    expect((await score()).score).toBeCloseTo(Math.min(cap, values[dimension]), 9);
  });

  test('is not computed where it is not enabled, and goes back to the default when its configuration is deleted', async () => {
    bodyOf(await admin.put(configuration, { enabled: false, weights: quarters }));
    expect(await score()).toMatchObject({ state: 'disabled', score: null, parts: [] });
    expect(bodyOf(await admin.delete(configuration))).toEqual({ success: true, message: expect.any(String) });
    expect(bodyOf(await admin.get(configuration))).toEqual({ dq_score_config: { enabled: true, weights: quarters } });
    expect(await score()).toMatchObject({ state: 'scored' });
  });
});

describe('DQ reporting', async () => {
  const lake = {
    name: 'lake',
    type: 'S3',
    payload: { bucket: BUCKET, endpoint: store.endpoint },
    credential: { type: 'AWS', payload: { access_key: 'S3RVER', secret_key: 'S3RVER' } },
  } as const;
  const { id: connection_id } = await api.call('create_connection', {}, { body: lake });
  const reporting = { enabled: true, path: 'reports', connection_id };
  const reportOf = async (jobId: string) => [...(await store.reports())].find(([key]) => key.includes(jobId));

  test('writes a row for each monitor to the path of the connection', async () => {
    expect(bodyOf(await admin.put(REPORTING, reporting))).toEqual(reporting);
    expect(bodyOf(await admin.get(REPORTING))).toEqual(reporting);
    const job = await scan(api, orders.id);
    const [key, bytes] = await until('the report is there', WAIT_MS, () => reportOf(job.id));
    expect(key).toBe(`reports/scan_date=${job.end_time?.slice(0, 10)}/${orders.id}_${job.id}.parquet`);
    const rows = await rowsOf(bytes);
    const common = {
      project_id: 0n,
      data_asset_id: orders.id,
      scan_timestamp: new Date(job.end_time ?? ''),
      record_id_attribute_name: null,
    };
    const rowOf = (policy: string) => rows.find(({ monitor_Id }) => monitor_Id === BigInt(seeded.monitors[policy]?.id ?? 0));
    expect(rowOf('Totals are filled')).toMatchObject({ ...common, total_records_failed: 2, total_records_scanned: 10 });
    expect(rowOf('Totals are positive')).toMatchObject({ ...common, total_records_failed: 1, total_records_scanned: 8 });
    const monitors = await api.call('list_monitors', { asset_id: orders.id });
    expect(rows).toHaveLength(monitors.filter(({ enabled }) => enabled).length);
    const columns = ['project_id', 'data_asset_id', 'monitor_Id', 'scan_timestamp', 'total_records_failed', 'total_records_scanned'];
    expect(Object.keys(rows[0] ?? {})).toEqual([
      ...columns,
      'record_id_attribute_name',
      'record_id_sample',
      'monitor_state',
      'monitor_state_reason',
    ]);
  });

  test('writes nothing while it is not enabled, nor after it was deleted', async () => {
    bodyOf(await admin.put(REPORTING, { ...reporting, enabled: false }));
    const disabled = await scan(api, orders.id);
    bodyOf(await admin.put(REPORTING, reporting));
    const enabled = await scan(api, orders.id);
    // Reports are written in the order of their scans: when the later one is there, an earlier one would be too.
    await until('the report of the later scan is there', WAIT_MS, () => reportOf(enabled.id));
    expect(await reportOf(disabled.id)).toBeUndefined();
    expect(bodyOf(await admin.delete(REPORTING))).toEqual({ message: expect.any(String) });
    expect(bodyOf(await admin.get(REPORTING))).toEqual({});
  });
});

/** The tracker makes one issue after the other, and finds none. */
function answerOfTracker({ method, path }: PeerRequest): { readonly status: number; readonly body: unknown } {
  if (method === 'POST' && path === '/rest/api/2/issue') return { status: 201, body: { id: '1', key: 'OPS-1', self: '' } };
  if (path.startsWith('/rest/api/2/search')) return { status: 200, body: { issues: [] } };
  if (path.startsWith('/rest/api/2/issue/')) return { status: 200, body: { key: 'OPS-1', fields: { status: { name: 'To Do' } } } };
  return { status: 200, body: {} };
}

async function rowsOf(bytes: Buffer): Promise<readonly { readonly [column: string]: unknown }[]> {
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
  return parquetReadObjects({ file });
}
