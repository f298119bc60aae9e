// SPDX-License-Identifier: Apache-2.0
/** How the outbox treats receivers that are slow, fail, ask for time or never answer. */
import type { Delivery } from '@sextant/contracts-observability';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type OutboxFixture, openOutboxFixture } from './testing/outbox-fixture.ts';
import { openReceiver, type Receiver } from './testing/receiver.ts';

let fixture: OutboxFixture;
let receiver: Receiver;
const HOUR_MS = 3_600_000;

beforeEach(async () => {
  receiver = await openReceiver();
  fixture = await openOutboxFixture();
  await fixture.channel('ops', { type: 'WEBHOOK', addresses: [`${receiver.url}/hook`] });
  await fixture.notifying(['ops']);
});
afterEach(async () => {
  await fixture[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

const deliveries = () => fixture.tenant.deliveries.list();
const only = async (): Promise<Delivery | undefined> => (await deliveries())[0];
const types = () => receiver.received.map(({ text }) => (JSON.parse(text) as { type: string }).type);
const answering =
  (status: number, headers: { readonly [name: string]: string } = {}): Receiver['answer'] =>
  (response) =>
    void response.writeHead(status, headers).end();

describe('a receiver that fails', () => {
  test('gets the same message again, later and later', async () => {
    receiver.answer = answering(500);
    await fixture.step('NEW');
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      await fixture.drain();
      const next = Date.parse((await only())?.next_attempt_at ?? '') - fixture.clock.nowMs();
      pauses.push(next);
      fixture.clock.advance(next);
    }
    receiver.answer = answering(204);
    await fixture.drain();
    expect(await only()).toMatchObject({ status: 'DELIVERED', attempts: 5, last_error: 'the receiver answered 500' });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    for (const [index, pause] of pauses.entries()) {
      const longest = 5000 * 2 ** index;
      expect(pause).toBeGreaterThanOrEqual(longest / 2);
      expect(pause).toBeLessThanOrEqual(longest);
    }
  });

  test('is given up after a day, and that is reported in the background errors', async () => {
    receiver.answer = answering(503);
    await fixture.step('NEW');
    const startMs = fixture.clock.nowMs();
    let lastMs = startMs;
    while ((await only())?.status === 'PENDING') {
      lastMs = fixture.clock.nowMs();
      await fixture.drain();
      fixture.clock.advance(HOUR_MS / 4);
    }
    expect(lastMs - startMs).toBeGreaterThan(22 * HOUR_MS);
    expect(lastMs - startMs).toBeLessThanOrEqual(24 * HOUR_MS);
    expect(await only()).toMatchObject({ status: 'FAILED', next_attempt_at: null });
    expect(await fixture.tenant.backgroundErrors.list(10)).toMatchObject([
      {
        error_class: 'NOTIFICATION',
        message: expect.stringMatching(/incident 1 .* given up after \d+ attempts: the receiver answered 503/),
      },
    ]);
  });

  test('that asks for time gets it, in seconds or as a date', async () => {
    await fixture.step('NEW');
    receiver.answer = answering(429, { 'retry-after': '3000' });
    await fixture.drain();
    expect(Date.parse((await only())?.next_attempt_at ?? '') - fixture.clock.nowMs()).toBe(3_000_000);
    fixture.clock.advance(3_000_000);
    receiver.answer = answering(503, { 'retry-after': new Date(fixture.clock.nowMs() + 2 * HOUR_MS).toUTCString() });
    await fixture.drain();
    expect(Date.parse((await only())?.next_attempt_at ?? '') - fixture.clock.nowMs()).toBe(2 * HOUR_MS);
    fixture.clock.advance(2 * HOUR_MS);
    receiver.answer = answering(503, { 'retry-after': String(48 * 3600) });
    await fixture.drain();
    expect((await only())?.status).toBe('FAILED');
  });

  test('that is gone is not asked again', async () => {
    receiver.answer = answering(410);
    await fixture.step('NEW');
    await fixture.drain();
    expect(await only()).toMatchObject({ status: 'FAILED', attempts: 1 });
  });

  test('on a private network is not reached unless the operator allows it; then a replay reaches it', async () => {
    await fixture.step('NEW');
    await fixture.drain(fixture.outbox({ allowPrivateNetworks: false }));
    expect(receiver.received).toEqual([]);
    const failed = await only();
    expect(failed).toMatchObject({ status: 'FAILED', last_error: expect.stringContaining('not allowed') });
    await fixture.tenant.deliveries.replay(failed?.id ?? '');
    await fixture.drain();
    expect(await only()).toMatchObject({ status: 'DELIVERED', id: failed?.id });
  });

  test('that cuts the connection is tried again', async () => {
    receiver.answer = (response) => void response.destroy();
    await fixture.step('NEW');
    await fixture.drain();
    expect(await only()).toMatchObject({ status: 'PENDING', attempts: 1, last_error: expect.stringMatching(/socket|ECONNRESET/) });
  });
});

test('several processes over one store send each message once', async () => {
  for (let count = 0; count < 10; count += 1) await fixture.step('NEW');
  const outboxes = [fixture.outbox(), fixture.outbox(), fixture.outbox()];
  for (;;) {
    await Promise.all(outboxes.map((outbox) => outbox.turn()));
    if (outboxes.every(({ underWayCount }) => underWayCount === 0)) break;
    await Promise.all(outboxes.map((outbox) => outbox.settled()));
  }
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(10);
  expect(new Set(ids).size).toBe(10);
});

describe('order', () => {
  test('a later message of an incident waits for the earlier, and those of other incidents do not', async () => {
    const id = await fixture.step('NEW');
    await fixture.step('RESOLVED', { id });
    const other = await fixture.step('NEW');
    receiver.answer = (response, { text }) => void response.writeHead(text.includes(`"id":${id},`) ? 500 : 204).end();
    await fixture.drain();
    expect(await fixture.tenant.deliveries.list({ incident_id: other })).toMatchObject([{ status: 'DELIVERED' }]);
    expect(await fixture.tenant.deliveries.list({ incident_id: id })).toMatchObject([{ attempts: 0 }, { attempts: 1 }]);
    receiver.answer = answering(204);
    fixture.clock.advance(5000);
    await fixture.drain();
    expect(types().slice(-2)).toEqual(['incident.opened', 'incident.resolved']);
  });

  test('a message that was given up makes way', async () => {
    receiver.answer = (response, { text }) => void response.writeHead(text.includes('incident.opened') ? 410 : 204).end();
    const id = await fixture.step('NEW');
    await fixture.step('RESOLVED', { id });
    await fixture.drain();
    expect(await deliveries()).toMatchObject([{ status: 'DELIVERED' }, { status: 'FAILED' }]);
  });
});

describe('a receiver that does not answer', () => {
  test('holds up nobody else', async () => {
    await using dead = await openReceiver();
    const waiting: (() => void)[] = [];
    dead.answer = (response) => void waiting.push(() => response.writeHead(204).end());
    await fixture.channel('dead', { type: 'WEBHOOK', addresses: [1, 2, 3, 4, 5, 6].map((n) => `${dead.url}/${n}`) });
    await fixture.notifying(['dead', 'ops']);
    for (let count = 0; count < 10; count += 1) await fixture.step('NEW');
    const outbox = fixture.outbox();
    outbox.wake();
    await expect.poll(() => receiver.received.length).toBe(10);
    expect(dead.received.length).toBeLessThanOrEqual(4);
    dead.answer = answering(204);
    for (const answer of waiting) answer();
    await expect.poll(() => dead.received.length).toBe(60);
    await outbox.stop();
    expect(await fixture.tenant.deliveries.list({ status: 'PENDING' })).toEqual([]);
  });

  test('at a stop what is under way has time to arrive', async () => {
    let arrived: (() => void) | undefined;
    receiver.answer = (response) => {
      arrived = () => response.writeHead(204).end();
    };
    await fixture.step('NEW');
    const outbox = fixture.outbox();
    outbox.wake();
    await expect.poll(() => arrived !== undefined).toBe(true);
    const stopped = outbox.stop();
    arrived?.();
    await stopped;
    expect(await only()).toMatchObject({ status: 'DELIVERED' });
  });
});

test('what does not arrive in the time of a stop is broken off, and comes first at the next start', async () => {
  const asked = new Promise<void>((resolve) => {
    receiver.answer = () => resolve();
  });
  await fixture.step('NEW');
  const outbox = fixture.outbox({ graceMs: 10 });
  outbox.wake();
  await asked;
  const stopped = outbox.stop();
  fixture.clock.advance(10);
  await stopped;
  expect(await only()).toMatchObject({
    status: 'PENDING',
    last_error: expect.stringContaining('service stopped'),
    next_attempt_at: new Date(fixture.clock.nowMs()).toISOString(),
  });
  receiver.answer = answering(204);
  await fixture.drain();
  expect(await only()).toMatchObject({ status: 'DELIVERED' });
});

describe('webhooks of jobs', () => {
  const enqueue = async () => {
    await fixture.tenant.assets.update(fixture.asset.id, { webhook_url: `${receiver.url}/jobs` });
    return fixture.tenant.jobs.enqueue({ asset_id: fixture.asset.id, request: {}, whenBusy: 'wait' });
  };

  test('announce every change of a job in order, with an id by which receivers recognise copies', async () => {
    const job = await enqueue();
    const claimed = await fixture.metadata.platform.jobs.claimNext({ worker: 'w', leaseMs: 1000 });
    await fixture.tenant.jobs.fail({ job_id: job.id, lease: claimed?.lease ?? '' }, 'It broke.');
    await fixture.drain();
    const common = { tenant: 'acme', source: fixture.asset.id, jobId: job.id, uploadTimestamp: Date.parse(job.created_at) };
    const bodies = receiver.received.map(({ text }): unknown => JSON.parse(text));
    expect(bodies).toEqual([
      { ...common, status: 'PREPARING', details: 'Waits for a worker.' },
      { ...common, status: 'IN_PROGRESS', details: 'Runs.' },
      { ...common, status: 'FAILED', details: 'It broke.' },
    ]);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-delivery-id'])).size).toBe(3);
  });

  test('are retried and given up as everything else, and their errors show no address', async () => {
    await enqueue();
    receiver.answer = answering(410);
    await fixture.drain();
    const [error] = await fixture.tenant.backgroundErrors.list(1);
    expect(error).toMatchObject({ error_class: 'WEBHOOK', message: expect.stringContaining('given up') });
    expect(error?.message).not.toContain('/jobs');
  });
});
