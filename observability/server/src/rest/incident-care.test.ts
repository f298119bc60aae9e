// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';
import { ADMIN_EMAIL } from '../testing/test-users.ts';
import { BACKEND, COUNT, GOOD, type Json, type Step, watchedOrders } from '../testing/watched-orders.ts';

type Headers = { readonly [name: string]: string };

let service: TestService;
let admin: Headers;
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const { call, ask, recordsMonitor, deliver, scan, incidentsOf, openIncident, statesOf, trailOf } = watchedOrders(() => ({
  service,
  admin,
}));

describe('an incident', () => {
  test('is closed and reopened by a person, once each', async () => {
    const { path, id } = await openIncident();
    expect(await ask('POST', `${path}/close`)).toMatchObject({ id, status: 'CLOSED', history: [{ state: 'NEW' }, { state: 'RESOLVED' }] });
    expect(await call('POST', `${path}/close`, {})).toMatchObject({
      status: 409,
      body: { message: `Incident ${id} is already closed.` },
    });
    expect(await ask('POST', `${path}/reopen`, { comment: 'not yet' })).toMatchObject({ status: 'OPEN' });
    expect(await call('POST', `${path}/reopen`)).toMatchObject({ status: 409, body: { message: `Incident ${id} is already open.` } });
    expect(await statesOf(path)).toEqual(['NEW', 'RESOLVED', 'REOPENED']);
    expect(await ask('GET', `${path}/activity`)).toMatchObject({
      assignee: null,
      comments: [{ id: 1, author: ADMIN_EMAIL, text: 'not yet' }],
      steps: [{ actor: 'system' }, { actor: ADMIN_EMAIL }, { actor: ADMIN_EMAIL }],
    });
    expect(await trailOf(path)).toEqual([
      [ADMIN_EMAIL, 'COMMENTED'],
      [ADMIN_EMAIL, 'REOPENED'],
      [ADMIN_EMAIL, 'CLOSED'],
      ['system', 'OPENED'],
    ]);
  });

  test('that two people close at once is closed by one of them', async () => {
    const { path } = await openIncident();
    const other = await service.loginAs('operator');
    const replies = await Promise.all([admin, other, admin, other].map((headers) => call('POST', `${path}/close`, {}, headers)));
    const statuses = replies.map(({ status }) => status);
    expect(statuses.toSorted((one, other) => one - other)).toEqual([200, 409, 409, 409]);
    expect(await statesOf(path)).toEqual(['NEW', 'RESOLVED']);
  });

  test('that a person closed is reopened by the next scan while the violation stands, and resolved by the first that is well', async () => {
    const { path, asset } = await openIncident();
    await ask('POST', `${path}/close`);
    await scan(asset);
    await deliver(asset, GOOD);
    await scan(asset);
    expect(await statesOf(path)).toEqual(['NEW', 'RESOLVED', 'REOPENED', 'RESOLVED']);
  });

  test('is reopened only while its monitor has no newer one', async () => {
    const { path, id, asset, monitor } = await openIncident();
    await ask('POST', `${path}/close`);
    await using store = await service.openStore();
    const time = new Date().toISOString();
    const { created_time, metrics, history, ...shown } = await store.forTenant('default').incidents.get(id);
    const newer = await store
      .forTenant('default')
      .incidents.open({ ...shown, created_time: time, metrics, history: history[0] ?? never() });
    expect(created_time < time).toBe(true);
    const refused = await call('POST', `${path}/reopen`);
    expect(refused).toMatchObject({ status: 409, body: { message: expect.stringContaining(`which is ${newer.id}.`) } });
    expect((await incidentsOf(asset, monitor)).length).toBe(2);
  });

  test('has a user of the tenant who looks after it', async () => {
    const { path } = await openIncident();
    await service.loginAs('viewer');
    const [user] = (await ask<readonly { email: string }[]>('GET', '/auth/default/users')).slice(-1);
    const email = user?.email ?? '';
    expect(await ask('PUT', `${path}/assignee`, { assignee: email.toUpperCase() })).toEqual({ assignee: email });
    expect(await ask('GET', `${path}/activity`)).toMatchObject({ assignee: email, audit: [{ details: { from: null, to: email } }, {}] });
    expect(await ask('PUT', `${path}/assignee`, { assignee: null })).toEqual({ assignee: null });
    for (const [body, sentence] of [
      [{ assignee: 'nobody@example.com' }, 'assignee: there is no user "nobody@example.com"'],
      [{ assignee: 'nobody' }, 'assignee: expected an e-mail address'],
      [{}, 'required member `assignee` is missing'],
    ] as const) {
      expect(await call('PUT', `${path}/assignee`, body)).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(sentence) },
      });
    }
    expect(await call('PUT', `${BACKEND}/incidents/999999/assignee`, { assignee: null })).toMatchObject({ status: 404 });
    expect(await call('PUT', `${BACKEND}/incidents/first/assignee`, { assignee: null })).toMatchObject({ status: 404 });
  });

  test('has comments, oldest first, each with a bounded text', async () => {
    const { path } = await openIncident();
    expect(await ask('POST', `${path}/comments`, { text: 'line one\nline two' })).toMatchObject({ id: 1, author: ADMIN_EMAIL });
    const longest = 'ü'.repeat(10_000);
    await ask('POST', `${path}/comments`, { text: longest });
    for (const text of ['', `${longest}x`, 'a\0b', 7]) {
      const reply = await call('POST', `${path}/comments`, { text });
      expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining('text') } });
    }
    expect(await call('POST', `${path}/close`, { comment: '' })).toMatchObject({ status: 400 });
    expect(await ask<readonly Json[]>('GET', `${path}/comments`)).toMatchObject([{ text: 'line one\nline two' }, { text: longest }]);
  });

  test('is looked after by an operator of its project, and by no viewer', async () => {
    const { path } = await openIncident();
    const viewer = await service.loginAs('viewer');
    expect(await call('POST', `${path}/close`, {}, viewer)).toMatchObject({ status: 403 });
    const [user] = (await ask<readonly { email: string }[]>('GET', '/auth/default/users')).slice(-1);
    await ask('PUT', `/auth/default/users/${user?.email}/assign`, { project_roles: { 0: 'operator' } });
    const promoted = await service.login({ email: user?.email ?? '' });
    expect(await call('POST', `${path}/comments`, { text: 'mine' }, promoted)).toMatchObject({
      status: 200,
      body: { author: user?.email },
    });
    expect(await call('POST', `${path}/close`, {}, promoted)).toMatchObject({ status: 200 });
  });

  test('is looked after with many others by an operator of its project, and the others are refused', async () => {
    const { id, path } = await openIncident();
    await service.loginAs('viewer');
    const [user] = (await ask<readonly { email: string }[]>('GET', '/auth/default/users')).slice(-1);
    const bulk = async (project: number) => {
      await ask('PUT', `/auth/default/users/${user?.email}/assign`, { project_roles: { [project]: 'operator' } });
      const member = await service.login({ email: user?.email ?? '' });
      return call('POST', `${BACKEND}/incidents/bulk`, { incident_ids: [id], action: 'CLOSE' }, member);
    };
    const { id: elsewhere } = await ask<{ id: number }>('POST', `${BACKEND}/configuration/projects`, { name: 'elsewhere' });
    const reason = 'This needs the role operator; yours is viewer';
    expect(await bulk(elsewhere)).toMatchObject({ status: 200, body: { done: [], refused: [{ incident_id: id, reason }] } });
    expect(await ask('GET', path)).toMatchObject({ status: 'OPEN' });
    expect(await bulk(0)).toMatchObject({ status: 200, body: { done: [id], refused: [] } });
    expect(await ask('GET', path)).toMatchObject({ status: 'CLOSED' });
  });
});

describe('a point that is left out', () => {
  test('closes the incident of its alerts, which show it, and is listed; it can be taken back in', async () => {
    const { path, id, asset, job } = await openIncident();
    const [step] = (await ask<{ history: readonly Step[] }>('GET', path)).history;
    const [ref] = step?.alert_refs ?? [];
    const point = { asset_id: asset, ...COUNT };
    const metric_time = ref?.metric_time ?? '';
    expect(await ask('PUT', `${BACKEND}/metrics/exclusions`, { ...point, job_id: job, is_excluded: true, comment: 'a holiday' })).toEqual({
      asset_id: asset,
      job_id: job,
      metric_time,
      is_excluded: true,
      alerts: expect.any(Number),
      closed_incident_ids: expect.arrayContaining([id]),
    });
    const alerts = () =>
      ask<readonly { violation_data: Json }[]>('POST', `${BACKEND}/configuration/alerts/by_filters`, {
        sources: [asset],
        upload_dates: [metric_time],
        violation_names: [ref?.violation_name],
      });
    expect((await alerts()).map(({ violation_data }) => violation_data.is_excluded)).toEqual([true]);
    expect(await ask('GET', `${BACKEND}/metrics/exclusions?asset_id=${asset}`)).toMatchObject([
      { ...point, job_id: job, metric_time, value: 1, excluded_by: ADMIN_EMAIL, comment: 'a holiday' },
    ]);
    expect(await ask('GET', `/api/search/default/metrics?asset_id=${asset}&metric_name=RECORD_COUNT`)).toMatchObject([
      { is_excluded: true },
    ]);
    expect(await statesOf(path)).toEqual(['NEW', 'RESOLVED']);
    expect((await trailOf(path)).slice(0, 2)).toEqual([
      [ADMIN_EMAIL, 'CLOSED'],
      [ADMIN_EMAIL, 'EXCLUDED'],
    ]);

    const undone = await ask('PUT', `${BACKEND}/metrics/exclusions`, { ...point, metric_time, is_excluded: false });
    expect(undone).toMatchObject({ job_id: job, is_excluded: false, closed_incident_ids: [] });
    expect((await alerts()).map(({ violation_data }) => 'is_excluded' in violation_data)).toEqual([false]);
    expect(await ask('GET', `${BACKEND}/metrics/exclusions?asset_id=${asset}`)).toEqual([]);
    // The next scan is evaluated; nothing is reopened before.
    expect(await ask('GET', path)).toMatchObject({ status: 'CLOSED' });
  });

  test('closes nothing while another alert of the newest scan stands', async () => {
    const { path, asset, job, id } = await openIncident();
    await scan(asset);
    const body = { asset_id: asset, ...COUNT, job_id: job, is_excluded: true };
    const { closed_incident_ids } = await ask<{ closed_incident_ids: readonly number[] }>('PUT', `${BACKEND}/metrics/exclusions`, body);
    expect(closed_incident_ids).not.toContain(id);
    expect(await ask('GET', path)).toMatchObject({ status: 'OPEN' });
  });

  test.each([
    [{ metric_name: 'SCHEMA' }, 400, 'metric_name: points of SCHEMA, TOP_VALUE, VALUE_DISTRIBUTION cannot be excluded'],
    [{ metric_name: 'TOP_VALUE' }, 400, 'cannot be excluded'],
    [{ metric_name: 'VALUE_DISTRIBUTION' }, 400, 'cannot be excluded'],
    [{ segment: 'country=DE' }, 400, 'segment: points of a segment cannot be excluded'],
    [{ metric_name: 'UNHEARD' }, 400, 'metric_name'],
    [{ metric_time: '2026-01-01T00:00:00Z' }, 400, 'either job_id or metric_time'],
    [{ job_id: undefined }, 400, 'either job_id or metric_time'],
    [{ job_id: undefined, metric_time: 'yesterday' }, 400, 'metric_time'],
    [{ is_excluded: 'yes' }, 400, 'is_excluded'],
    [{ attribute: 'unheard' }, 404, 'Metric point not found: RECORD_COUNT of unheard of job'],
    [{ job_id: undefined, metric_time: '2020-01-01T00:00:00Z' }, 404, 'RECORD_COUNT at 2020-01-01T00:00:00.000Z'],
    [{ asset_id: 'unheard' }, 404, 'Asset not found: unheard'],
  ])('is refused with %j', async (change, status, sentence) => {
    refusing ??= openIncident();
    const { asset, job } = await refusing;
    const body = { asset_id: asset, ...COUNT, job_id: job, is_excluded: true, ...change };
    const reply = await call('PUT', `${BACKEND}/metrics/exclusions`, body);
    expect(reply).toMatchObject({ status, body: { message: expect.stringContaining(sentence) } });
    expect(await ask('GET', `${BACKEND}/metrics/exclusions?asset_id=${asset}`)).toEqual([]);
  });
});

let refusing: ReturnType<typeof openIncident> | undefined;

describe('a monitor', () => {
  test('that is disabled closes its incident; changes that keep it on do not', async () => {
    const { path, asset, monitor } = await openIncident();
    const { type: _type, ...body } = recordsMonitor();
    const place = `/default/configuration/assets/${asset}/monitors/${monitor}`;
    await ask('PUT', place, { ...body, description: 'at least three' });
    expect(await ask('GET', path)).toMatchObject({ status: 'OPEN' });
    await ask('PUT', place, { ...body, enabled: false });
    expect(await statesOf(path)).toEqual(['NEW', 'RESOLVED']);
    const trail = await ask<readonly Json[]>('GET', `${BACKEND}/audit?subject_type=MONITOR&subject_id=${asset}/${monitor}`);
    expect(trail.map(({ action, details }) => [action, details])).toEqual([
      ['UPDATED', { name: 'enough orders', changed: ['enabled', 'description'] }],
      ['UPDATED', { name: 'enough orders', changed: ['description'] }],
      ['CREATED', { name: 'enough orders', type: 'PREDEFINED_METRIC' }],
    ]);
  });

  test('that is deleted closes its incident, which stays', async () => {
    const { path, asset, monitor } = await openIncident();
    await ask('DELETE', `/default/configuration/assets/${asset}/monitors/${monitor}`);
    expect(await statesOf(path)).toEqual(['NEW', 'RESOLVED']);
    expect((await trailOf(path))[0]).toEqual([ADMIN_EMAIL, 'CLOSED']);
  });
});

describe('the backfill', () => {
  test('makes the incidents that alerts should have made, and nothing the second time', async () => {
    const { asset, id } = await openIncident();
    await using store = await service.openStore();
    const tenant = store.forTenant('default');
    const [alert] = await tenant.alerts.ofStep({
      source: asset,
      incident_id: id,
      metric_time: (await tenant.incidents.get(id)).last_upload_timestamp,
    });
    const { id: _id, incident_id: _incident, ...raised } = alert ?? never();
    const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const old = (days: number) => ({ ...raised, monitor_id: 'FRESHNESS_DRIFTS', metric_time: daysAgo(days), save_time: daysAgo(days) });
    await tenant.alerts.append([old(2), old(1), old(40)]);
    const before = await ask<Json>('GET', `${BACKEND}/incidents/summary`);
    expect(await ask('POST', `${BACKEND}/incidents/historical`)).toEqual({ alerts: 2, incidents_created: 1, incidents_continued: 0 });
    expect(await ask('POST', `${BACKEND}/incidents/historical`)).toEqual({ alerts: 0, incidents_created: 0, incidents_continued: 0 });
    expect(await ask<Json>('GET', `${BACKEND}/incidents/summary`)).toMatchObject({ total: Number(before.total) + 1 });
    const [made] = await incidentsOf(asset, 'FRESHNESS_DRIFTS');
    // Today's scan raised no such alert.
    expect(await statesOf(`${BACKEND}/incidents/${made?.id}`)).toEqual(['NEW', 'ONGOING', 'RESOLVED']);
    expect((await ask<readonly Json[]>('GET', `${BACKEND}/audit?subject_type=TENANT&limit=1`))[0]).toMatchObject({ action: 'BACKFILLED' });
  });
});

function never(): never {
  throw new Error('the scan raised an alert');
}
