// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { TenantMetadata } from '../metadata.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, alertOf, incidentOf, RESULT, runningJob, START } from './samples.conformance.ts';

export function atomicitySuite({ metadata, tenant }: Fixture): void {
  const channel = (name: string) => ({ name, type: 'EMAIL', addresses: [] }) as const;
  const names = async (own: TenantMetadata) => (await own.channels.list()).map(({ name }) => name);

  test('what several stores write in one transaction is there together', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const lease = await runningJob(metadata(), own, id);
    const opened = await own.atomically(async (inner) => {
      await inner.jobs.finish(lease, RESULT);
      await inner.alerts.append([alertOf(id, { job_id: lease.job_id, monitor_id: 'SCHEMA_DRIFTS' })]);
      const incident = await inner.incidents.open(incidentOf(id));
      // Within the transaction its own writes are seen.
      expect(await inner.alerts.strays({ source: id, since: START })).toEqual([]);
      expect(await inner.jobs.get(lease.job_id)).toMatchObject({ status: 'FINISHED' });
      return incident;
    });
    expect(await own.incidents.get(opened.id)).toEqual(opened);
    expect(await own.alerts.ofJob({ source: id, job_id: lease.job_id })).toHaveLength(1);
  });

  test('nothing of it is there when any part fails, or the caller throws at the end', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const lease = await runningJob(metadata(), own, id);
    const failing = own.atomically(async (inner) => {
      await inner.jobs.finish(lease, RESULT);
      await inner.alerts.append([alertOf(id), alertOf('unknown')]);
    });
    await expect(failing).rejects.toMatchObject({ kind: 'asset', id: 'unknown' });
    expect(await own.jobs.get(lease.job_id)).toMatchObject({ status: 'IN_PROGRESS' });
    expect(await own.metricPoints.history({ asset_id: id })).toEqual([]);
    const regret = own.atomically(async (inner) => {
      await inner.channels.create(channel('ops'));
      throw new RangeError('regret');
    });
    await expect(regret).rejects.toThrow(RangeError);
    expect(await names(own)).toEqual([]);
    await own.jobs.fail(lease, 'the test is over');
  });

  test('a write that failed undoes everything, also when the caller caught its error', async () => {
    const own = await tenant();
    const swallowed = own.atomically(async (inner) => {
      await inner.channels.create(channel('ops'));
      await inner.alerts.append([alertOf('unknown')]).catch(() => undefined);
      await inner.channels.create(channel('late'));
    });
    await expect(swallowed).rejects.toMatchObject({ kind: 'asset' });
    expect(await names(own)).toEqual([]);
  });

  test('a transaction in which the database refused a statement is not taken for written', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const outcome = await own
      .atomically(async (inner) => {
        await inner.channels.create(channel('ops'));
        // PostgreSQL refuses the limit, and turns the commit that follows into a rollback without a word; SQLite takes it.
        await inner.metricPoints.history({ asset_id: id, limit: -1 }).catch(() => undefined);
      })
      .then(
        () => 'written',
        () => 'undone',
      );
    expect(await names(own)).toEqual(outcome === 'written' ? ['ops'] : []);
  });

  test('a transaction within another joins it', async () => {
    const own = await tenant();
    const regret = own.atomically(async (outer) => {
      await outer.atomically((inner) => inner.channels.create(channel('inner')));
      expect(await names(outer)).toEqual(['inner']);
      throw new RangeError('regret');
    });
    await expect(regret).rejects.toThrow(RangeError);
    expect(await names(own)).toEqual([]);
    const swallowed = own.atomically(async (outer) => {
      await outer.channels.create(channel('outer'));
      await outer.atomically(() => Promise.reject(new RangeError('regret'))).catch(() => undefined);
    });
    await expect(swallowed).rejects.toThrow(RangeError);
    expect(await names(own)).toEqual([]);
  });

  test('transactions of a tenant run one after another, and what one read stays true until its end', async () => {
    const own = await tenant();
    const rival = metadata().forTenant(own.tenantId);
    const append = (store: TenantMetadata) =>
      store.atomically(async (inner) => {
        const count = (await inner.channels.list()).length;
        await inner.channels.create(channel(`channel ${count + 1}`));
      });
    await Promise.all([own, rival, own, rival, own].map(append));
    expect((await names(own)).toSorted()).toEqual([1, 2, 3, 4, 5].map((number) => `channel ${number}`));
  });

  test('a store that outlives its transaction is refused', async () => {
    const own = await tenant();
    const kept = await own.atomically((inner) => Promise.resolve(inner));
    await expect(kept.channels.list()).rejects.toThrow('the transaction has ended');
    await expect(kept.channels.create(channel('late'))).rejects.toThrow('the transaction has ended');
    expect(await names(own)).toEqual([]);
  });
}
