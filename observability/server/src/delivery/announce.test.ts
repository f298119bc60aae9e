// SPDX-License-Identifier: Apache-2.0
/** Who is notified of what, and once, from the step of an incident to the signed webhook of a receiver of our own. */
import { createHmac } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { renewSecret } from './channel-secret.ts';
import { type OutboxFixture, openOutboxFixture, PUBLIC_URL } from './testing/outbox-fixture.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';

let fixture: OutboxFixture;
let receiver: Receiver;
const steps = () => receiver.received.map(({ text }) => (JSON.parse(text) as { type: string }).type);

beforeEach(async () => {
  receiver = await openReceiver();
  fixture = await openOutboxFixture();
  await fixture.channel('ops', { type: 'WEBHOOK', addresses: [`${receiver.url}/hook`] });
  await fixture.notifying(['ops']);
});
afterEach(async () => {
  expect(fixture.logged).toEqual([]);
  await fixture[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

describe('a signed webhook', () => {
  test('announces the incident, and its signature proves whose it is', async () => {
    const secret = await renewSecret(fixture.tenant, 'ops', fixture.clock.nowMs());
    const id = await fixture.step('NEW', { severity: 'HIGH' });
    await fixture.drain();
    const [request] = receiver.received;
    expect(receiver.received).toHaveLength(1);
    expect(request).toMatchObject({ method: 'POST', path: '/hook', headers: { 'content-type': 'application/json' } });
    const [delivery] = await fixture.tenant.deliveries.list();
    expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: 1, incident_id: id, channel: 'ops', recipient: receiver.host });
    const headers = request?.headers ?? {};
    expect(headers['webhook-id']).toBe(delivery?.id);
    expect(Number(headers['webhook-timestamp'])).toBe(fixture.clock.nowMs() / 1000);
    const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${request?.text}`;
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
    expect(headers['webhook-signature']).toBe(`v1,${createHmac('sha256', key).update(signed).digest('base64')}`);
    expect(JSON.parse(request?.text ?? '')).toMatchObject({
      type: 'incident.opened',
      timestamp: new Date(fixture.clock.nowMs()).toISOString(),
      data: {
        tenant: 'acme',
        link: `${PUBLIC_URL}/console/#/incidents/${id}`,
        incident: { id, severity: 'HIGH', status: 'OPEN', alert_policy_id: fixture.monitorId },
        asset: { id: fixture.asset.id, name: fixture.asset.name },
        alerts: [{ attribute: 'price', metric_value: 80 }],
        alert_count: 1,
      },
    });
  });

  test('carries the signatures of both secrets for a day after the change', async () => {
    await renewSecret(fixture.tenant, 'ops', fixture.clock.nowMs());
    await renewSecret(fixture.tenant, 'ops', fixture.clock.nowMs());
    const signatures = async () => {
      await fixture.step('NEW');
      await fixture.drain();
      return receiver.received.at(-1)?.headers['webhook-signature']?.toString().split(' ').length;
    };
    expect(await signatures()).toBe(2);
    fixture.clock.advance(24 * 3_600_000);
    expect(await signatures()).toBe(1);
  });
});

describe('what is announced', () => {
  test('is the beginning, the end and the reopening, each once', async () => {
    const id = await fixture.step('NEW');
    await fixture.step('ONGOING', { id });
    await fixture.step('RESOLVED', { id });
    await fixture.step('REOPENED', { id });
    await fixture.step('ONGOING', { id });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.resolved', 'incident.reopened']);
  });

  test('is an ongoing incident when it becomes more severe than what was announced', async () => {
    const id = await fixture.step('NEW', { severity: 'LOW' });
    await fixture.step('ONGOING', { id, severity: 'LOW' });
    await fixture.step('ONGOING', { id, severity: 'HIGH' });
    await fixture.step('ONGOING', { id, severity: 'HIGH' });
    await fixture.step('ONGOING', { id, severity: 'MEDIUM' });
    await fixture.step('ONGOING', { id, severity: 'HIGH' });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.severity_raised']);
  });

  test('is nothing where the monitor sends no notifications', async () => {
    await fixture.tenant.monitors.update(fixture.asset.id, fixture.monitorId, {
      notification: { send_notifications: false, notification_channel_names: ['ops'] },
      modified_by: 'ada',
    });
    const id = await fixture.step('NEW');
    await fixture.step('ONGOING', { id, severity: 'HIGH' });
    await fixture.step('RESOLVED', { id });
    expect(await fixture.tenant.deliveries.list()).toEqual([]);
  });

  test('goes to every address of every channel, once also where a name is listed twice', async () => {
    await fixture.channel('team', { type: 'WEBHOOK', addresses: [`${receiver.url}/a`, `${receiver.url}/b`, `${receiver.url}/a`] });
    await fixture.notifying(['team', 'ops', 'team']);
    await fixture.step('NEW');
    await fixture.drain();
    expect(receiver.received.map(({ path }) => path).toSorted()).toEqual(['/a', '/b', '/hook']);
  });

  test('is said of the alerts once it has arrived', async () => {
    receiver.answer = (response) => void response.writeHead(500).end();
    await fixture.step('NEW');
    await fixture.drain();
    const isNotified = async () => {
      const upload_dates = [new Date(Date.parse('2026-03-10T12:00:00.000Z')).toISOString()];
      const alerts = await fixture.tenant.alerts.byFilters({
        sources: [fixture.asset.id],
        upload_dates,
        violation_names: ['COMPLETENESS'],
      });
      return alerts.map(({ is_notified }) => is_notified);
    };
    expect(await isNotified()).toEqual([false]);
    receiver.answer = (response) => void response.writeHead(204).end();
    fixture.clock.advance(5000);
    await fixture.drain();
    expect(await isNotified()).toEqual([true]);
  });
});

describe('an incident of which people said', () => {
  const HOUR_MS = 3_600_000;
  const say = (id: number, state: 'ACKNOWLEDGED' | 'SNOOZED' | 'EXPECTED' | null, untilMs?: number) =>
    fixture.tenant.incidentCare.handle(id, {
      state,
      actor: 'ada',
      until: untilMs === undefined ? null : new Date(untilMs).toISOString(),
      note: null,
    });

  test('that it can wait is silent until then, and is announced once if it is open still', async () => {
    const id = await fixture.step('NEW', { severity: 'LOW' });
    await say(id, 'SNOOZED', fixture.clock.nowMs() + HOUR_MS);
    await fixture.step('ONGOING', { id, severity: 'HIGH' });
    await fixture.step('RESOLVED', { id });
    await fixture.step('REOPENED', { id });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened']);
    fixture.clock.advance(HOUR_MS);
    await fixture.step('ONGOING', { id, severity: 'LOW' });
    await fixture.drain();
    fixture.clock.advance(HOUR_MS);
    await fixture.step('ONGOING', { id, severity: 'LOW' });
    await fixture.step('RESOLVED', { id });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.still_open', 'incident.resolved']);
  });

  test('that they know goes on as before', async () => {
    const id = await fixture.step('NEW');
    await say(id, 'ACKNOWLEDGED');
    await fixture.step('RESOLVED', { id });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.resolved']);
  });

  test('that it is expected is not announced again by the next scan, which reopens it', async () => {
    const id = await fixture.step('NEW');
    await say(id, 'EXPECTED');
    await fixture.step('REOPENED', { id });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened']);
  });

  test('that it is expected is announced again where a learned band, which reaches as far, is left', async () => {
    const monitor = await fixture.tenant.monitors.get(fixture.asset.id, fixture.monitorId);
    const threshold = { ...monitor.threshold, threshold_type: 'ML', threshold1: null, threshold2: null } as const;
    await fixture.tenant.monitors.update(fixture.asset.id, monitor.id, { threshold, modified_by: 'ada' });
    const id = await fixture.step('NEW');
    await say(id, 'EXPECTED');
    await fixture.step('REOPENED', { id, isOfPoint: true });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.reopened']);
  });
});

describe('an effect of a cause that was announced before', () => {
  test('sends nothing where that was heard, neither when it begins nor when it ends', async () => {
    const rootId = await fixture.step('NEW', { severity: 'MEDIUM' });
    const id = await fixture.step('NEW', { severity: 'MEDIUM', rootId });
    await fixture.step('RESOLVED', { id, rootId });
    await fixture.step('REOPENED', { id, severity: 'MEDIUM', rootId });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened']);
    await fixture.step('RESOLVED', { id: rootId });
    await fixture.step('RESOLVED', { id, rootId });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.resolved']);
    expect((await fixture.tenant.incidents.get(id)).history.map(({ state }) => state)).toEqual(['NEW', 'RESOLVED', 'REOPENED', 'RESOLVED']);
  });

  test('is announced where it is more severe, and so is its end', async () => {
    const rootId = await fixture.step('NEW', { severity: 'LOW' });
    const id = await fixture.step('NEW', { severity: 'HIGH', rootId });
    await fixture.step('RESOLVED', { id, rootId });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.opened', 'incident.resolved']);
  });

  test('is announced when it becomes more severe than the cause was', async () => {
    const rootId = await fixture.step('NEW', { severity: 'LOW' });
    const id = await fixture.step('NEW', { severity: 'LOW', rootId });
    await fixture.step('ONGOING', { id, severity: 'LOW', rootId });
    await fixture.step('ONGOING', { id, severity: 'HIGH', rootId });
    await fixture.step('RESOLVED', { id, rootId });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.severity_raised', 'incident.resolved']);
  });

  test('is announced at an address that did not hear of the cause', async () => {
    const rootId = await fixture.step('NEW');
    await fixture.tenant.channels.update('ops', { type: 'WEBHOOK', addresses: [`${receiver.url}/hook`, `${receiver.url}/new`] });
    await fixture.step('NEW', { rootId });
    await fixture.drain();
    expect(receiver.received.map(({ path }) => path)).toEqual(['/hook', '/new']);
  });

  test('is announced where the cause has ended', async () => {
    const rootId = await fixture.step('NEW');
    await fixture.step('RESOLVED', { id: rootId });
    await fixture.step('NEW', { rootId });
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened', 'incident.resolved', 'incident.opened']);
  });
});

describe('channels that changed', () => {
  test('a channel that is gone is a background error, and the others are notified', async () => {
    await fixture.notifying(['ops', 'gone']);
    await fixture.step('NEW');
    await fixture.drain();
    expect(steps()).toEqual(['incident.opened']);
    expect(await fixture.tenant.backgroundErrors.list(10)).toMatchObject([
      { error_class: 'NOTIFICATION', message: expect.stringContaining('"gone", which no longer exists') },
    ]);
  });

  test('an address that was taken out while its message waited is not notified', async () => {
    await fixture.step('NEW');
    await fixture.tenant.channels.update('ops', { type: 'WEBHOOK', addresses: [`${receiver.url}/other`] });
    await fixture.drain();
    expect(receiver.received).toEqual([]);
    expect(await fixture.tenant.deliveries.list()).toMatchObject([{ status: 'FAILED', last_error: expect.stringContaining('no longer') }]);
  });

  test('of a step that is rolled back nothing is announced', async () => {
    const failed = fixture.tenant.atomically(async (own) => {
      await own.deliveries.enqueue({
        kind: 'NOTIFICATION',
        dedup_key: null,
        lane: 'x',
        target: 'x',
        recipient: 'x',
        incident_id: 1,
        channel: 'ops',
        payload: {},
      });
      throw new Error('the scan could not be stored');
    });
    await expect(failed).rejects.toThrow('could not be stored');
    expect(await fixture.tenant.deliveries.list()).toEqual([]);
  });
});
