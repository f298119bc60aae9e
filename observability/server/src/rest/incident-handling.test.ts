// SPDX-License-Identifier: Apache-2.0
/** What people say of an incident, and what it says of its cause. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';
import { ADMIN_EMAIL } from '../testing/test-users.ts';
import { BACKEND, COUNT, type Json, watchedOrders } from '../testing/watched-orders.ts';

type Headers = { readonly [name: string]: string };

let service: TestService;
let admin: Headers;
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const { call, ask, upload, deliver, scan, incidentsOf, openIncident, statesOf, trailOf } = watchedOrders(() => ({ service, admin }));

describe('what people say of an incident', () => {
  const later = new Date(Date.now() + 3_600_000).toISOString();

  test('is shown with who said it and why, can be taken back, and stays in the trail', async () => {
    const { path } = await openIncident();
    const said = await ask('PUT', `${path}/handling`, { state: 'ACKNOWLEDGED', note: 'on it' });
    const handling = { state: 'ACKNOWLEDGED', actor: ADMIN_EMAIL, until: null, note: 'on it' };
    expect(said).toMatchObject({ handling, incident: { status: 'OPEN' } });
    expect(await ask('PUT', `${path}/handling`, { state: 'SNOOZED', until: later })).toMatchObject({ handling: { until: later } });
    expect(await ask('GET', `${path}/activity`)).toMatchObject({ handling: { state: 'SNOOZED', note: null } });
    expect(await ask('PUT', `${path}/handling`, { state: null })).toMatchObject({ handling: null });
    expect(await ask('GET', `${path}/activity`)).toMatchObject({ handling: null });
    expect((await trailOf(path)).map(([, action]) => action)).toEqual(['HANDLED', 'HANDLED', 'HANDLED', 'OPENED']);
  });

  test.each([
    [{ state: 'SNOOZED' }, 'until: required with SNOOZED'],
    [{ state: 'SNOOZED', until: '2020-01-01T00:00:00Z' }, 'until: expected a time within the next 90 days'],
    [{ state: 'SNOOZED', until: '2199-01-01T00:00:00Z' }, 'until: expected a time within the next 90 days'],
    [{ state: 'ACKNOWLEDGED', until: later }, 'until: only allowed with SNOOZED'],
    [{ state: 'IGNORED' }, 'state'],
    [{}, 'state'],
  ])('is refused with %j', async (body, sentence) => {
    handled ??= openIncident();
    const { path } = await handled;
    const reply = await call('PUT', `${path}/handling`, body);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(sentence) } });
    expect(await ask('GET', `${path}/activity`)).toMatchObject({ handling: null });
  });

  test('that is no fault is closed and its points are left out of learning; that is expected takes them back in', async () => {
    const { path, asset } = await openIncident();
    const excluded = () => ask<readonly Json[]>('GET', `${BACKEND}/metrics/exclusions?asset_id=${asset}`);
    expect(await ask('PUT', `${path}/handling`, { state: 'FALSE_POSITIVE', note: 'a test' })).toMatchObject({
      incident: { status: 'CLOSED' },
    });
    expect(await excluded()).toMatchObject([{ ...COUNT, value: 1, comment: 'a test' }]);
    expect(await ask('PUT', `${path}/handling`, { state: 'EXPECTED' })).toMatchObject({ incident: { status: 'CLOSED' } });
    expect(await excluded()).toEqual([]);
    const marks = async () => {
      await using store = await service.openStore();
      const series = await store.forTenant('default').metricPoints.recent(asset, { scans: 1, metric_names: ['RECORD_COUNT'] });
      return series.flatMap(({ points }) => points.map(({ isExcluded, isExpected }) => [isExcluded, isExpected]));
    };
    expect(await marks()).toEqual([[false, true]]);
    await ask('PUT', `${path}/handling`, { state: 'FALSE_POSITIVE' });
    expect(await marks()).toEqual([[true, false]]);
  });

  test('can be said of many at once, each by itself', async () => {
    const [one, other] = [await openIncident(), await openIncident()];
    const incident_ids = [one.id, 999_999, other.id, one.id];
    const bulk = await ask('POST', `${BACKEND}/incidents/bulk`, { incident_ids, action: 'CLOSE', note: 'a false alarm' });
    expect(bulk).toEqual({ done: [one.id, other.id], refused: [{ incident_id: 999_999, reason: 'There is no incident "999999".' }] });
    expect(await statesOf(one.path)).toEqual(['NEW', 'RESOLVED']);
    const again = await ask('POST', `${BACKEND}/incidents/bulk`, { incident_ids: [one.id], action: 'CLOSE' });
    expect(again).toEqual({ done: [], refused: [{ incident_id: one.id, reason: `Incident ${one.id} is already closed.` }] });
    await ask('POST', `${BACKEND}/incidents/bulk`, { incident_ids, action: 'REOPEN' });
    await ask('POST', `${BACKEND}/incidents/bulk`, { incident_ids, action: 'SNOOZED', until: later });
    expect(await ask('GET', `${other.path}/activity`)).toMatchObject({ handling: { state: 'SNOOZED', until: later } });
    for (const body of [
      { incident_ids: [], action: 'CLOSE' },
      { incident_ids, action: 'FORGET' },
      { incident_ids: ['x'], action: 'CLOSE' },
    ]) {
      expect(await call('POST', `${BACKEND}/incidents/bulk`, body)).toMatchObject({ status: 400 });
    }
    const viewer = await service.loginAs('viewer');
    expect(await call('POST', `${BACKEND}/incidents/bulk`, { incident_ids, action: 'CLOSE' }, viewer)).toMatchObject({ status: 403 });
    expect(await call('PUT', `${one.path}/handling`, { state: null }, viewer)).toMatchObject({ status: 403 });
  });
});

let handled: ReturnType<typeof openIncident> | undefined;

describe('the story of an incident', () => {
  test('says which rows fail a rule and what they have in common, and shows them whole', async () => {
    const rows = Array.from(
      { length: 200 },
      (_, id) => `${id},${id % 10 === 0 ? '-1' : '5'},${id % 10 === 0 ? 'IT' : id % 2 === 0 ? 'DE' : 'FR'}`,
    );
    const body = { name: 'sales', type: 'UPLOAD', payload: await upload(`id,amount,country\n${rows.join('\n')}\n`) };
    const { id: asset } = await ask('POST', `${BACKEND}/configuration/projects/0/assets`, { ...body, options: { id_attributes: ['id'] } });
    const { id: monitor } = await ask('POST', `/default/configuration/assets/${asset}/monitors`, {
      type: 'RULE',
      name: 'not negative',
      enabled: true,
      monitor: {
        expression: 'VALIDATE amount EXPECT NUMERIC_VALUE >= 0',
        options: { ignore_nulls: false, empty_values: [] },
        variables: [],
      },
      threshold: { threshold_type: 'STATIC', threshold1: 100, threshold2: null },
    });
    const job_id = await scan(String(asset));
    const [incident] = await incidentsOf(String(asset), String(monitor));
    expect(await ask('GET', `${BACKEND}/incidents/${incident?.id}/story`)).toEqual({
      why: ['20 of 200 rows fail the rule `not negative`.', 'All 20 failing rows have country = IT, which 10 % of all rows have.'],
      evidence: [
        {
          kind: 'RULE',
          rule: 'not negative',
          attribute: 'amount',
          checked: 200,
          failed: 20,
          segments: [{ attribute: 'country', value: 'IT', checked: 20, failed: 20, lift: 10 }],
        },
      ],
      job_id,
      related: [],
    });
    const samples = await ask<readonly { record_id: string; row: Json }[]>('GET', `${BACKEND}/jobs/${job_id}/samples`);
    expect(samples).toHaveLength(20);
    expect(samples.find(({ record_id }) => record_id === '10')?.row).toEqual({ id: '10', amount: '-1', country: 'IT' });
    expect(await call('GET', `${BACKEND}/incidents/999999/story`)).toMatchObject({ status: 404 });
  });

  test('names all values that failing rows have at once, in figures and in words', async () => {
    const rows = Array.from({ length: 800 }, (_, id) => {
      const [country, channel, version] = [
        ['IT', 'DE', 'FR', 'ES'][id % 4],
        ['web', 'shop'][Math.floor(id / 4) % 2],
        1 + (Math.floor(id / 8) % 4),
      ];
      const isBad = country === 'IT' && channel === 'web' && version === 2;
      return `${id},${isBad ? '-1' : '5'},${country},${channel},${version}`;
    });
    const body = { name: 'returns', type: 'UPLOAD', payload: await upload(`id,amount,country,channel,version\n${rows.join('\n')}\n`) };
    const { id: asset } = await ask('POST', `${BACKEND}/configuration/projects/0/assets`, { ...body, options: { id_attributes: ['id'] } });
    const { id: monitor } = await ask('POST', `/default/configuration/assets/${asset}/monitors`, {
      type: 'RULE',
      name: 'not negative',
      enabled: true,
      monitor: { expression: 'VALIDATE amount EXPECT NUMERIC_VALUE >= 0' },
      threshold: { threshold_type: 'STATIC', threshold1: 100, threshold2: null },
    });
    await scan(String(asset));
    const [incident] = await incidentsOf(String(asset), String(monitor));
    type Condition = { readonly attribute: string; readonly value: string };
    type Story = { why: readonly string[]; evidence: readonly { segments: readonly (Condition & { also: readonly Condition[] })[] }[] };
    const { why, evidence } = await ask<Story>('GET', `${BACKEND}/incidents/${incident?.id}/story`);
    const [segment, ...others] = evidence[0]?.segments ?? [];
    expect(others).toEqual([]);
    expect(segment).toMatchObject({ checked: 25, failed: 25, lift: 32 });
    const conditions = [segment, ...(segment?.also ?? [])].map((each) => `${each?.attribute} = ${each?.value}`);
    expect(conditions.toSorted()).toEqual(['channel = web', 'country = IT', 'version = 2']);
    expect(why[1]).toBe(
      `All 25 failing rows have ${conditions.slice(0, 2).join(', ')} and ${conditions[2]}, which 3.1 % of all rows have.`,
    );
  });

  test('says which rows moved a mean, also while it goes on, and tells failed rows without an id by their number', async () => {
    const rows = (italian: string) =>
      Array.from({ length: 200 }, (_, id) => (id % 10 === 0 ? `${italian},IT` : `5,${id % 2 === 0 ? 'DE' : 'FR'}`));
    const delivery = async (italian: string) => upload(`amount,country\n${rows(italian).join('\n')}\n`);
    const { id } = await ask('POST', `${BACKEND}/configuration/projects/0/assets`, {
      name: 'sums',
      type: 'UPLOAD',
      payload: await delivery('5'),
    });
    const asset = String(id);
    await ask('PUT', `${BACKEND}/configuration/assets/${asset}/attributes`, { all: true });
    const watch = (body: Json) => ask('POST', `/default/configuration/assets/${asset}/monitors`, { enabled: true, ...body });
    const mean = { predefined_metric: 'MEAN', attributes: ['amount'] };
    const monitor = await watch({
      type: 'PREDEFINED_METRIC',
      name: 'mean',
      monitor: mean,
      threshold: { threshold_type: 'STATIC', threshold2: 10 },
    });
    await watch({ type: 'RULE', name: 'small', monitor: { expression: 'VALIDATE amount EXPECT NUMERIC_VALUE < 100' } });
    await scan(asset);
    expect(await incidentsOf(asset, String(monitor.id))).toEqual([]);
    await deliver(asset, `amount,country\n${rows('500').join('\n')}\n`);
    for (const step of ['NEW', 'ONGOING']) {
      const job = await scan(asset);
      const [incident] = await incidentsOf(asset, String(monitor.id));
      const path = `${BACKEND}/incidents/${incident?.id}`;
      expect((await statesOf(path)).at(-1)).toBe(step);
      const italian = {
        attribute: 'country',
        value: 'IT',
        rows_before: 20,
        rows_after: 20,
        before: 5,
        after: 500,
        share: expect.closeTo(1),
      };
      expect(await ask('GET', `${path}/story`)).toMatchObject({
        why: expect.arrayContaining([
          'Rows with country = IT account for 100 % of the change of the mean of `amount`: there it went from 5 (20 rows) to 500 (20 rows).',
        ]),
        evidence: expect.arrayContaining([
          { kind: 'SEGMENTS', attribute: 'amount', measure: 'MEAN', before: 5, after: 54.5, segments: [italian] },
        ]),
      });
      const samples = await ask<readonly Json[]>('GET', `${BACKEND}/jobs/${job}/samples`);
      expect(samples.slice(0, 3).map(({ record_id, record_number }) => [record_id, record_number])).toEqual([
        [null, 1],
        [null, 11],
        [null, 21],
      ]);
    }
  });
});

describe('the incidents most like one', () => {
  /** Of a rule that no other test has. */
  async function gaugeIncident(): Promise<string> {
    const body = { name: 'gauges', type: 'UPLOAD', payload: await upload('id,pressure\n1,5\n2,-3\n3,8\n') };
    const { id: asset } = await ask('POST', `${BACKEND}/configuration/projects/0/assets`, body);
    const { id: monitor } = await ask('POST', `/default/configuration/assets/${asset}/monitors`, {
      type: 'RULE',
      name: 'pressure is positive',
      enabled: true,
      monitor: {
        expression: 'VALIDATE pressure EXPECT NUMERIC_VALUE > 0',
        options: { ignore_nulls: false, empty_values: [] },
        variables: [],
      },
      threshold: { threshold_type: 'STATIC', threshold1: 100, threshold2: null },
    });
    await scan(String(asset));
    const [incident] = await incidentsOf(String(asset), String(monitor));
    return `${BACKEND}/incidents/${incident?.id}`;
  }

  test('come with how they ended, and what was said of them', async () => {
    const [past, now] = [await gaugeIncident(), await gaugeIncident()];
    await ask('POST', `${past}/comments`, { text: 'The gauge was turned round.' });
    await ask('PUT', `${past}/handling`, { state: 'FALSE_POSITIVE', note: 'seen before' });
    const [first, ...others] = await ask<readonly Json[]>('GET', `${now}/similar`);
    expect(first).toMatchObject({
      incident_id: Number(past.split('/').at(-1)),
      asset_name: 'gauges',
      status: 'CLOSED',
      closed_time: expect.any(String),
      shared: expect.arrayContaining(['the attribute pressure']),
      handling: { state: 'FALSE_POSITIVE', note: 'seen before' },
      last_comment: { text: 'The gauge was turned round.' },
    });
    expect(others.length).toBeLessThan(3);
    for (const { similarity } of others) expect(similarity).toBeLessThan(Number(first?.similarity));
  });

  test('are none of an incident that there is not', async () => {
    expect(await call('GET', `${BACKEND}/incidents/999999/similar`)).toMatchObject({ status: 404 });
  });
});
