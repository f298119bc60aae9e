// SPDX-License-Identifier: Apache-2.0
/** Schedules and housekeeping with a clock that is moved by hand. */

import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { manualClock } from '@sextant/foundation-std';
import { openFolderArea, type UploadArea } from '@sextant/observability-connectors';
import { type Metadata, openMetadata } from '@sextant/observability-metadata';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { nextRun } from './cron.ts';
import { type HousekeepingOptions, housekeeping } from './housekeeping.ts';
import { scheduler } from './scheduler.ts';

const clock = manualClock(Date.parse('2025-01-01T00:00:00.000Z'));
const log = { error: () => undefined, info: () => undefined };
const directory = mkdtempSync(join(tmpdir(), 'sextant-jobs-'));
let metadata: Metadata;
let uploads: UploadArea;
let assetId: string;

const cleaning = (changes: Partial<HousekeepingOptions> = {}) =>
  housekeeping({ metadata, uploads, retentionDays: 360, clock, leads: () => true, log, ...changes });
const openStore = () => openMetadata({ directory }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });

beforeAll(async () => {
  metadata = await openStore();
  uploads = await openFolderArea(join(directory, 'uploads'));
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
});
afterAll(async () => {
  await metadata[Symbol.asyncDispose]();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(async () => {
  assetId = (await metadata.forTenant('acme').assets.create(NEW_ASSET)).id;
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
  webhook_url: null,
  created_by: 'test',
} as const;

describe('schedules', () => {
  const schedule = {
    schedule: '0 6 * * *',
    enabled: true,
    delta_only: true,
    sample_fraction: 10,
    skip_investigator: false,
    timestamp_attribute: null,
  };
  const schedules = (store: Metadata, onEnqueued = () => undefined) =>
    scheduler({ metadata: store, clock, log, onEnqueued, leads: () => true });
  const jobs = () => metadata.forTenant('acme').jobs.listOfAsset(assetId);
  const put = (changes: Partial<typeof schedule> = {}) => {
    const wanted = { ...schedule, ...changes };
    return metadata.forTenant('acme').schedules.put(assetId, wanted, nextRun(wanted.schedule, clock.nowMs()));
  };

  test('start a scan when they are due, and once, however many look', async () => {
    await put();
    await schedules(metadata).turn();
    expect(await jobs()).toEqual([]);
    clock.advance(24 * 3_600_000);
    await Promise.all([schedules(metadata).turn(), schedules(metadata).turn(), schedules(metadata).turn()]);
    expect(await jobs()).toHaveLength(1);
    await schedules(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });

  test('start their scan also after a process died between the two steps, and not where another process leads', async () => {
    await put();
    clock.advance(24 * 3_600_000);
    const dying: Metadata = {
      ...metadata,
      forTenant: (id) => {
        const own = metadata.forTenant(id);
        const enqueue = () => Promise.reject(new Error('killed'));
        return { ...own, atomically: (run) => own.atomically((inner) => run({ ...inner, jobs: { ...inner.jobs, enqueue } })) };
      },
    };
    await expect(schedules(dying).turn()).rejects.toThrow('killed');
    await scheduler({ metadata, clock, log, onEnqueued: () => undefined, leads: () => false }).turn();
    expect(await jobs()).toEqual([]);
    await schedules(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });

  test('that were missed for days start one scan', async () => {
    await put();
    clock.advance(10 * 24 * 3_600_000);
    await schedules(metadata).turn();
    await schedules(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });

  test('that are off, or whose last scan still runs, start none', async () => {
    await put({ enabled: false });
    clock.advance(2 * 24 * 3_600_000);
    await schedules(metadata).turn();
    expect(await jobs()).toEqual([]);
    await put();
    await metadata.forTenant('acme').jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'wait' });
    clock.advance(2 * 24 * 3_600_000);
    await schedules(metadata).turn();
    expect(await jobs()).toHaveLength(1);
  });
});

test('deliveries are forgotten 30 days after their end', async () => {
  const tenant = metadata.forTenant('acme');
  const enqueue = async () =>
    (
      await tenant.deliveries.enqueue({
        kind: 'JOB_WEBHOOK',
        dedup_key: null,
        lane: randomBytes(4).toString('hex'),
        target: 'example.org',
        recipient: 'example.org',
        incident_id: null,
        channel: null,
        payload: null,
      })
    )?.id;
  await enqueue();
  const [claimed] = await metadata.platform.deliveries.claim({ limit: 1, perTarget: 1, busy: [], leaseMs: 1000 });
  await tenant.deliveries.settle({ id: claimed?.delivery.id ?? '', lease: claimed?.lease ?? '' }, { kind: 'delivered' });
  const pending = await enqueue();
  clock.advance(30 * 24 * 3_600_000);
  await cleaning().turn();
  expect(await tenant.deliveries.list()).toHaveLength(2);
  clock.advance(1);
  await cleaning().turn();
  expect(await tenant.deliveries.list()).toMatchObject([{ id: pending }]);
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
  await cleaning().turn();
  expect(await tenant.metricPoints.history({ asset_id: assetId })).toMatchObject([{ job_id: other }]);
});

test('scans are forgotten after the days that the operator sets, the last one of an asset is not', async () => {
  const tenant = metadata.forTenant('acme');
  const scan = async () => {
    const { id } = await tenant.jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'refuse' });
    await tenant.jobs.requestCancel(id, 'test');
    return id;
  };
  await scan();
  const last = await scan();
  clock.advance(40 * 24 * 3_600_000);
  await cleaning({ retentionDays: 41 }).turn();
  expect(await tenant.jobs.listOfAsset(assetId)).toHaveLength(2);
  await cleaning({ retentionDays: 39 }).turn();
  expect(await tenant.jobs.listOfAsset(assetId)).toMatchObject([{ id: last }]);
});

test('files of uploads that never ended are removed an hour later, those of uploads that did are not', async () => {
  const tenant = metadata.forTenant('acme');
  const receive = async (hoursAgo: number) => {
    const { id } = await uploads.receive('acme', Readable.from([Buffer.from('id')]), { name: 'a.csv', bytesMax: 9 });
    const changed = (clock.nowMs() - hoursAgo * 3_600_000) / 1000;
    await utimes(join(directory, 'uploads', 'acme', id), changed, changed);
    return id;
  };
  const [kept, fresh] = [await receive(2), await receive(0.5)];
  await receive(2);
  await tenant.uploads.create({ file_name: 'a.csv', bytes: 2, sha256: '', path: kept, created_by: 'test' });
  await cleaning({ leads: () => false }).turn();
  expect(await uploads.list('acme')).toHaveLength(3);
  await cleaning().turn();
  expect(new Set((await uploads.list('acme')).map(({ id }) => id))).toEqual(new Set([kept, fresh]));
});
