/** Webhooks, schedules and housekeeping against a receiver of our own and a clock that is moved by hand. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOutboundGuard } from '@sextant/foundation-service';
import { manualClock } from '@sextant/foundation-std';
import { type Metadata, openMetadata } from '@sextant/observability-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nextRun } from './cron.ts';
import { Housekeeping } from './housekeeping.ts';
import { Scheduler } from './scheduler.ts';
import { WebhookOutbox } from './webhook-outbox.ts';

const clock = manualClock(Date.parse('2025-01-01T00:00:00.000Z'));
const log = { error: () => undefined, info: () => undefined };
const directory = mkdtempSync(join(tmpdir(), 'sextant-jobs-'));
let metadata: Metadata;
let assetId: string;

const received: { readonly body: unknown; readonly id: string | undefined }[] = [];
let answer = 200;
const receiver = createServer((request, response) => {
  let text = '';
  request.on('data', (chunk: Buffer) => {
    text += chunk.toString();
  });
  request.on('end', () => {
    received.push({ body: JSON.parse(text), id: request.headers['x-delivery-id'] as string | undefined });
    response.writeHead(answer).end();
  });
});

const openStore = () => openMetadata({ directory }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });

beforeAll(async () => {
  metadata = await openStore();
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  await metadata[Symbol.asyncDispose]();
  receiver.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  received.length = 0;
  answer = 200;
  const webhook_url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
  assetId = (await metadata.forTenant('acme').assets.create({ ...NEW_ASSET, webhook_url })).id;
});

const NEW_ASSET = {
  project_id: 0,
  name: 'orders',
  description: null,
  type: 'UPLOAD',
  options: {},
  payload: {},
  connection_id: null,
  db_type: null,
  tags: [],
  created_by: 'test',
} as const;

describe('webhooks', () => {
  const outbox = (allowPrivateNetworks = true) =>
    new WebhookOutbox({ metadata, guard: createOutboundGuard({ allowPrivateNetworks }), clock, log });
  const enqueue = () => metadata.forTenant('acme').jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'wait' });
  const waiting = () => metadata.forTenant('acme').webhookDeliveries.list();
  const drain = async () => {
    for (const { id } of await waiting()) await metadata.forTenant('acme').webhookDeliveries.giveUp(id);
  };
  beforeEach(drain);

  test('tell every change of a job, once', async () => {
    const job = await enqueue();
    const sender = outbox();
    await sender.turn();
    await sender.turn();
    expect(received.map(({ body }) => body)).toEqual([
      expect.objectContaining({ tenant: 'acme', source: assetId, jobId: job.id, status: 'PREPARING', details: expect.any(String) }),
    ]);
    const claimed = await metadata.platform.jobs.claimNext({ worker: 'w', leaseMs: 1000 });
    await metadata.forTenant('acme').jobs.fail({ job_id: job.id, lease: claimed?.lease ?? '' }, 'broken');
    await sender.turn();
    const states = received.map(({ body }) => (body as { status: string }).status);
    expect(states[0]).toBe('PREPARING');
    expect(states.toSorted()).toEqual(['FAILED', 'IN_PROGRESS', 'PREPARING']);
    expect(await waiting()).toEqual([]);
  });

  test('are sent again, later and later, until the receiver answers 2xx', async () => {
    await enqueue();
    answer = 500;
    const sender = outbox();
    await sender.turn();
    await sender.turn();
    expect(received).toHaveLength(1);
    expect(await waiting()).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('500') }]);
    clock.advance(5000);
    await sender.turn();
    expect(received).toHaveLength(2);
    clock.advance(5000);
    await sender.turn();
    expect(received).toHaveLength(2);
    answer = 204;
    clock.advance(5000);
    await sender.turn();
    expect(received).toHaveLength(3);
    expect(new Set(received.map(({ id }) => id)).size).toBe(1);
    expect(await waiting()).toEqual([]);
  });

  test('are given up in the end, and that is told in the background errors', async () => {
    await enqueue();
    answer = 503;
    const sender = outbox();
    for (let attempt = 0; attempt < 40; attempt++) {
      await sender.turn();
      clock.advance(3_600_000);
    }
    expect(received).toHaveLength(30);
    expect(await waiting()).toEqual([]);
    const [error] = await metadata.forTenant('acme').backgroundErrors.list(1);
    expect(error).toMatchObject({ error_class: 'WEBHOOK', message: expect.stringContaining('given up') });
  });

  test('do not reach private addresses unless the operator allows it', async () => {
    await enqueue();
    await outbox(false).turn();
    expect(received).toEqual([]);
    expect(await waiting()).toMatchObject([{ last_error: expect.stringContaining('not allowed') }]);
  });
});

describe('schedules', () => {
  const schedule = {
    schedule: '0 6 * * *',
    enabled: true,
    delta_only: true,
    sample_fraction: 10,
    skip_investigator: false,
    timestamp_attribute: null,
  };
  const scheduler = (store: Metadata, onEnqueued = () => undefined) => new Scheduler({ metadata: store, clock, log, onEnqueued });
  const jobs = () => metadata.forTenant('acme').jobs.listOfAsset(assetId);
  const put = (changes: Partial<typeof schedule> = {}) => {
    const wanted = { ...schedule, ...changes };
    return metadata.forTenant('acme').schedules.put(assetId, wanted, nextRun(wanted.schedule, clock.nowMs()));
  };

  test('start a scan when they are due, and once, however many look', async () => {
    await put();
    await using second = await openStore();
    await scheduler(metadata).turn();
    expect(await jobs()).toEqual([]);
    clock.advance(24 * 3_600_000);
    await Promise.all([scheduler(metadata).turn(), scheduler(second).turn(), scheduler(metadata).turn()]);
    expect(await jobs()).toHaveLength(1);
    await scheduler(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });

  test('that were missed for days start one scan', async () => {
    await put();
    clock.advance(10 * 24 * 3_600_000);
    await scheduler(metadata).turn();
    await scheduler(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });

  test('that are off, or whose last scan still runs, start none', async () => {
    await put({ enabled: false });
    clock.advance(2 * 24 * 3_600_000);
    await scheduler(metadata).turn();
    expect(await jobs()).toEqual([]);
    await put();
    await metadata.forTenant('acme').jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'wait' });
    clock.advance(2 * 24 * 3_600_000);
    await scheduler(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });
});

test('metric points are forgotten after 360 days', async () => {
  const tenant = metadata.forTenant('acme');
  const { id: job_id } = await tenant.jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'wait' });
  const point = {
    metric_name: 'RECORD_COUNT',
    metric_aggregation: 'count',
    attribute: null,
    segment: null,
    monitor_id: null,
    value: 1,
  } as const;
  const at = (daysAgo: number) => new Date(clock.nowMs() - daysAgo * 24 * 3_600_000).toISOString();
  const { id: other } = await tenant.jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'wait' });
  await tenant.metricPoints.append({ asset_id: assetId, job_id, metric_time: at(361), points: [point] });
  await tenant.metricPoints.append({ asset_id: assetId, job_id: other, metric_time: at(359), points: [point] });
  await new Housekeeping({ metadata, clock, log }).turn();
  expect(await tenant.metricPoints.history({ asset_id: assetId })).toMatchObject([{ job_id: other }]);
});
