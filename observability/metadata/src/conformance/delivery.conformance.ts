// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { TenantMetadata } from '../metadata.ts';
import type { ClaimedDelivery } from '../platform/delivery-queue.ts';
import type { NewDelivery } from '../tenant/deliveries.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, claimOf, DELIVERY, incidentOf } from './samples.conformance.ts';

export function deliverySuite({ metadata, tenant, clock }: Fixture): void {
  const queue = () => metadata().platform.deliveries;
  const enqueue = async (own: TenantMetadata, change: Partial<NewDelivery> = {}) =>
    (await own.deliveries.enqueue({ ...DELIVERY, lane: crypto.randomUUID(), ...change }))?.id ?? '';
  const claimOfTenant = (own: TenantMetadata) => claimOf(metadata(), own);
  const claimOne = async (own: TenantMetadata): Promise<{ id: string; lease: string }> => {
    const [claimed] = await claimOfTenant(own);
    return { id: claimed?.delivery.id ?? '', lease: claimed?.lease ?? '' };
  };
  const later = (ms: number) => new Date(clock.nowMs() + ms).toISOString();
  const ids = (claimed: readonly ClaimedDelivery[]) => claimed.map(({ delivery }) => delivery.id);

  test('a delivery is given to one at a time until it arrives, and stays readable', async () => {
    const own = await tenant();
    const id = await enqueue(own);
    const claims = (await Promise.all([claimOfTenant(own), claimOfTenant(own)])).flat();
    expect(claims).toMatchObject([{ delivery: { id, attempts: 1, status: 'PENDING' }, payload: { big: 2n ** 63n } }]);
    const first = { id, lease: claims[0]?.lease ?? '' };
    expect(await own.deliveries.settle(first, { kind: 'retry', next_attempt_at: later(500), error: 'status 500' })).toBe(true);
    expect(await claimOfTenant(own)).toEqual([]);
    clock.advance(500);
    const second = await claimOne(own);
    expect(await own.deliveries.get(id)).toMatchObject({ attempts: 2, last_error: 'status 500' });
    expect(await own.deliveries.settle(second, { kind: 'delivered' })).toBe(true);
    expect(await own.deliveries.get(id)).toMatchObject({ status: 'DELIVERED', next_attempt_at: null, ended_at: later(0) });
    await expect(own.deliveries.get('d0')).rejects.toMatchObject({ kind: 'delivery' });
  });

  test('a clock that is set back by an hour keeps no delivery waiting for an hour', async () => {
    const own = await tenant();
    const [tried, untried] = [await enqueue(own), await enqueue(own)];
    const first = (await claimOfTenant(own)).find(({ delivery }) => delivery.id === tried);
    await own.deliveries.settle(
      { id: tried, lease: first?.lease ?? '' },
      { kind: 'retry', next_attempt_at: later(500), error: 'status 500' },
    );
    clock.advance(-3_600_000);
    expect(ids(await claimOfTenant(own)).toSorted()).toEqual([tried, untried].toSorted());
    expect(await claimOfTenant(own), 'before the lease ends').toEqual([]);
    clock.advance(3_600_000);
  });

  test('whoever lost a lease decides nothing', async () => {
    const own = await tenant();
    const id = await enqueue(own);
    const lost = await claimOne(own);
    clock.advance(1000);
    const held = await claimOne(own);
    expect(held.id).toBe(id);
    expect(await own.deliveries.settle(lost, { kind: 'failed', error: 'late' })).toBe(false);
    expect(await own.deliveries.settle(held, { kind: 'delivered' })).toBe(true);
    expect(await own.deliveries.settle(held, { kind: 'failed', error: 'twice' })).toBe(false);
    expect((await own.deliveries.get(id)).status).toBe('DELIVERED');
  });

  test('of one lane, each waits until those before it have ended', async () => {
    const own = await tenant();
    const lane = 'incident 7';
    const [first, second] = [await enqueue(own, { lane }), await enqueue(own, { lane })];
    const elsewhere = await enqueue(own);
    expect(ids(await claimOfTenant(own)).toSorted()).toEqual([first, elsewhere].toSorted());
    expect(await claimOfTenant(own)).toEqual([]);
    clock.advance(1000);
    const again = await claimOfTenant(own);
    const claim = again.find(({ delivery }) => delivery.id === first);
    await own.deliveries.settle({ id: first, lease: claim?.lease ?? '' }, { kind: 'failed', error: 'given up' });
    expect(ids(await claimOfTenant(own))).toEqual([second]);
  });

  test('what was queued once with a key is not queued again, not even after it has ended', async () => {
    const own = await tenant();
    const id = await enqueue(own, { dedup_key: 'incident 1 step 1' });
    expect(await own.deliveries.enqueue({ ...DELIVERY, dedup_key: 'incident 1 step 1' })).toBeUndefined();
    await own.deliveries.settle(await claimOne(own), { kind: 'delivered' });
    expect(await own.deliveries.enqueue({ ...DELIVERY, dedup_key: 'incident 1 step 1' })).toBeUndefined();
    expect(await own.deliveries.findByKey('incident 1 step 1')).toMatchObject({ id });
    expect(await own.deliveries.list()).toHaveLength(1);
  });

  test('a claim takes few of each receiver of a tenant, and none of a busy one', async () => {
    const own = await tenant();
    const other = await tenant();
    const targets = ['a', 'b', 'c'];
    for (const target of targets) for (let count = 0; count < 5; count += 1) await enqueue(own, { target });
    await enqueue(other, { target: 'a' });
    const claimed = await queue().claim({ limit: 1000, perTarget: 2, busy: [{ tenant_id: own.tenantId, target: 'a' }], leaseMs: 1000 });
    const taken = claimed.filter(({ tenant_id }) => tenant_id === own.tenantId).map(({ target }) => target);
    expect(taken.toSorted()).toEqual(['b', 'b', 'c', 'c']);
    expect(claimed.filter(({ tenant_id }) => tenant_id === other.tenantId)).toHaveLength(1);
  });

  test('processes that claim at once get each delivery once, and together no more of a receiver than its number', async () => {
    const own = await tenant();
    for (let count = 0; count < 12; count += 1) await enqueue(own, { target: `t${count % 3}` });
    const claim = async () => {
      const claimed = await queue().claim({ limit: 1000, perTarget: 2, busy: [], leaseMs: 1000 });
      return claimed.filter(({ tenant_id }) => tenant_id === own.tenantId);
    };
    const claimed = (await Promise.all([claim(), claim(), claim(), claim()])).flat();
    expect(new Set(ids(claimed)).size).toBe(claimed.length);
    expect(claimed.map(({ target }) => target).toSorted()).toEqual(['t0', 't0', 't1', 't1', 't2', 't2']);
    expect(await claim()).toEqual([]);
    const [first] = claimed;
    await own.deliveries.settle({ id: first?.delivery.id ?? '', lease: first?.lease ?? '' }, { kind: 'delivered' });
    expect((await claim()).map(({ target }) => target)).toEqual([first?.target]);
    clock.advance(1000);
    expect(await claim()).toHaveLength(6);
  });

  test('after a crash all are due at once, but those that may have reached a tracker', async () => {
    const own = await tenant();
    const message = await enqueue(own);
    await enqueue(own, { kind: 'TICKET' });
    expect(await claimOfTenant(own)).toHaveLength(2);
    await queue().releaseLeases();
    expect(ids(await claimOfTenant(own))).toEqual([message]);
    clock.advance(1000);
    expect(await claimOfTenant(own)).toHaveLength(2);
  });

  test('what has ended can be sent again as the same message, and is forgotten in the end', async () => {
    const own = await tenant();
    const id = await enqueue(own);
    await expect(own.deliveries.replay(id)).rejects.toMatchObject({ kind: 'delivery' });
    await own.deliveries.settle(await claimOne(own), { kind: 'failed', error: 'given up' });
    expect(await own.deliveries.replay(id)).toMatchObject({ id, status: 'PENDING', attempts: 0, ended_at: null });
    const replayed = await claimOne(own);
    expect(replayed.id).toBe(id);
    expect(await own.deliveries.deleteEndedBefore(later(1))).toBe(0);
    await own.deliveries.settle(replayed, { kind: 'delivered' });
    expect(await own.deliveries.deleteEndedBefore(later(0))).toBe(0);
    expect(await own.deliveries.deleteEndedBefore(later(1))).toBe(1);
  });

  test('the log is filtered, newest first, and knows what was last announced of an incident', async () => {
    const own = await tenant();
    await enqueue(own, { incident_id: 1, channel: 'ops', payload: { announced: 1 } });
    await enqueue(own, { incident_id: 1, channel: 'team', payload: { announced: 2 } });
    const ticket = await enqueue(own, { incident_id: 1, kind: 'TICKET', channel: null });
    const other = await enqueue(own, { incident_id: 2 });
    expect((await own.deliveries.list()).map(({ id }) => id).slice(0, 2)).toEqual([other, ticket]);
    expect(await own.deliveries.list({ incident_id: 1 })).toHaveLength(3);
    expect(await own.deliveries.list({ incident_id: 1, channel: 'team' })).toMatchObject([{ channel: 'team' }]);
    expect(await own.deliveries.list({ kind: 'TICKET', status: 'PENDING' })).toMatchObject([{ id: ticket }]);
    expect(await own.deliveries.list({ status: 'FAILED' })).toEqual([]);
    expect(await own.deliveries.list({}, { limit: 1, offset: 1 })).toMatchObject([{ id: ticket }]);
    expect(await own.deliveries.lastNotification(1)).toEqual({ announced: 2 });
    expect(await own.deliveries.lastNotification(3)).toBeUndefined();
    const announced = (await own.deliveries.findNotifications([1, 3])).map(({ channel, payload }) => [channel, payload]);
    expect(announced).toEqual([
      ['team', { announced: 2 }],
      ['ops', { announced: 1 }],
    ]);
    expect(await own.deliveries.findNotifications([])).toEqual([]);
    expect(await queue().countPending()).toBeGreaterThanOrEqual(4);
  });

  test('an incident has one ticket, and its status is read again an interval after the last time', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const { id: incident_id } = await own.incidents.open(incidentOf(asset));
    const linked = { incident_id, key: 'KEY-1', url: 'https://tracker.example/browse/KEY-1', template_id: null };
    const ticket = await own.tickets.link(linked, 'ada');
    expect(await own.tickets.link({ ...linked, key: 'KEY-2' }, 'ada')).toEqual(ticket);
    expect((await own.incidents.get(incident_id)).ticket_id).toBe(ticket.id);
    await own.trackerConnection.put({ base_url: 'https://t.example', email: null, poll_interval_seconds: 60, api_token: 'very secret' });
    const due = async () => (await metadata().platform.due.tickets(100)).filter(({ tenant_id }) => tenant_id === own.tenantId);
    expect(await due()).toEqual([]);
    clock.advance(60_000);
    expect(await due()).toMatchObject([{ ticket: { key: 'KEY-1' } }]);
    await own.tickets.noteStatus(ticket.id, { status: 'In Progress' });
    expect(await due()).toEqual([]);
    clock.advance(-3_600_000);
    expect(await due(), 'after the clock was set back').toMatchObject([{ ticket: { key: 'KEY-1' } }]);
    await own.tickets.noteStatus(ticket.id, { status: 'In Progress' });
    expect(await due()).toEqual([]);
    clock.advance(3_600_000);
    await own.tickets.noteStatus(ticket.id, { error: 'gone' });
    expect(await own.tickets.find(incident_id)).toMatchObject({ status: 'In Progress', last_error: 'gone' });
    await own.tickets.unlink(incident_id, 'ada');
    expect((await own.incidents.get(incident_id)).ticket_id).toBe(0);
    await expect(own.tickets.unlink(incident_id, 'ada')).rejects.toMatchObject({ kind: 'ticket' });
  });

  test('tokens and secrets open for their tenant and their place only', async () => {
    const own = await tenant();
    const connection = { base_url: 'https://t.example', email: 'a@example.com', poll_interval_seconds: 60 };
    expect(await own.trackerConnection.find()).toBeUndefined();
    expect(await own.trackerConnection.put({ ...connection, api_token: 'very secret' })).toEqual(connection);
    expect(await own.trackerConnection.find()).toEqual(connection);
    expect(await own.trackerConnection.token()).toBe('very secret');
    await own.trackerConnection.delete();
    await expect(own.trackerConnection.delete()).rejects.toMatchObject({ kind: 'tracker connection' });
    await own.channels.create({ name: 'ops', type: 'WEBHOOK', addresses: [] });
    expect(await own.channels.secret('ops')).toBeUndefined();
    const secret = { current: 'whsec_1', previous: null };
    await own.channels.putSecret('ops', secret);
    expect(await own.channels.secret('ops')).toEqual(secret);
    await own.channels.putSecret('ops', null);
    expect(await own.channels.secret('ops')).toBeUndefined();
    await expect(own.channels.secret('none')).rejects.toMatchObject({ kind: 'notification channel' });
  });
}
