// SPDX-License-Identifier: Apache-2.0
/** Channels, deliveries, the tracker and tickets over HTTP, with receivers of our own. */
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { announceAll } from '../delivery/announce.ts';
import { openReceiver, type Receiver } from '../delivery/testing/receiver.ts';
import { openTracker, type TestTracker, TOKEN } from '../delivery/testing/tracker.ts';
import { monitorBody } from '../testing/seeded-tenant.ts';
import { type Reply, type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let receiver: Receiver;
let tracker: TestTracker;
let admin: { readonly [name: string]: string };
let assetId: string;
const mails: string[] = [];
const mailServer = new SMTPServer({
  disabledCommands: ['STARTTLS', 'AUTH'],
  onRcptTo: ({ address }, _session, done) =>
    done(address.startsWith('nobody') ? Object.assign(new Error('no such mailbox'), { responseCode: 550 }) : null),
  onData: (stream, _session, done) => {
    void keepMail(stream, done);
  },
});

async function keepMail(stream: NodeJS.ReadableStream, done: () => void): Promise<void> {
  mails.push(await text(stream));
  done();
}

const CHANNELS = '/api/backend/default/configuration/alert_channels';
const DELIVERIES = '/default/configuration/deliveries';
const TICKETS = '/default/configuration/integrations/tickets';
const call = (method: string, path: string, body?: unknown): Promise<Reply> => service.call(method, path, body, admin);
const ok = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const reply = await call(method, path, body);
  expect([path, reply.status, reply.text]).toEqual([path, 200, reply.text]);
  return reply.body;
};
const refused = async (method: string, path: string, body?: unknown): Promise<unknown> => {
  const reply = await call(method, path, body);
  return [reply.status, (reply.body as { message: string }).message];
};

beforeAll(async () => {
  await new Promise<void>((resolve) => mailServer.listen(0, '127.0.0.1', resolve));
  receiver = await openReceiver();
  tracker = await openTracker();
  service = await testService({
    environment: {
      OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
      OBSERVABILITY_PUBLIC_URL: 'https://sextant.example/',
      // A server that listens on a port has an AddressInfo.
      SMTP_URL: `smtp://127.0.0.1:${(mailServer.server.address() as AddressInfo).port}`,
      SMTP_FROM: 'Sextant <alerts@example.com>',
    },
  });
  admin = await service.login();
  const asset = await ok('POST', '/api/backend/default/configuration/projects/0/assets', { name: 'orders', type: 'UPLOAD', payload: {} });
  assetId = (asset as { id: string }).id;
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
  await tracker[Symbol.asyncDispose]();
  await new Promise<void>((resolve) => mailServer.close(resolve));
});

/** As a scan would: an incident of the asset's monitor, and what it announces, in one transaction. */
async function incident(monitorId: string): Promise<number> {
  await using store = await service.openStore();
  const time = '2026-01-01T00:00:00.000Z';
  return await store.forTenant('default').atomically(async (tenant) => {
    const asset = await tenant.assets.get(assetId);
    const monitor = await tenant.monitors.get(assetId, monitorId);
    const opened = await tenant.incidents.open({
      asset_id: assetId,
      last_upload_timestamp: time,
      created_time: time,
      severity: 'HIGH',
      impact: '',
      alert_policy_id: monitor.id,
      alert_policy_name: monitor.name,
      description: 'Half of it is gone.',
      tags: [],
      metrics: [],
      history: { timestamp: time, state: 'NEW', alert_refs: [] },
    });
    await announceAll(tenant, [{ incident: opened, state: 'NEW', alerts: [], asset, monitor, actor: 'system' }]);
    return opened.id;
  });
}

let monitors = 0;
async function monitorThat(change: object): Promise<string> {
  monitors += 1;
  const body = { ...monitorBody(`monitor ${monitors}`), ...change };
  return ((await ok('POST', `/default/configuration/assets/${assetId}/monitors`, body)) as { id: string }).id;
}

describe('channels', () => {
  test('a webhook shows its secret when it is made and when it is renewed, and at no other time', async () => {
    const body = { name: 'hook', type: 'WEBHOOK', addresses: [`${receiver.url}/hook`] };
    const { secret, ...channel } = (await ok('POST', CHANNELS, body)) as { secret: string };
    expect(channel).toEqual(body);
    expect(secret).toMatch(/^whsec_/);
    expect(await ok('GET', `${CHANNELS}/hook`)).toEqual(body);
    expect(await ok('GET', CHANNELS)).toEqual([body]);
    const { name: _name, ...change } = body;
    expect(await ok('PUT', `${CHANNELS}/hook`, change)).toEqual(body);
    const renewed = (await ok('POST', `${CHANNELS}/hook/rotate_secret`)) as { secret: string };
    expect(renewed.secret).toMatch(/^whsec_/);
    expect(renewed.secret).not.toBe(secret);
  });

  test('what becomes a webhook gets a secret, and what is none has none', async () => {
    await ok('POST', CHANNELS, { name: 'turning', type: 'EMAIL', addresses: ['a@example.com'] });
    expect(await refused('POST', `${CHANNELS}/turning/rotate_secret`)).toEqual([400, expect.stringContaining('EMAIL')]);
    expect(await ok('PUT', `${CHANNELS}/turning`, { type: 'WEBHOOK', addresses: [receiver.url] })).toHaveProperty('secret');
    expect(await ok('PUT', `${CHANNELS}/turning`, { type: 'EMAIL', addresses: ['a@example.com'] })).not.toHaveProperty('secret');
    expect(await refused('POST', `${CHANNELS}/turning/rotate_secret`)).toEqual([400, expect.stringContaining('EMAIL')]);
  });

  test('are tested by a message that says so', async () => {
    expect(await ok('POST', `${CHANNELS}/hook/test`)).toEqual({
      success: true,
      message: 'The message arrived at 1 of 1 addresses.',
      addresses: [{ address: `${receiver.url}/hook`, success: true, message: 'The message arrived.' }],
    });
    expect(JSON.parse(receiver.received.at(-1)?.text ?? '')).toMatchObject({ type: 'incident.test' });
    expect(receiver.received.at(-1)?.headers).toHaveProperty('webhook-signature');
    expect(await ok('POST', `${CHANNELS}/turning/test`)).toMatchObject({ success: true });
    expect(mails.at(-1)).toMatch(/^Subject: \[LOW\] Test message/m);
    expect(await refused('POST', `${CHANNELS}/none/test`)).toEqual([404, expect.stringContaining('none')]);
  });

  test('that fail in part say where and why', async () => {
    await ok('POST', CHANNELS, { name: 'broken', type: 'EMAIL', addresses: ['a@example.com', 'nobody@example.com'] });
    expect(await ok('POST', `${CHANNELS}/broken/test`)).toEqual({
      success: false,
      message: expect.stringMatching(/at 1 of 2 addresses; addresses\[1\]: .*no such mailbox/),
      addresses: [
        { address: 'a@example.com', success: true, message: 'The message arrived.' },
        { address: 'nobody@example.com', success: false, message: expect.stringMatching(/no such mailbox.*\.$/) },
      ],
    });
    await ok('POST', CHANNELS, { name: 'slack', type: 'SLACK', addresses: ['#ops'] });
    expect(await ok('POST', `${CHANNELS}/slack/test`)).toMatchObject({
      success: false,
      message: expect.stringContaining('incoming webhook'),
    });
  });
});

test('a channel that monitors use is listed with them, and is not deleted', async () => {
  await ok('POST', CHANNELS, { name: 'in use', type: 'EMAIL', addresses: ['a@example.com'] });
  const notification = { send_notifications: false, notification_channel_names: ['in use'] };
  const id = await monitorThat({ notification });
  const users = (await ok('GET', '/default/configuration/monitors?channel=in%20use')) as readonly { readonly id: string }[];
  expect(users.map((each) => each.id)).toEqual([id]);
  expect(await refused('DELETE', `${CHANNELS}/in%20use`)).toEqual([409, expect.stringContaining(`of asset ${assetId}`)]);
  expect(await ok('GET', '/default/configuration/monitors?channel=nobody')).toEqual([]);
  expect(await ok('GET', '/default/configuration/monitors?prebuilt=true&limit=2&offset=1')).toHaveLength(2);
  expect(await refused('GET', '/default/configuration/monitors?limit=all')).toEqual([400, expect.stringContaining('limit')]);
});

describe('deliveries', () => {
  test('go from the incident to the receiver, and are read and sent again', async () => {
    const channels = ['hook', 'turning', 'broken'];
    const monitorId = await monitorThat({ notification: { send_notifications: true, notification_channel_names: channels } });
    const id = await incident(monitorId);
    const of = (query = '') => ok('GET', `${DELIVERIES}?incident_id=${id}${query}`) as Promise<{ id: string; status: string }[]>;
    await expect.poll(() => of('&status=PENDING')).toEqual([]);
    expect(await of()).toHaveLength(4);
    expect(await of('&channel=hook')).toMatchObject([
      { kind: 'NOTIFICATION', recipient: receiver.host, status: 'DELIVERED', attempts: 1, last_error: null, next_attempt_at: null },
    ]);
    const [failed] = await of('&status=FAILED');
    expect(failed).toMatchObject({
      channel: 'broken',
      recipient: 'nobody@example.com',
      last_error: expect.stringContaining('no such mailbox'),
    });
    expect(await ok('GET', '/default/errors')).toMatchObject([
      { error_class: 'NOTIFICATION', message: expect.stringContaining('nobody@') },
    ]);
    const [{ id: delivered } = { id: '' }] = await of('&channel=hook');
    expect(await ok('POST', `${DELIVERIES}/${delivered}/replay`)).toMatchObject({ id: delivered, status: 'PENDING', attempts: 0 });
    const copies = () => receiver.received.filter(({ headers }) => headers['webhook-id'] === delivered).length;
    await expect.poll(copies).toBe(2);
    expect((await of('&limit=2')).length).toBe(2);
  });

  test('that are not there, still wait or are asked for wrongly', async () => {
    expect(await refused('POST', `${DELIVERIES}/d0/replay`)).toEqual([404, expect.stringContaining('d0')]);
    expect(await refused('GET', `${DELIVERIES}?status=LOST`)).toEqual([400, expect.stringContaining('status')]);
    expect(await refused('GET', `${DELIVERIES}?incident_id=x`)).toEqual([400, expect.stringContaining('incident_id')]);
    receiver.answer = (response) => void response.writeHead(500).end();
    const id = await incident(await monitorThat({ notification: { send_notifications: true, notification_channel_names: ['hook'] } }));
    const of = () => ok('GET', `${DELIVERIES}?incident_id=${id}`) as Promise<{ id: string; attempts: number }[]>;
    await expect.poll(of).toMatchObject([{ status: 'PENDING', last_error: expect.stringContaining('500') }]);
    const [pending] = await of();
    expect(await refused('POST', `${DELIVERIES}/${pending?.id}/replay`)).toEqual([409, expect.stringContaining('pending')]);
    receiver.answer = (response) => void response.writeHead(204).end();
  });

  test('are counted in the metrics', async () => {
    const { text: page } = await service.call('GET', '/metrics');
    const figures = page.split('\n').filter((line) => line.startsWith('deliveries_'));
    expect(figures).toEqual(
      [/^deliveries_pending \d+$/, /^deliveries_under_way \d+$/, /^deliveries_delivered [1-9]\d*$/, /^deliveries_failed [1-9]\d*$/].map(
        (each) => expect.stringMatching(each),
      ),
    );
  });
});

test('a scan with a violation notifies the channels of the monitor, and its alerts say so; the next good scan announces the end', async () => {
  const header = { ...admin, 'content-type': 'text/csv' };
  const upload = await service.call('POST', '/default/uploads?name=prices.csv', 'id,price\n1,2\n2,\n3,\n4,5\n', header);
  const { payload } = upload.body as { payload: unknown };
  const assets = '/api/backend/default/configuration/projects/0/assets';
  const asset = (await ok('POST', assets, { name: 'prices', type: 'UPLOAD', payload })) as { id: string };
  await ok('PUT', `/api/backend/default/configuration/assets/${asset.id}/attributes`, { all: true });
  await ok('POST', CHANNELS, { name: 'prices', type: 'WEBHOOK', addresses: [`${receiver.url}/prices`] });
  const monitor = {
    ...monitorBody('price is filled'),
    monitor: { predefined_metric: 'COMPLETENESS', attributes: ['price'] },
    notification: { send_notifications: true, notification_channel_names: ['prices'] },
  };
  const { id: monitorId } = (await ok('POST', `/default/configuration/assets/${asset.id}/monitors`, monitor)) as { id: string };
  const messages = () =>
    receiver.received.filter(({ path }) => path === '/prices').map((each) => JSON.parse(each.text) as { type: string; data: object });
  const { job_id } = (await ok('POST', `/default/assets/${asset.id}/batch_data`)) as { job_id: string };
  await expect.poll(() => messages().length).toBe(1);
  expect(messages()[0]).toMatchObject({
    type: 'incident.opened',
    data: {
      incident: { asset_id: asset.id, alert_policy_id: monitorId, status: 'OPEN' },
      alerts: [{ attribute: 'price', metric_value: 50, job_id }],
    },
  });
  const notified = async () => {
    await using store = await service.openStore();
    const alerts = await store.forTenant('default').alerts.ofJob({ source: asset.id, job_id });
    return alerts.map(({ is_notified, policy_name }) => [policy_name, is_notified]);
  };
  await expect.poll(notified).toContainEqual(['price is filled', true]);

  const { threshold, ...rest } = monitor;
  const { type: _type, ...lenient } = { ...rest, threshold: { ...threshold, threshold1: 10 } };
  await ok('PUT', `/default/configuration/assets/${asset.id}/monitors/${monitorId}`, lenient);
  await ok('POST', `/default/assets/${asset.id}/batch_data`);
  await expect.poll(() => messages().map(({ type }) => type)).toEqual(['incident.opened', 'incident.resolved']);
});

describe('the connection to the tracker', () => {
  const CONNECTION = `${TICKETS}/connection`;

  test('keeps its token to itself, and asks for it again when it would lead elsewhere', async () => {
    expect(await ok('GET', CONNECTION)).toEqual({});
    expect(await refused('POST', `${CONNECTION}/test`)).toEqual([404, expect.anything()]);
    expect(await refused('DELETE', CONNECTION)).toEqual([404, expect.anything()]);
    expect(await refused('PUT', CONNECTION, { base_url: tracker.url })).toEqual([400, expect.stringContaining('api_token')]);
    expect(await refused('PUT', CONNECTION, { base_url: 'ftp://x', api_token: 'x' })).toEqual([400, expect.stringContaining('base_url')]);
    expect(await ok('PUT', CONNECTION, { base_url: tracker.url, api_token: 'wrong' })).toEqual({
      base_url: tracker.url,
      email: null,
      poll_interval_seconds: 60,
    });
    expect(await ok('POST', `${CONNECTION}/test`)).toEqual({ success: false, message: expect.stringContaining('API token') });
    await ok('PUT', CONNECTION, { base_url: tracker.url, api_token: TOKEN });
    const changed = { base_url: `${tracker.url}/`, email: null, poll_interval_seconds: 10 };
    expect(await ok('PUT', CONNECTION, changed)).toEqual(changed);
    expect(await ok('POST', `${CONNECTION}/test`)).toEqual({ success: true, message: expect.stringContaining('Ada') });
    expect(await refused('PUT', CONNECTION, { base_url: 'https://evil.example' })).toEqual([
      400,
      expect.stringContaining('required again'),
    ]);
    expect((await call('GET', CONNECTION)).text).not.toContain(TOKEN);
  });
});

describe('tickets', () => {
  const hole = (name: string) => `\${${name}}`;
  const props = (summary: string) => ({ tracker_project_id: '10000', tracker_issue_type_id: '1', custom_fields: { summary } });
  let templateId: number;
  let incidentId: number;
  const ticketPath = () => `/api/backend/default/incidents/${incidentId}/ticket`;
  const ticket = async () => (await call('GET', ticketPath())).body as { key?: string; id?: number };

  beforeAll(async () => {
    const body = { name: 'bug', type: 'TRACKER', props: props(`${hole('incident.id')} ${hole('policy.name')} ${hole('nothing')}`) };
    ({ id: templateId } = (await ok('POST', `${TICKETS}/template`, body)) as { id: number });
    incidentId = await incident(await monitorThat({ notification: null }));
  });

  test('are previewed for an incident, for given values or for an example', async () => {
    const preview = (body: object) => ok('POST', `${TICKETS}/template/preview`, body);
    expect(await preview({ template_id: templateId, incident_id: incidentId })).toEqual({
      fields: expect.objectContaining({
        summary: expect.stringMatching(new RegExp(`^${incidentId} monitor .* ${hole('nothing').replaceAll(/[${}]/g, '\\$&')}$`)),
        description: expect.stringContaining(`https://sextant.example/console/#/incidents/${incidentId}`),
        project: { id: '10000' },
        issuetype: { id: '1' },
        labels: ['sextant', `sextant-incident-default-${incidentId}`],
      }),
      warnings: [`${hole('nothing')} is not a known variable and stays unchanged`],
    });
    const sample = await preview({ props: props(`${hole('asset.name')} ${hole('x')}`), values: { x: 'y' } });
    expect(sample).toMatchObject({ fields: { summary: 'Orders y' }, warnings: [] });
    expect(await refused('POST', `${TICKETS}/template/preview`, {})).toEqual([400, expect.stringContaining('template_id')]);
    expect(await refused('POST', `${TICKETS}/template/preview`, { template_id: 999 })).toEqual([404, expect.stringContaining('999')]);
    const unknown = { template_id: templateId, incident_id: 999_999 };
    expect(await refused('POST', `${TICKETS}/template/preview`, unknown)).toEqual([404, expect.stringContaining('999999')]);
  });

  test('are made by hand once, read, unlinked and made again', async () => {
    expect(await refused('GET', ticketPath())).toEqual([404, expect.stringContaining('Ticket of incident')]);
    expect(await refused('DELETE', ticketPath())).toEqual([404, expect.anything()]);
    expect(await refused('POST', ticketPath(), { template_id: 999 })).toEqual([404, expect.stringContaining('999')]);
    const asked = await ok('POST', ticketPath(), { template_id: templateId, custom_fields: { summary: 'By hand' } });
    expect(asked).toEqual({ message: expect.stringContaining('being created'), delivery_id: expect.stringMatching(/^d/) });
    await expect.poll(async () => (await ticket()).key).toBe('OPS-1');
    expect(tracker.issues[0]?.fields.summary).toBe('By hand');
    expect(await refused('POST', ticketPath(), { template_id: templateId })).toEqual([409, expect.stringContaining('OPS-1')]);
    const { ticket_id } = (await ok('GET', `/api/backend/default/incidents/${incidentId}`)) as { ticket_id: number };
    expect((await ticket()).id).toBe(ticket_id);
    await ok('DELETE', ticketPath());
    const audit = await ok('GET', `/api/backend/default/audit?subject_type=INCIDENT&subject_id=${incidentId}`);
    expect(audit).toMatchObject([
      { action: 'TICKET_UNLINKED', actor: 'admin@localhost', details: { key: 'OPS-1' } },
      { action: 'TICKET_LINKED', actor: 'admin@localhost', details: { key: 'OPS-1' } },
      { action: 'OPENED' },
    ]);
    expect(await ok('GET', `/api/backend/default/incidents/${incidentId}`)).toMatchObject({ ticket_id: 0 });
    await ok('POST', ticketPath(), { template_id: templateId });
    await expect.poll(async () => (await ticket()).key).toBe('OPS-2');
  });

  test('are made when the monitor says so', async () => {
    const ticketing = { type: 'TRACKER', create_ticket: true, ticket_template_id: templateId };
    incidentId = await incident(await monitorThat({ ticketing }));
    await expect.poll(async () => (await ticket()).key).toMatch(/^OPS-/);
  });
});
