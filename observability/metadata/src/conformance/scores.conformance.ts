// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import type { TenantMetadata } from '../metadata.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, incidentOf, METRIC, REPORT, RESULT, runningJob, SCORED, START_MS } from './samples.conformance.ts';

const HOUR_MS = 3_600_000;
const hour = (count: number) => new Date(START_MS + count * HOUR_MS).toISOString();

export function scoresSuite({ metadata, tenant, clock }: Fixture): void {
  const finishedJob = async (own: TenantMetadata, assetId: string) => {
    const lease = await runningJob(metadata(), own, assetId);
    await own.jobs.finish(lease, RESULT);
    return lease.job_id;
  };
  /** One score for each hour from the start on. */
  const scored = async (own: TenantMetadata, asset_id: string, scores: readonly (number | null)[]) => {
    const jobs: string[] = [];
    for (const [index, score] of scores.entries()) {
      const job_id = await finishedJob(own, asset_id);
      await own.dqScores.append({ ...SCORED, asset_id, job_id, metric_time: hour(index), score });
      jobs.push(job_id);
    }
    return jobs;
  };

  describe('scores', () => {
    test('are listed newest first with those that were left out, and as a history without them', async () => {
      const own = await tenant();
      const { id } = await own.assets.create(ASSET);
      const [first, second, third] = await scored(own, id, [80, null, 90]);
      expect((await own.dqScores.newest(id, 2)).map(({ job_id, score }) => [job_id, score])).toEqual([
        [third, 90],
        [second, null],
      ]);
      const history = await own.dqScores.history({ asset_id: id, limit: 10 });
      expect(history).toEqual([
        { ...SCORED, asset_id: id, job_id: first, metric_time: hour(0), score: 80 },
        { ...SCORED, asset_id: id, job_id: third, metric_time: hour(2), score: 90 },
      ]);
    });

    test('of a period hold both its ends, and the newest that fit the limit', async () => {
      const own = await tenant();
      const { id } = await own.assets.create(ASSET);
      await scored(own, id, [1, 2, 3, 4]);
      const of = async (filter: object) => (await own.dqScores.history({ asset_id: id, limit: 10, ...filter })).map(({ score }) => score);
      expect(await of({ from_time: hour(1), to_time: hour(2) })).toEqual([2, 3]);
      expect(await of({ limit: 2 })).toEqual([3, 4]);
      expect(await own.dqScores.deleteBefore(hour(2))).toBe(2);
      expect(await of({})).toEqual([3, 4]);
    });

    test('need a job of the asset, and go with the asset', async () => {
      const own = await tenant();
      const [a, b] = [(await own.assets.create(ASSET)).id, (await own.assets.create(ASSET)).id];
      const job_id = await finishedJob(own, a);
      await expect(own.dqScores.append({ ...SCORED, asset_id: b, job_id })).rejects.toMatchObject({ kind: 'job' });
      await own.dqScores.append({ ...SCORED, asset_id: a, job_id });
      await own.assets.delete(a);
      await expect(own.dqScores.newest(a, 1)).rejects.toMatchObject({ kind: 'asset' });
      expect((await own.dqScores.standings()).map(({ asset_id }) => asset_id)).toEqual([b]);
    });

    test('stand for all assets at once with their configurations and open incidents', async () => {
      const own = await tenant();
      const [a, b] = [(await own.assets.create({ ...ASSET, name: 'a' })).id, (await own.assets.create({ ...ASSET, name: 'b' })).id];
      const [, last] = await scored(own, a, [80, 70]);
      const config = { enabled: false, weights: { completeness: 1, accuracy: 0, consistency: 0, timeliness: 0 } };
      await own.dqScoreConfig.put(b, config);
      const { id: open } = await own.incidents.open(incidentOf(b));
      const { id: closed } = await own.incidents.open(incidentOf(b, { alert_policy_id: 'FRESHNESS_DRIFTS' }));
      await own.incidents.advance(closed, { timestamp: hour(1), state: 'RESOLVED', alert_refs: [] });
      const attributes = [METRIC.attribute];
      const exposure = { open_incidents: [{ id: open, alert_policy_id: 'SCHEMA_DRIFTS', severity: 'HIGH', attributes }], attributes: 0 };
      expect(await own.dqScores.exposure(b)).toEqual(exposure);
      expect(await own.dqScores.standings()).toMatchObject([
        {
          asset_id: a,
          asset_name: 'a',
          project_id: 0,
          config: null,
          last: { job_id: last, score: 70 },
          exposure: { open_incidents: [], attributes: 0 },
        },
        { asset_id: b, config, last: undefined, exposure },
      ]);
    });
  });

  describe('scan reports', () => {
    test('wait until they are written, one claimer at a time', async () => {
      const own = await tenant();
      const report = { ...REPORT, asset_id: 'gone', job_id: 'a1' };
      await own.scanReports.enqueue(report);
      const claim = () => metadata().platform.reports.claimDue({ limit: 10, leaseMs: HOUR_MS });
      expect(await claim()).toEqual([{ ...report, tenant_id: own.tenantId, attempts: 1, last_error: null }]);
      expect(await claim()).toEqual([]);
      clock.advance(HOUR_MS);
      expect(await claim()).toMatchObject([{ job_id: 'a1', attempts: 2 }]);
      await own.scanReports.retry('a1', { next_attempt_at: new Date(clock.nowMs()).toISOString(), error: 'no bucket' });
      expect(await claim()).toMatchObject([{ job_id: 'a1', attempts: 3, last_error: 'no bucket' }]);
      await metadata().platform.reports.releaseAll();
      expect(await claim()).toMatchObject([{ job_id: 'a1', attempts: 4 }]);
      await own.scanReports.remove('a1');
      expect(await own.scanReports.list()).toEqual([]);
    });

    test('are queued with what else happens in the transaction, or not at all', async () => {
      const own = await tenant();
      const report = { ...REPORT, asset_id: 'x', job_id: 'a1' };
      const failing = own.atomically(async (inner) => {
        await inner.scanReports.enqueue(report);
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      expect(await own.scanReports.list()).toEqual([]);
    });
  });
}
