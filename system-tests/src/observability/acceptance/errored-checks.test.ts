// SPDX-License-Identifier: Apache-2.0
/** What follows from a check that cannot be evaluated: it counts, it lowers the score, it has an incident, and nothing beside it hides it. */
import type { Check } from '@sextant/contracts-observability';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../../clients/sextant.ts';
import { bodyOf } from '../contract/wire.ts';
import { scan } from '../scanning.ts';
import { csv, GOOD, HEADER, metric, ROWS, rule, sql, startCheckFixture, watched } from './check-fixture.ts';

const fixture = await startCheckFixture();
afterAll(() => fixture[Symbol.asyncDispose]());
const { admin, api, server, newAsset, created, deliver, findings, checkAfterScan } = fixture;

const score = (assetId: string) => api.call('get_dq_score_value', { asset_id: assetId });

test('an open incident turns into one that cannot be evaluated, and closes when the rule runs again; the score never counts it as correct', async () => {
  const { id } = await newAsset(csv(HEADER, '1,Ann,-1,2,2026-01-01,true', '2,Bo,5,2,2026-01-01,true'));
  const monitorId = await created(id, rule('VALIDATE price EXPECT VALUE > 0'));
  const accuracy = async () =>
    (await api.call('get_dq_score_value', { asset_id: id })).parts.find(({ dimension }) => dimension === 'accuracy')?.value;

  const violated = await checkAfterScan(id, monitorId);
  expect(violated.incidents).toMatchObject([{ status: 'OPEN', kind: 'VIOLATION' }]);
  expect(await accuracy()).toBe(50);

  await deliver(id, csv('id,name', '1,Ann'));
  const errored = await checkAfterScan(id, monitorId);
  expect(errored.incidents).toMatchObject([{ id: violated.incidents[0]?.id, status: 'OPEN', kind: 'CANNOT_BE_EVALUATED' }]);
  expect(await accuracy()).toBe(0);
  const latest: readonly Check[] = await api.call('list_checks', {}, { query: { asset_id: id, state: 'errored' } });
  expect(latest.map(({ monitor_id }) => monitor_id)).toEqual(expect.arrayContaining([monitorId, 'DQ_RULES_VIOLATION']));

  await deliver(id, GOOD);
  const repaired = await checkAfterScan(id, monitorId);
  expect(repaired.check).toMatchObject({ state: 'ok', reason: null });
  expect(repaired.incidents).toMatchObject([{ id: violated.incidents[0]?.id, status: 'CLOSED' }]);
  expect(await accuracy()).toBe(100);
});

test('the command line does not say that there are no alerts, and ends with exit code 8', async () => {
  await using directory = await temporaryDirectory();
  const { key } = await api.call('create_api_key', {}, { body: { name: 'cli' } });
  const environment = environmentOf(directory.path, {
    SEXTANT_OBSERVABILITY_URL: server.address,
    SEXTANT_OBSERVABILITY_KEY: key,
    SEXTANT_TENANT: api.tenant,
  });
  const { id } = await newAsset(GOOD);
  await created(id, sql('SELECT sum(price) FROM asset'));
  await deliver(id, csv('id,name', '1,Ann', '2,Bo', '3,Cem'));
  const { code, stdout } = await sextant(['observe', 'scan', id, '--fail-on-alerts'], environment);
  expect(stdout).toMatch(/3 rows, 1 alert, 1 monitor could not be evaluated/);
  expect(stdout).toContain('price');
  expect(code).toBe(8);
});

test('an errored metric caps the score by its incident', async () => {
  const { id } = await newAsset(GOOD);
  const monitorId = await created(id, metric('sum(`price`) / (count(`price`) - 2)'));
  expect((await checkAfterScan(id, monitorId)).check?.state).toBe('ok');
  expect(await score(id)).toMatchObject({ score: 100, cap: null });

  await deliver(id, csv(HEADER, ...ROWS.slice(0, 2)));
  const { check, incidents } = await checkAfterScan(id, monitorId);
  expect(check).toMatchObject({ state: 'errored', reason: expect.stringMatching(/its divisor count\(price\) - 2 is 0/) });
  expect(await score(id)).toMatchObject({ score: 50, band: 'poor', cap: { incident_id: incidents[0]?.id } });
});

describe('as long as the attributes of an asset are not known', () => {
  test('nothing is refused for its names, and the first scan says what is wrong', async () => {
    const path = `/api/backend/${api.tenant}/configuration/projects/0/assets`;
    const options = { timestamp_attribute: 'sold', id_attributes: ['idd'] };
    const { id } = bodyOf<{ id: string }>(await admin.post(path, { name: 'later', type: 'UPLOAD', payload: {}, options }));
    const monitorId = await created(id, rule('VALIDATE prize EXPECT VALUE > 0'));
    await deliver(id, GOOD);
    const job = await scan(api, id);
    expect(job).toMatchObject({ status: 'FINISHED' });
    for (const [monitor, name, reason] of [
      [monitorId, 'broken', /prize is not an attribute of the asset; did you mean price\?/],
      ['FRESHNESS_DRIFTS', 'Freshness drifts', /of the timestamp attribute, sold is not an attribute/],
      ['RECORD_ID_UNIQUENESS_DRIFTS', 'Record id uniqueness drifts', /of the record id, idd is not an attribute/],
    ] as const) {
      const { check, incidents, alerts } = await findings(job, monitor, name);
      expect(check).toMatchObject({ state: 'errored', reason: expect.stringMatching(reason) });
      expect(incidents).toMatchObject([{ status: 'OPEN', kind: 'CANNOT_BE_EVALUATED', description: expect.stringMatching(reason) }]);
      expect(alerts).toMatchObject([{ type: 'CHECK_ERROR', priority: 'HIGH' }]);
    }
    expect((await score(id)).score).toBeLessThanOrEqual(50);
  });
});

// It takes as long as the limit, and `scan-sandbox.test.ts` sees that the option is the limit.
test.skipIf(!isLongRun())('a statement that takes longer than the limit of its asset is errored, and the scan goes on', async () => {
  const { id } = await newAsset(GOOD);
  const path = `/api/backend/${api.tenant}/configuration/projects/0/assets/${id}`;
  bodyOf(await admin.put(path, { options: { statement_timeout_seconds: 1 } }));
  const monitorId = await created(id, sql('SELECT count(*) FROM range(1000000000000)'));
  const { check, incidents } = await checkAfterScan(id, monitorId);
  expect(check).toMatchObject({ state: 'errored', reason: 'The SQL took longer than its limit of 1 s' });
  expect(incidents).toMatchObject([{ status: 'OPEN', kind: 'CANNOT_BE_EVALUATED' }]);
});

async function counted(name: string): Promise<number> {
  const text = String((await server.client.request('GET', '/metrics')).body);
  return Number(new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1]);
}

test('a violation hides no error of the same monitor: the check counts as errored, also in the metrics of the service, and each of the two has an incident', async () => {
  const rows = ['1,Ann,10,2,2026-01-01,true', '2,,20,4,2026-01-02,false'];
  const { id } = await newAsset(csv(HEADER, ...rows));
  const filled = { ...watched('COMPLETENESS', 'name', 'price'), threshold: { threshold_type: 'STATIC', threshold1: 100 } };
  const monitorId = await created(id, filled);
  const violated = await checkAfterScan(id, monitorId);
  expect(violated.check?.state).toBe('violated');
  expect(violated.incidents).toMatchObject([{ status: 'OPEN', kind: 'VIOLATION', description: expect.stringContaining('name') }]);

  await deliver(id, csv('id,price,quantity,sold_on,is_paid', '1,10,2,2026-01-01,true', '2,,4,2026-01-02,false'));
  const before = { errored: await counted('checks_errored_total'), ok: await counted('checks_ok_total') };
  const job = await scan(api, id);
  const both = await findings(job, monitorId, 'broken');
  expect(both.check).toMatchObject({ state: 'errored', reason: expect.stringContaining('name is not an attribute') });
  expect(both.alerts.map(({ type }) => type).toSorted()).toEqual(['CHECK_ERROR', 'THRESHOLD_BREACH']);
  const [ofName, ofPrice] = both.incidents.toSorted((one, other) => one.id - other.id);
  expect(ofName).toMatchObject({ id: violated.incidents[0]?.id, status: 'OPEN', kind: 'CANNOT_BE_EVALUATED' });
  expect(ofPrice).toMatchObject({ status: 'OPEN', kind: 'VIOLATION', description: expect.stringContaining('price') });
  expect(job.checks).toMatchObject({ errored: 1, ok: expect.any(Number) });
  await expect.poll(() => counted('checks_errored_total')).toBe(before.errored + 1);
  expect(await counted('checks_ok_total')).toBe(before.ok + (job.checks?.ok ?? 0));

  await deliver(id, GOOD);
  const repaired = await checkAfterScan(id, monitorId);
  expect(repaired.check).toMatchObject({ state: 'ok', reason: null });
  expect(repaired.incidents.map(({ status }) => status)).toEqual(['CLOSED', 'CLOSED']);
});
