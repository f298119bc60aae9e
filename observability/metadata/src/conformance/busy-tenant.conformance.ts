// SPDX-License-Identifier: Apache-2.0
/** Where transactions run beside each other, the queue waits for no tenant: it takes what nobody else changes. */
import { expect, test } from 'vitest';
import type { Fixture } from './engines.conformance.ts';
import { ASSET } from './samples.conformance.ts';

const CLAIM = { worker: 'test', leaseMs: 60_000 };

export function busyTenantSuite({ clock, location, metadata, tenant }: Fixture): void {
  const waitingJob = async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create({ ...ASSET, type: 'MILVUS' });
    const { id } = await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' });
    clock.advance(1);
    return { own, id };
  };
  const claim = () => metadata().platform.jobs.claimNext({ ...CLAIM, assetTypes: { only: ['MILVUS'] } });

  test('jobs are taken while a transaction of their tenant runs, all but those that it changes', async ({ skip }) => {
    // On SQLite one transaction at a time writes.
    if (!('databaseUrl' in location())) return skip();
    const [changing, idle] = [await waitingJob(), await waitingJob()];
    await changing.own.atomically(async (inner) => {
      await inner.jobs.requestCancel(changing.id, 'ada');
      expect((await claim())?.job.id).toBe(idle.id);
      expect(await claim()).toBeUndefined();
    });
    expect(await claim()).toBeUndefined();
    expect(await changing.own.jobs.get(changing.id)).toMatchObject({ status: 'FAILED', details: 'Cancelled by ada.' });
    const busy = await waitingJob();
    await busy.own.atomically(async (inner) => {
      await inner.projects.create({ name: 'long work', description: null, created_by: 'ada' });
      expect((await claim())?.job.id).toBe(busy.id);
    });
  });
}
