// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '@sextant/contracts-observability';
import { afterEach, expect, test } from 'vitest';
import { MetadataMissing } from '../errors.ts';
import type { TenantMetadata } from '../metadata.ts';
import type { JobClaim } from '../platform/job-queue.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, claimOf, POINT, RESULT, runningJob, START } from './samples.conformance.ts';

const CLAIM = { worker: 'w', leaseMs: 1000 };

export function jobsSuite({ metadata, tenant, clock }: Fixture): void {
  const queue = () => metadata().platform.jobs;
  afterEach(async () => {
    await queue().releaseLeases();
    for (let job = await queue().claimNext(CLAIM); job !== undefined; job = await queue().claimNext(CLAIM)) {
      await metadata().forTenant(job.tenant_id).jobs.fail({ job_id: job.job.id, lease: job.lease }, 'the test is over');
    }
  });

  test('a job goes from the queue to its end, and its webhook hears of every state', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create({ ...ASSET, webhook_url: 'http://example.org/hook' });
    const job = await own.jobs.enqueue({ asset_id, request: { delta: true }, whenBusy: 'refuse' });
    expect(job).toMatchObject({ status: 'PREPARING', start_time: null, progress: { phase: 'waiting', rows_read: 0 } });
    expect(job.id).toMatch(/^a[0-9a-f]{32}$/);
    clock.advance(5);
    const claimed = await queue().claimNext(CLAIM);
    expect(claimed).toMatchObject({ tenant_id: own.tenantId, attempt: 1, request: { delta: true }, job: { status: 'IN_PROGRESS' } });
    const lease = { job_id: job.id, lease: claimed?.lease ?? '' };
    const progress = { phase: 'measuring', rows_read: 12, fraction: 0.5 } as const;
    expect(await own.jobs.heartbeat(lease, { leaseMs: 1000, progress })).toEqual({ cancelRequested: false });
    expect(await own.jobs.get(job.id)).toMatchObject({ progress, details: 'Runs.' });
    await own.jobs.heartbeat(lease, { leaseMs: 1000, progress: { ...progress, details: 'Spark: 3 of 8 tasks.' } });
    expect(await own.jobs.get(job.id)).toMatchObject({ progress, details: 'Spark: 3 of 8 tasks.' });
    expect(await own.jobs.finish(lease, RESULT)).toMatchObject({
      status: 'FINISHED',
      details: RESULT.details,
      progress: { phase: 'done' },
    });
    expect(await own.metricPoints.history({ asset_id })).toMatchObject([{ ...POINT, metric_time: START, job_id: job.id }]);
    expect(await own.jobFindings.schemaChanges(job.id)).toEqual(RESULT.schema_changes);
    expect(await own.jobFindings.rowSamples(job.id)).toEqual(RESULT.samples);
    expect(await own.jobFindings.rowSamples(job.id, { monitor_id: '7' })).toEqual([]);
    expect(await own.scanMemory.get(asset_id)).toEqual(RESULT.memory);
    const common = { tenant: own.tenantId, source: asset_id, jobId: job.id };
    const uploadTimestamp = Date.parse(job.created_at);
    for (const [status, details] of [
      ['PREPARING', 'Waits for a worker.'],
      ['IN_PROGRESS', 'Runs.'],
      ['FINISHED', RESULT.details],
    ]) {
      const [delivery] = await claimOf(metadata(), own);
      expect(delivery?.payload).toEqual({ url: 'http://example.org/hook', body: { ...common, status, details, uploadTimestamp } });
      await own.deliveries.settle({ id: delivery?.delivery.id ?? '', lease: delivery?.lease ?? '' }, { kind: 'delivered' });
    }
    expect(await claimOf(metadata(), own)).toEqual([]);
  });

  test('what detectors keep of the series of an asset comes back, and the next takes its place', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    expect(await own.detectorStates.list(id)).toEqual([]);
    const { value: _value, ...series } = POINT;
    for (const state of [new Uint8Array([0, 255, 7]), new Uint8Array(2000).fill(9)]) {
      await own.detectorStates.put(id, [{ series, state }]);
      expect(await own.detectorStates.list(id)).toEqual([{ series, state }]);
    }
    await expect(own.detectorStates.put('nobody', [])).rejects.toThrow(MetadataMissing);
  });

  test('one job of an asset runs at a time; the others are refused or wait', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    const { id: other } = await own.assets.create(ASSET);
    const lease = await runningJob(metadata(), own, asset_id);
    await expect(own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' })).rejects.toMatchObject({ kind: 'job' });
    const waiting = await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'wait' });
    expect(waiting.status).toBe('BATCH_WAIT');
    const elsewhere = await own.jobs.enqueue({ asset_id: other, request: {}, whenBusy: 'refuse' });
    expect((await queue().claimNext(CLAIM))?.job.id).toBe(elsewhere.id);
    expect(await queue().claimNext(CLAIM)).toBeUndefined();
    await own.jobs.fail(lease, 'gone');
    expect((await queue().claimNext(CLAIM))?.job.id).toBe(waiting.id);
    expect((await own.jobs.listOfAsset(asset_id)).map(({ id }) => id)).toEqual([waiting.id, lease.job_id]);
    expect((await own.jobs.listOfAsset(asset_id, { most_recent: true })).map(({ id }) => id)).toEqual([waiting.id]);
    expect((await own.jobs.list({ limit: 1 })).map(({ id }) => id)).toEqual([elsewhere.id]);
    expect((await own.jobs.list({ most_recent: true })).map(({ id }) => id)).toEqual([elsewhere.id, waiting.id]);
  });

  test('tenants take turns: whoever runs fewer scans comes first, and of those whoever waited longest', async () => {
    const [many, few] = [await tenant(), await tenant()];
    const request = async (own: TenantMetadata, type: Asset['type'] = 'UPLOAD') => {
      clock.advance(1);
      const { id: asset_id } = await own.assets.create({ ...ASSET, type });
      return (await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' })).id;
    };
    const ofMany = [await request(many), await request(many), await request(many, 'POSTGRESQL')];
    const ofFew = [await request(few), await request(few)];
    const running: { id: string; tenant_id: string }[] = [];
    const next = async (claim: Partial<JobClaim> = {}) => {
      const claimed = await queue().claimNext({ ...CLAIM, running, ...claim });
      if (claimed !== undefined) running.push({ id: claimed.job.id, tenant_id: claimed.tenant_id });
      return claimed?.job.id;
    };
    expect(await next()).toBe(ofMany[0]);
    expect(await next()).toBe(ofFew[0]);
    expect(await next()).toBe(ofMany[1]);
    expect(await next({ fullTenants: [few.tenantId], assetTypes: { without: ['POSTGRESQL'] } })).toBeUndefined();
    expect(await next({ fullTenants: [many.tenantId] })).toBe(ofFew[1]);
    expect(await next({ assetTypes: { without: ['POSTGRESQL'] } })).toBeUndefined();
    expect(await next({ assetTypes: { only: ['POSTGRESQL'] } })).toBe(ofMany[2]);
  });

  test('of many requests at once one is accepted, and of many workers one gets the job', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    const requests = Array.from({ length: 5 }, () => own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' }));
    expect((await Promise.allSettled(requests)).filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const claims = await Promise.all(Array.from({ length: 5 }, () => queue().claimNext(CLAIM)));
    expect(claims.filter((claim) => claim !== undefined)).toHaveLength(1);
  });

  test('a job whose worker died is claimed again, and says how often it was', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    const lost = await runningJob(metadata(), own, asset_id);
    expect(await queue().claimNext(CLAIM)).toBeUndefined();
    clock.advance(60_000);
    const second = await queue().claimNext(CLAIM);
    expect(second).toMatchObject({ attempt: 2, job: { id: lost.job_id } });
    await expect(own.jobs.heartbeat(lost, { leaseMs: 1000 })).rejects.toMatchObject({ name: 'MetadataConflict' });
    await expect(own.jobs.finish(lost, RESULT)).rejects.toMatchObject({ name: 'MetadataConflict' });
    expect(await own.metricPoints.history({ asset_id })).toEqual([]);
    expect(await queue().releaseLeases('w')).toBe(1);
    expect(await queue().claimNext(CLAIM)).toMatchObject({ attempt: 3 });
    await queue().releaseLeases();
    expect(await queue().claimNext(CLAIM)).toMatchObject({ attempt: 4 });
    expect(await queue().claimNext(CLAIM)).toBeUndefined();
  });

  test('a waiting job is cancelled at once, a running one by its worker or after its death', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    const waiting = await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' });
    expect(await own.jobs.requestCancel(waiting.id, 'ada')).toMatchObject({ status: 'FAILED', details: 'Cancelled by ada.' });
    await expect(own.jobs.requestCancel(waiting.id, 'ada')).rejects.toThrow('ended');
    const lease = await runningJob(metadata(), own, asset_id);
    expect(await own.jobs.requestCancel(lease.job_id, 'ada')).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await own.jobs.heartbeat(lease, { leaseMs: 1000 })).toEqual({ cancelRequested: true });
    await queue().releaseLeases();
    expect(await queue().claimNext(CLAIM)).toBeUndefined();
    expect(await own.jobs.get(lease.job_id)).toMatchObject({ status: 'FAILED', details: 'Cancelled by ada.' });
  });

  test('metric history is asked by series and time; points can be left out of learning', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    const lease = await runningJob(metadata(), own, asset_id);
    const points = [
      POINT,
      { ...POINT, segment: 'country=DE', value: Number.NaN },
      { ...POINT, attribute: null, metric_name: 'FRESHNESS' as const },
    ];
    const at = (metric_time: string) => own.metricPoints.append({ asset_id, job_id: lease.job_id, metric_time, points });
    for (const time of ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z', '2026-01-03T00:00:00.000Z']) await at(time);
    const times = async (filter: object) =>
      (await own.metricPoints.history({ asset_id, ...filter })).map(({ metric_time }) => metric_time.slice(8, 10));
    expect(await times({})).toEqual(['01', '01', '01', '02', '02', '02', '03', '03', '03']);
    expect(await times({ attribute: 'price', segment: null })).toEqual(['01', '02', '03']);
    expect(await times({ attribute: null })).toEqual(['01', '02', '03']);
    expect(await times({ metric_name: 'FRESHNESS', limit: 2 })).toEqual(['02', '03']);
    const middle = { from_time: '2026-01-02T01:00:00+01:00', to_time: '2026-01-02T00:00:00.000Z', metric_name: 'FRESHNESS' };
    expect(await times(middle)).toEqual(['02']);
    expect(await times({ metric_aggregation: 'max' })).toEqual([]);
    expect(await times({ monitor_id: '1' })).toEqual([]);
    const [broken] = await own.metricPoints.history({ asset_id, segment: 'country=DE' });
    expect(broken).toMatchObject({ value: null, is_excluded: false, is_violation: false });
    await own.metricPoints.exclude({ asset_id, job_id: lease.job_id, ...POINT }, { by: 'ada', comment: 'a test delivery' });
    expect((await own.metricPoints.history({ asset_id, segment: null, attribute: 'price' })).map((point) => point.is_excluded)).toContain(
      true,
    );
    const unknown = own.metricPoints.include({ asset_id, job_id: 'a0', ...POINT });
    await expect(unknown).rejects.toMatchObject({ kind: 'metric point' });
    expect(await own.metricPoints.deleteBefore('2026-01-03T00:00:00.000Z')).toBe(6);
    expect(await times({})).toEqual(['03', '03', '03']);
  });

  test('a schedule comes due, and one run is started once', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const schedule = {
      schedule: '0 * * * *',
      enabled: true,
      delta_only: false,
      sample_fraction: null,
      skip_investigator: false,
      timestamp_attribute: null,
    };
    const due = new Date(clock.nowMs()).toISOString();
    await own.schedules.put(id, schedule, due);
    expect(await own.schedules.find(id)).toEqual(schedule);
    const found = (await metadata().platform.due.schedules(100)).filter(({ tenant_id }) => tenant_id === own.tenantId);
    expect(found).toEqual([{ tenant_id: own.tenantId, asset_id: id, schedule, next_run_at: due }]);
    const later = new Date(clock.nowMs() + 3_600_000).toISOString();
    const runs = await Promise.all([1, 2, 3].map(() => own.schedules.advance(id, { from: due, to: later })));
    expect(runs.filter(Boolean)).toHaveLength(1);
    await own.schedules.put(id, { ...schedule, enabled: false }, due);
    expect((await metadata().platform.due.schedules(100)).filter(({ tenant_id }) => tenant_id === own.tenantId)).toEqual([]);
    await own.schedules.delete(id);
    await expect(own.schedules.delete(id)).rejects.toMatchObject({ kind: 'schedule' });
  });
}
