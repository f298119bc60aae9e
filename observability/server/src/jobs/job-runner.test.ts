// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Asset, Job } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { type ClaimedJob, type JobLease, type JobResult, type Metadata, openMetadata } from '@sextant/observability-metadata';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { JobRunner, type JobWork, type Lane, type RunJob } from './job-runner.ts';
import { scanLanes } from './scan-lanes.ts';

const log = { error: () => undefined, info: () => undefined };
const RESULT: JobResult = {
  details: 'done',
  metric_time: '2025-01-01T00:00:00.000Z',
  metrics: [],
  rows_read: 0,
  schema_changes: [],
  samples: [],
  memory: null,
};
let directory: TemporaryDirectory;
let metadata: Metadata;
/** How far wall time was set forward. */
let setForwardMs = 0;
const clock = { ...systemClock, nowMs: () => systemClock.nowMs() + setForwardMs };

beforeAll(async () => {
  directory = await temporaryDirectory();
  metadata = await openMetadata({ directory: directory.path }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
});
afterAll(async () => {
  await metadata[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

const LANES = scanLanes({ scanConcurrency: 2, databaseScanConcurrency: 1, scansPerTenant: 0 });

function runner(worker: string, runJob: RunJob<JobResult>, lanes: readonly Lane[] = LANES): JobRunner {
  const work: JobWork = {
    run: async (claimed, options) => {
      const result = await runJob(claimed, options);
      return async () => void (await jobsOf(claimed).finish(leaseOf(claimed), result));
    },
    fail: async (claimed, { details }) => void (await jobsOf(claimed).fail(leaseOf(claimed), details)),
  };
  const started = new JobRunner({ metadata, work, sentenceOf: String, mayBegin: () => true, lanes, worker, clock, log });
  started.wake();
  return started;
}

const jobsOf = ({ tenant_id }: ClaimedJob) => metadata.forTenant(tenant_id).jobs;
const leaseOf = ({ job, lease }: ClaimedJob): JobLease => ({ job_id: job.id, lease });

/** Runs until it is stopped. */
const endless: RunJob<JobResult> = (_job, { signal, onProgress }) => {
  onProgress({ phase: 'measuring', rows_read: 42, fraction: 0.5 });
  return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
};

async function enqueue({ tenant = 'acme', type = 'UPLOAD' }: { tenant?: string; type?: Asset['type'] } = {}): Promise<string> {
  const facts = {
    project_id: 0,
    name: 'a',
    description: null,
    type,
    options: {},
    payload: {},
    connection_id: null,
    db_type: null,
  } as const;
  const asset = await metadata.forTenant(tenant).assets.create({ ...facts, tags: [], webhook_url: null, created_by: 'test' });
  return (await metadata.forTenant(tenant).jobs.enqueue({ asset_id: asset.id, request: {}, whenBusy: 'wait' })).id;
}

async function until(jobId: string, isReached: (job: Job) => boolean): Promise<Job> {
  for (;;) {
    const job = await metadata.forTenant('acme').jobs.get(jobId);
    if (isReached(job)) return job;
    await sleep(5);
  }
}

test('progress is read while a scan runs, and a running scan is cancelled', async () => {
  const id = await enqueue();
  const running = runner('one', endless);
  await until(id, ({ progress }) => progress.rows_read === 42);
  await metadata.forTenant('acme').jobs.requestCancel(id, 'somebody');
  expect(await until(id, ({ status }) => status === 'FAILED')).toMatchObject({ details: expect.stringContaining('cancelled') });
  await running.stop();
});

test('a service that stops releases its scans, and another one runs them', async () => {
  const id = await enqueue();
  const first = runner('one', endless);
  await until(id, ({ status }) => status === 'IN_PROGRESS');
  await first.stop();
  const second = runner('two', async () => RESULT);
  expect(await until(id, ({ status }) => status === 'FINISHED')).toMatchObject({ details: 'done' });
  await second.stop();
});

test('a scan that fails says why', async () => {
  const id = await enqueue();
  const running = runner('one', async () => {
    throw new Error('the source is empty');
  });
  expect(await until(id, ({ status }) => status === 'FAILED')).toMatchObject({ details: 'Error: the source is empty' });
  await running.stop();
});

test('a scan that took its worker down three times is not tried again', async () => {
  const id = await enqueue();
  for (let death = 0; death < 3; death++) {
    await metadata.platform.jobs.claimNext({ worker: 'dying', leaseMs: 60_000 });
    await metadata.platform.jobs.releaseLeases('dying');
  }
  let runs = 0;
  const running = runner('one', async () => {
    runs++;
    return RESULT;
  });
  expect(await until(id, ({ status }) => status === 'FAILED')).toMatchObject({
    details: 'The worker of the job stopped 3 times before the job ended.',
  });
  expect(runs).toBe(0);
  await running.stop();
});

test('a scan that runs is not started a second time where the clock is set forward', async () => {
  const id = await enqueue();
  let runs = 0;
  const end = Promise.withResolvers<void>();
  const running = runner('one', async () => {
    runs++;
    await end.promise;
    return RESULT;
  });
  await until(id, ({ status }) => status === 'IN_PROGRESS');
  setForwardMs = 3_600_000;
  // It looks for jobs again before its next beat has renewed the lease.
  for (let look = 0; look < 20; look++) {
    running.wake();
    await sleep(5);
  }
  end.resolve();
  await until(id, ({ status }) => status === 'FINISHED');
  expect(runs).toBe(1);
  await running.stop();
});

test('no more scans run at a time than are allowed', async () => {
  const ids = await Promise.all(Array.from({ length: 6 }, () => enqueue()));
  let now = 0;
  let most = 0;
  const two = Promise.withResolvers<void>();
  const running = runner('one', async () => {
    now++;
    most = Math.max(most, now);
    if (now === 2) two.resolve();
    await two.promise;
    // Time for a third one to start, if it could.
    await sleep(10);
    now--;
    return RESULT;
  });
  for (const id of ids) await until(id, ({ status }) => status === 'FINISHED');
  expect(most).toBe(2);
  await running.stop();
});

test('a scan that a database measures takes no place of local work', async () => {
  const local = [await enqueue(), await enqueue()];
  const remote = await enqueue({ type: 'POSTGRESQL' });
  const running = runner('one', endless);
  for (const id of [...local, remote]) await until(id, ({ status }) => status === 'IN_PROGRESS');
  for (const id of [...local, remote]) await metadata.forTenant('acme').jobs.requestCancel(id, 'somebody');
  for (const id of [...local, remote]) await until(id, ({ status }) => status === 'FAILED');
  await running.stop();
});

test('a tenant with endless scans keeps nobody else waiting', async () => {
  await metadata.platform.tenants.create({ id: 'busy', name: 'Busy' });
  const endlessOnes = await Promise.all(Array.from({ length: 3 }, () => enqueue({ tenant: 'busy' })));
  const own = await enqueue();
  const running = runner('one', (claimed, options) => (claimed.tenant_id === 'busy' ? endless(claimed, options) : Promise.resolve(RESULT)));
  await until(own, ({ status }) => status === 'FINISHED');
  const later = await enqueue();
  await until(later, ({ status }) => status === 'FINISHED');
  const statuses = await Promise.all(endlessOnes.map(async (id) => (await metadata.forTenant('busy').jobs.get(id)).status));
  expect(statuses.filter((status) => status === 'IN_PROGRESS')).toHaveLength(1);
  await running.stop();
});
