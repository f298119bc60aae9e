// SPDX-License-Identifier: Apache-2.0
/** What comes from an asset upstream: the incident there is the cause, and who was notified of that hears it once. */
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EvaluationFixture, type Found, openEvaluationFixture } from '../testing/evaluation-fixture.ts';

const DAY_MS = 24 * 3_600_000;
const POLICY = 'COMPLETENESS_DRIFTS';

let directory: TemporaryDirectory;
let fixture: EvaluationFixture;

beforeAll(async () => {
  directory = await temporaryDirectory();
  fixture = await openEvaluationFixture(directory.path);
});
afterAll(async () => {
  await fixture[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

async function scan(assetId: string, found: Found = {}): Promise<void> {
  fixture.clock.advance(DAY_MS);
  await fixture.finish(await fixture.claim(assetId), found);
}

/** The newest of the policy. */
async function incidentOf(assetId: string): Promise<number> {
  const listed = (await fixture.tenant.incidents.list({ alert_policy_ids: [POLICY] })).filter(({ asset_id }) => asset_id === assetId);
  return listed[0]?.id ?? 0;
}

async function notifying(assetId: string, ...channels: readonly string[]): Promise<void> {
  const notification = { send_notifications: true, notification_channel_names: channels };
  await fixture.tenant.monitors.update(assetId, POLICY, { notification, modified_by: 'ada' });
}

/** A parent and its child, each with a monitor that notifies. */
async function family(name: string) {
  const { tenant } = fixture;
  const { id: parent } = await fixture.newAsset(`${name} orders`);
  const { id: child } = await fixture.newAsset(`${name} revenue`);
  await tenant.lineage.replace(child, { parents: [parent] });
  for (const channel of ['ops', 'finance']) {
    await tenant.channels.create({ name: `${name} ${channel}`, type: 'EMAIL', addresses: [`${channel}@example.com`] });
  }
  await notifying(parent, `${name} ops`);
  await notifying(child, `${name} ops`, `${name} finance`);
  const sent = async () =>
    (await tenant.deliveries.list())
      .filter(({ channel }) => channel?.startsWith(name) === true)
      .map(({ channel, incident_id }) => [channel?.slice(name.length + 1), incident_id])
      .toReversed();
  return { parent, child, sent };
}

test('an open incident upstream about the same is the cause of one of the next scan downstream', async () => {
  const { parent, child } = await family('one');
  await scan(parent, { [POLICY]: ['price'] });
  await scan(child, { [POLICY]: ['price'] });
  const [cause, effect] = [await incidentOf(parent), await incidentOf(child)];
  const reason = '`one orders`, which this asset is made of, has an open incident of "Completeness drifts" about the same';
  const related = [
    { incident_id: cause, asset_name: 'one orders', role: 'CAUSE', reason: null },
    { incident_id: effect, asset_name: 'one revenue', role: 'EFFECT', reason },
  ];
  expect(await fixture.tenant.incidentStories.related(effect)).toMatchObject(related);
  expect(await fixture.tenant.incidentStories.related(cause)).toMatchObject(related);
});

test('an incident upstream about another column, or one that is closed, is no cause', async () => {
  const { parent, child } = await family('two');
  await scan(parent, { [POLICY]: ['weight'] });
  await scan(child, { [POLICY]: ['price'] });
  expect(await fixture.tenant.incidentStories.related(await incidentOf(child))).toEqual([]);
  await scan(parent, { [POLICY]: ['size'] });
  await scan(parent);
  await scan(child, { [POLICY]: ['size'] });
  expect(await fixture.tenant.incidentStories.related(await incidentOf(child))).toEqual([]);
});

test('the cause of a cause upstream is the cause of all, and who heard of it hears no more of them', async () => {
  const { parent, child, sent } = await family('three');
  const { id: grandchild } = await fixture.newAsset('three report');
  await fixture.tenant.lineage.replace(grandchild, { parents: [child] });
  await notifying(grandchild, 'three ops', 'three finance');
  for (const id of [parent, child, grandchild]) await scan(id, { [POLICY]: ['price'] });
  const [cause, effect, last] = [await incidentOf(parent), await incidentOf(child), await incidentOf(grandchild)];
  expect(await fixture.tenant.incidentStories.related(last)).toMatchObject([
    { incident_id: cause, role: 'CAUSE' },
    { incident_id: effect, role: 'EFFECT' },
    { incident_id: last, role: 'EFFECT' },
  ]);
  const opened = [
    ['ops', cause],
    ['finance', effect],
  ];
  expect(await sent()).toEqual(opened);
  for (const id of [parent, child, grandchild]) await scan(id);
  expect(await sent()).toEqual([...opened, ...opened]);
});

test('where columns are known, a fault is followed along them through assets that are well, and not by names', async () => {
  const { tenant } = fixture;
  const { parent, child } = await family('four');
  const { id: report } = await fixture.newAsset('four report');
  await tenant.lineage.replace(report, { parents: [child] });
  await tenant.columnLineage.replace(child, [{ attribute: 'amount', sources: [{ asset_id: parent, attribute: 'price' }] }]);
  await tenant.columnLineage.replace(report, [
    { attribute: 'total', sources: [{ asset_id: child, attribute: 'amount' }] },
    { attribute: 'price', sources: [] },
  ]);
  await scan(parent, { [POLICY]: ['price'] });
  await scan(child);
  await scan(report, { [POLICY]: ['total'] });
  const reason =
    '`total` comes from `four revenue.amount`, that from `four orders.price`, ' +
    'and `four orders` has an open incident of "Completeness drifts" about `price`';
  expect(await tenant.incidentStories.related(await incidentOf(report))).toMatchObject([
    { incident_id: await incidentOf(parent), role: 'CAUSE' },
    { role: 'EFFECT', reason },
  ]);
  const { id: other } = await fixture.newAsset('four other');
  await tenant.lineage.replace(other, { parents: [parent] });
  await tenant.columnLineage.replace(other, [{ attribute: 'price', sources: [{ asset_id: parent, attribute: 'fee' }] }]);
  await scan(other, { [POLICY]: ['price'] });
  expect(await tenant.incidentStories.related(await incidentOf(other))).toEqual([]);
});
