// SPDX-License-Identifier: Apache-2.0
import type { Alert } from '@sextant/contracts-observability';
import { expect, test } from 'vitest';
import { openDatabase } from '../database/open-database.ts';
import { insertAll } from '../database/scope.ts';
import type { TenantMetadata } from '../metadata.ts';
import type { NewAlert } from '../tenant/alerts.ts';
import type { Fixture } from './engines.conformance.ts';
import { ASSET, alertOf, incidentOf, POINT, RESULT, runningJob, START, START_MS, USER } from './samples.conformance.ts';

const DAY_MS = 86_400_000;
const day = (number: number) => new Date(START_MS + number * DAY_MS).toISOString();
const POLICY = 'SCHEMA_DRIFTS';

export function incidentCareSuite({ metadata, tenant, clock, location }: Fixture): void {
  /** A scan of each day with one point of each name; the value is the day. */
  const scanDays = async (own: TenantMetadata, asset_id: string, days: readonly number[], series: readonly object[] = [{}]) => {
    const jobs: string[] = [];
    for (const number of days) {
      const lease = await runningJob(metadata(), own, asset_id);
      const metrics = series.map((change) => ({ ...POINT, value: number, ...change }));
      await own.jobs.finish(lease, { ...RESULT, metric_time: day(number), metrics });
      jobs.push(lease.job_id);
    }
    return jobs;
  };

  test('the newest scans are read series by series, oldest point first', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const { id: other } = await own.assets.create(ASSET);
    await scanDays(own, id, [1, 2, 3], [{}, { segment: 'country=DE' }]);
    await scanDays(own, id, [4, 5], [{}, { metric_name: 'FRESHNESS', attribute: null }, { attribute: 'null' }]);
    await scanDays(own, other, [3]);
    const read = async (scans: Parameters<typeof own.metricPoints.recent>[1]) =>
      (await own.metricPoints.recent(id, scans)).map(({ metric_name, attribute, segment, points }) => [
        [metric_name, attribute, segment].join(' '),
        points.map(({ value }) => value),
      ]);
    expect(await read({ scans: 4 })).toEqual([
      ['COMPLETENESS null ', [4, 5]],
      ['COMPLETENESS price ', [2, 3, 4, 5]],
      ['COMPLETENESS price country=DE', [2, 3]],
      ['FRESHNESS  ', [4, 5]],
    ]);
    expect(await read({ scans: 2, before: day(4) })).toEqual([
      ['COMPLETENESS price ', [2, 3]],
      ['COMPLETENESS price country=DE', [2, 3]],
    ]);
    expect(await read({ scans: 100, metric_names: ['FRESHNESS'] })).toEqual([['FRESHNESS  ', [4, 5]]]);
    expect(await read({ scans: 100, before: day(1) })).toEqual([]);
    expect(await read({ scans: 0 })).toEqual([]);
    expect(await own.metricPoints.recent('unknown', { scans: 9 })).toEqual([]);
    const [whole] = await own.metricPoints.recent(id, { scans: 1, metric_names: ['FRESHNESS'] });
    expect(whole?.points).toEqual([{ timeMs: START_MS + 5 * DAY_MS, value: 5, isExcluded: false, isExpected: false }]);
  });

  test('scans that ended well are known with their times', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const [first, second] = await scanDays(own, id, [1, 2]);
    await own.jobs.fail(await runningJob(metadata(), own, id), 'broken');
    await scanDays(own, id, [3], []);
    const end_time = new Date(clock.nowMs()).toISOString();
    expect(await own.metricPoints.scans(id, end_time)).toEqual([
      { job_id: first, metric_time: day(1), end_time },
      { job_id: second, metric_time: day(2), end_time },
    ]);
    expect(await own.metricPoints.scans(id, new Date(clock.nowMs() + 1).toISOString())).toEqual([]);
  });

  test('a point can be left out and taken back in, and says by whom', async () => {
    const own = await tenant();
    const { id: asset_id } = await own.assets.create(ASSET);
    const [first = '', second = ''] = await scanDays(
      own,
      asset_id,
      [1, 2],
      [{ is_violation: true }, { segment: 'country=DE', is_violation: true }, { attribute: 'zip' }],
    );
    const { value: _value, ...series } = POINT;
    const point = { ...series, asset_id, job_id: first };
    expect(await own.metricPoints.find(point)).toMatchObject({ metric_time: day(1), value: 1, segment: null, is_excluded: false });
    expect(await own.metricPoints.find({ ...series, asset_id, metric_time: day(2) })).toMatchObject({ job_id: second });
    expect(await own.metricPoints.find({ ...point, attribute: 'other' })).toBeUndefined();
    await own.metricPoints.exclude(point, { by: 'ada', comment: 'a strike' });
    await own.metricPoints.exclude({ ...point, job_id: second }, { by: 'key', comment: null });
    const excluded_time = new Date(clock.nowMs()).toISOString();
    expect(await own.metricPoints.exclusions(asset_id)).toEqual([
      { ...point, job_id: second, metric_time: day(2), value: 2, excluded_by: 'key', excluded_time, comment: null },
      { ...point, metric_time: day(1), value: 1, excluded_by: 'ada', excluded_time, comment: 'a strike' },
    ]);
    expect(await own.metricPoints.exclusions(asset_id, { limit: 1, offset: 1 })).toMatchObject([{ job_id: first }]);
    const [whole] = await own.metricPoints.recent(asset_id, { scans: 9 });
    expect(whole?.points.map(({ isExcluded }) => isExcluded)).toEqual([true, true]);
    await own.metricPoints.include(point);
    expect(await own.metricPoints.exclusions(asset_id)).toMatchObject([{ job_id: second }]);
    const violated = {
      asset_id,
      job_id: first,
      attribute: series.attribute,
      monitor_id: series.monitor_id,
      metric_names: [series.metric_name],
      segment: null,
    };
    expect(await own.metricPoints.markExpected({ ...violated, segment: 'country=DE' })).toBe(1);
    expect(await own.metricPoints.markExpected(violated)).toBe(2);
    for (const other of [{ job_id: 'unknown' }, { attribute: 'zip' }, { metric_names: ['MEAN'] as const }, { segment: 'country=FR' }])
      expect(await own.metricPoints.markExpected({ ...violated, ...other })).toBe(0);
    const expected = async () =>
      (await own.metricPoints.recent(asset_id, { scans: 9 })).map(({ points }) => points.map(({ isExpected }) => isExpected));
    expect(await expected()).toEqual([
      [true, false],
      [true, false],
      [false, false],
    ]);
    await own.metricPoints.exclude(point, { by: 'ada', comment: null });
    await own.metricPoints.include(point);
    expect((await expected())[0]).toEqual([false, false]);
    await expect(own.metricPoints.exclusions('unknown')).rejects.toMatchObject({ kind: 'asset' });
    const absent = own.metricPoints.exclude({ ...point, metric_aggregation: 'max' }, { by: 'ada', comment: null });
    await expect(absent).rejects.toMatchObject({ kind: 'metric point' });
  });

  test('alerts are found by their point and their step, and are marked', async () => {
    const own = await tenant();
    const { id: source } = await own.assets.create(ASSET);
    const { value: _value, ...series } = POINT;
    const dated = (change: Partial<NewAlert>) => alertOf(source, { monitor_id: POLICY, job_id: 'a1', ...change });
    await own.alerts.append([
      dated({ violation_data: { lower: 1 } }),
      dated({ violation_name: 'FEATURE.2', series: { ...series, segment: 'country=DE' } }),
      dated({ violation_name: 'DATA.1', series: null }),
      dated({ monitor_id: '7' }),
      dated({ metric_time: day(1), job_id: 'a2' }),
    ]);
    const alert_refs = ['FEATURE.1', 'FEATURE.2', 'DATA.1'].map((violation_name) => ({ metric_time: START, violation_name }));
    const opened = await own.incidents.open(incidentOf(source, { history: { timestamp: START, state: 'NEW', alert_refs } }));
    const step = { source, incident_id: opened.id, metric_time: START };
    const names = (alerts: readonly Alert[]) => alerts.map(({ violation_name }) => violation_name);
    const ofPoint = () => own.alerts.ofPoint({ ...series, asset_id: source, job_id: 'a1' });
    const [first, second, ...others] = await ofPoint();
    expect(names(await own.alerts.ofStep(step))).toEqual(['FEATURE.1', 'FEATURE.2', 'DATA.1']);
    expect([first?.monitor_id, second?.monitor_id, others]).toEqual([POLICY, '7', []]);
    await own.alerts.markNotified(step);
    expect((await own.alerts.ofStep(step)).map(({ is_notified }) => is_notified)).toEqual([true, true, true]);
    expect((await ofPoint()).map(({ is_notified }) => is_notified)).toEqual([true, false]);
    const ids = (await ofPoint()).map(({ id }) => id);
    await own.alerts.markExcluded(ids, true);
    expect((await ofPoint()).map(({ violation_data }) => violation_data)).toEqual([
      { lower: 1, is_excluded: true },
      { lower: 1, is_excluded: true },
    ]);
    await own.alerts.markExcluded(ids, false);
    expect(await ofPoint()).toMatchObject([{ violation_data: { lower: 1 } }, {}]);
    expect((await ofPoint())[0]?.violation_data).toEqual({ lower: 1 });
    await expect(own.alerts.markExcluded([999_999], true)).rejects.toMatchObject({ kind: 'alert' });
  });

  test('an alert belongs to the first incident that refers to it; the others are strays', async () => {
    const own = await tenant();
    const { id: source } = await own.assets.create(ASSET);
    const dated = (number: number, change: Partial<NewAlert> = {}) =>
      alertOf(source, { monitor_id: POLICY, metric_time: day(number), ...change });
    await own.alerts.append([dated(2), dated(1), dated(1, { violation_name: 'FEATURE.2' }), dated(1, { monitor_id: '7' }), dated(0)]);
    const strays = async (since: string) =>
      (await own.alerts.strays({ source, since })).map(({ metric_time, violation_name, monitor_id }) => [
        metric_time,
        violation_name,
        monitor_id,
      ]);
    expect(await strays(day(2))).toEqual([[day(2), 'FEATURE.1', POLICY]]);
    expect(await own.alerts.strays({ source, since: day(0), monitor_id: '7' })).toMatchObject([{ metric_time: day(1), monitor_id: '7' }]);
    const refs = [
      { metric_time: day(1), violation_name: 'FEATURE.1' },
      { metric_time: day(1), violation_name: 'FEATURE.2' },
    ];
    const { id } = await own.incidents.open(incidentOf(source, { history: { timestamp: day(1), state: 'NEW', alert_refs: refs } }));
    await own.incidents.advance(id, {
      timestamp: day(2),
      state: 'ONGOING',
      alert_refs: [{ metric_time: day(2), violation_name: 'FEATURE.1' }],
    });
    expect(await strays(day(0))).toEqual([
      [day(0), 'FEATURE.1', POLICY],
      [day(1), 'FEATURE.1', '7'],
    ]);
    const { id: later } = await own.incidents.open(incidentOf(source, { history: { timestamp: day(1), state: 'NEW', alert_refs: refs } }));
    const found = (incident_id: number) => own.alerts.ofStep({ source, incident_id, metric_time: day(1) });
    expect([(await found(id)).length, (await found(later)).length]).toEqual([2, 0]);
    expect(later).not.toBe(id);
  });

  test('incidents of one cause are found from each of them, the cause first', async () => {
    const own = await tenant();
    const { id: asset, name } = await own.assets.create(ASSET);
    const { id: effect } = await own.incidents.open(incidentOf(asset, { created_time: day(1) }));
    const { id: cause } = await own.incidents.open(incidentOf(asset, { created_time: day(2) }));
    const { id: alone } = await own.incidents.open(incidentOf(asset, { created_time: day(3) }));
    const evidence = [{ kind: 'RULE', rule: 'r', attribute: null, checked: 9, failed: 1, segments: [] }] as const;
    const story = { job_id: 'a1', evidence, why: ['1 of 9'] };
    await own.incidentStories.put(cause, { ...story, cause: null });
    await own.incidentStories.put(effect, { ...story, cause: { root_id: cause, reason: 'renamed' } });
    await own.incidentStories.put(effect, { ...story, why: [] });
    expect(await own.incidentStories.find(effect)).toEqual({ ...story, why: [], cause: { root_id: cause, reason: 'renamed' } });
    expect(await own.incidentStories.find(alone)).toBeUndefined();
    expect([...(await own.incidentStories.rootsOf([effect, cause, alone]))]).toEqual([[effect, cause]]);
    for (const id of [effect, cause]) {
      expect(await own.incidentStories.related(id)).toMatchObject([
        { incident_id: cause, asset_name: name, role: 'CAUSE', reason: null },
        { incident_id: effect, role: 'EFFECT', reason: 'renamed' },
      ]);
    }
    expect(await own.incidentStories.related(alone)).toEqual([]);
    for (const ask of [() => own.incidentStories.related(99), () => own.incidentStories.put(99, story)]) {
      await expect(ask()).rejects.toMatchObject({ kind: 'incident' });
    }
    await own.assets.delete(asset);
    expect(await own.incidentStories.find(effect)).toBeUndefined();
  });

  test('outcomes of incidents are listed newest first, with what they were about and when they ended', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const opened = [];
    for (const at of [1, 2, 3]) opened.push(await own.incidents.open(incidentOf(asset, { created_time: day(at) })));
    const [first, second, third] = opened.map(({ id }) => id);
    await own.incidents.advance(first ?? 0, { timestamp: day(4), state: 'RESOLVED', alert_refs: [] });
    const outcomes = await own.incidents.outcomes();
    expect(outcomes.map(({ id, status, closed_time }) => [id, status, closed_time])).toEqual([
      [third, 'OPEN', null],
      [second, 'OPEN', null],
      [first, 'CLOSED', day(4)],
    ]);
    expect(outcomes[0]?.metrics).toEqual(opened[2]?.metrics);
    expect((await own.incidents.outcomes({ limit: 1, offset: 1 })).map(({ id }) => id)).toEqual([second]);
  });

  test('what was said of an incident last is kept, until it is taken back', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const { id } = await own.incidents.open(incidentOf(asset));
    expect(await own.incidentCare.handling(id)).toBeUndefined();
    await own.incidentCare.handle(id, { state: 'ACKNOWLEDGED', actor: 'ada', until: null, note: null });
    await own.incidentCare.handle(id, { state: 'SNOOZED', actor: 'ben', until: day(9), note: 'later' });
    const timestamp = new Date(clock.nowMs()).toISOString();
    expect(await own.incidentCare.handling(id)).toEqual({ state: 'SNOOZED', actor: 'ben', timestamp, until: day(9), note: 'later' });
    await own.incidentCare.handle(id, { state: null, actor: 'ada', until: null, note: null });
    expect(await own.incidentCare.handling(id)).toBeUndefined();
    const said = { state: null, actor: 'ada', until: null, note: null };
    await expect(own.incidentCare.handle(99, said)).rejects.toMatchObject({ kind: 'incident' });
  });

  test('incidents are tracked oldest first, without those closed before a time', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const open = (policy: string, number: number) =>
      own.incidents.open(
        incidentOf(asset, {
          alert_policy_id: policy,
          created_time: day(number),
          history: { timestamp: day(number), state: 'NEW', alert_refs: [] },
        }),
      );
    const close = (id: number, number: number) =>
      own.incidents.advance(id, { timestamp: day(number), state: 'RESOLVED', alert_refs: [], actor: 'ada' });
    const { id: young } = await open('1', 5);
    await close(young, 6);
    const { id: old } = await open('1', 1);
    await close(old, 2);
    const { id: standing } = await open('2', 1);
    const { id: ended } = await open('2', 3);
    await close(ended, 4);
    expect(await own.incidents.trackedOfAsset(asset, { closedSinceMs: Date.parse(day(3)) })).toMatchObject([
      { id: standing, status: 'OPEN', last_step: { timestamp: day(1), state: 'NEW' } },
      { id: ended, status: 'CLOSED' },
      {
        id: young,
        status: 'CLOSED',
        metrics: [{ attribute: 'price' }],
        last_step: { timestamp: day(6), state: 'RESOLVED', alert_refs: [] },
      },
    ]);
    expect(await own.incidents.openOfAsset(asset)).toMatchObject([{ id: standing }]);
    expect(await own.incidents.trackedOfAsset(asset, { alertPolicyId: '1' })).toMatchObject([{ id: old }, { id: young }]);
    expect(await own.incidents.trackedOfAsset('unknown')).toEqual([]);
    expect(await own.incidents.actors(young)).toEqual([
      { timestamp: day(5), state: 'NEW', actor: 'system' },
      { timestamp: day(6), state: 'RESOLVED', actor: 'ada' },
    ]);
  });

  test('an incident has somebody who looks after it and comments, oldest first', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const { id: user } = await own.users.create(USER);
    const { id: ben } = await own.users.create({ ...USER, email: 'ben@example.org' });
    const { id } = await own.incidents.open(incidentOf(asset));
    expect(await own.incidentCare.assignee(id)).toBeNull();
    await own.incidentCare.assign(id, { userId: user, actor: 'ada' });
    await own.incidentCare.assign(id, { userId: ben, actor: 'ada' });
    expect(await own.incidentCare.assignee(id)).toBe('ben@example.org');
    await own.users.delete(ben);
    expect(await own.incidentCare.assignee(id)).toBeNull();
    const first = await own.incidentCare.comment(id, { author: 'ada', text: 'looking' });
    clock.advance(1000);
    const second = await own.incidentCare.comment(id, { author: 'key', text: 'a strike; näher 🙂' });
    expect(await own.incidentCare.comments(id)).toEqual([first, second]);
    expect(second).toEqual({ id: 2, author: 'key', created_time: new Date(clock.nowMs()).toISOString(), text: 'a strike; näher 🙂' });
    for (const ask of [
      () => own.incidentCare.assignee(99),
      () => own.incidentCare.comments(99),
      () => own.incidentCare.comment(99, { author: 'ada', text: 'x' }),
      () => own.incidentCare.assign(99, { userId: user, actor: 'ada' }),
    ]) {
      await expect(ask()).rejects.toMatchObject({ kind: 'incident', id: '99' });
    }
    await expect(own.incidentCare.assign(id, { userId: 'u0', actor: 'ada' })).rejects.toMatchObject({ kind: 'user' });
    await own.assets.delete(asset);
    await expect(own.incidentCare.comments(id)).rejects.toMatchObject({ kind: 'incident' });
  });

  test('an incident holds 1,000 comments', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const { id } = await own.incidents.open(incidentOf(asset));
    const comment = () => own.incidentCare.comment(id, { author: 'ada', text: 'x' });
    const row = { tenant_id: own.tenantId, incident_id: id, author: 'ada', created_ms: START_MS, text: 'x' };
    const rows = Array.from({ length: 999 }, (_, index) => ({ ...row, id: index + 1 }));
    const database = openDatabase(location());
    await insertAll(database.kysely, 'incident_comments', rows);
    await database.kysely.destroy();
    expect(await comment()).toMatchObject({ id: 1000 });
    await expect(comment()).rejects.toMatchObject({ name: 'MetadataConflict', message: expect.stringContaining('1000 comments') });
    expect(await own.incidentCare.comments(id)).toHaveLength(1000);
  });

  test('the audit trail records steps, assignments, comments and tickets, newest first, and outlives its subject', async () => {
    const own = await tenant();
    const { id: asset } = await own.assets.create(ASSET);
    const { id: user, email } = await own.users.create(USER);
    const { id } = await own.incidents.open(incidentOf(asset));
    const step = { timestamp: day(1), alert_refs: [] };
    await own.incidents.advance(id, { ...step, state: 'ONGOING' });
    await own.incidents.advance(id, { ...step, state: 'RESOLVED', actor: 'ada' });
    await own.incidents.advance(id, { ...step, state: 'REOPENED' });
    await own.incidentCare.assign(id, { userId: user, actor: 'ada' });
    await own.incidentCare.comment(id, { author: 'ada', text: 'looking' });
    await own.tickets.link({ incident_id: id, key: 'OPS-1', url: 'https://example.org/OPS-1', template_id: null }, 'system');
    await own.tickets.unlink(id, 'ada');
    await own.audit.append({ actor: 'ada', action: 'UPDATED', subject_type: 'MONITOR', subject_id: `${asset}/7` });
    const subject = { subject_type: 'INCIDENT', subject_id: String(id) } as const;
    const trail = await own.audit.list(subject);
    expect(trail.map(({ actor, action, details }) => [actor, action, details])).toEqual([
      ['ada', 'TICKET_UNLINKED', { key: 'OPS-1' }],
      ['system', 'TICKET_LINKED', { key: 'OPS-1' }],
      ['ada', 'COMMENTED', { comment_id: 1 }],
      ['ada', 'ASSIGNED', { from: null, to: email }],
      ['system', 'REOPENED', {}],
      ['ada', 'CLOSED', {}],
      ['system', 'OPENED', {}],
    ]);
    const page = await own.audit.list({ limit: 2 });
    expect(page.map(({ subject_type }) => subject_type)).toEqual(['MONITOR', 'INCIDENT']);
    expect(await own.audit.list({ before: page[1]?.id ?? 0 })).toEqual(trail.slice(1));
    await own.assets.delete(asset);
    expect(await own.audit.list(subject)).toEqual(trail);
    clock.advance(1);
    expect(await own.audit.deleteBefore(new Date(clock.nowMs()).toISOString())).toBe(8);
    expect(await own.audit.list()).toEqual([]);
  });
}
