// SPDX-License-Identifier: Apache-2.0
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type EvaluationFixture, openEvaluationFixture } from '../testing/evaluation-fixture.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const POLICY = 'COMPLETENESS_DRIFTS';
const FAILURES = 'DATA_PROCESS_FAILURE';

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

async function scans(assetId: string, ...found: readonly (number | null)[]) {
  let last = '';
  for (const count of found) {
    fixture.clock.advance(DAY_MS);
    const claimed = await fixture.claim(assetId);
    last = claimed.job.id;
    await fixture.finish(claimed, { [POLICY]: count });
  }
  return last;
}

const states = async (assetId: string, policy = POLICY) =>
  (await incidentsOf(assetId, policy)).map(({ history }) => history.map(({ state }) => state));

async function incidentsOf(assetId: string, policy = POLICY) {
  const { incidents } = fixture.tenant;
  const listed = (await incidents.list({ alert_policy_ids: [policy] })).filter(({ asset_id }) => asset_id === assetId);
  return Promise.all(listed.toReversed().map(({ id }) => incidents.get(id)));
}

describe('a scan', () => {
  test('stores its alerts and what they do to incidents with the end of its job', async () => {
    const { id } = await fixture.newAsset('orders');
    const job_id = await scans(id, 2);
    expect(await fixture.tenant.jobs.get(job_id)).toMatchObject({
      status: 'FINISHED',
      details: '10 records scanned. 2 alerts were raised.',
    });
    const job = await fixture.tenant.jobs.get(job_id);
    const now = new Date(fixture.clock.nowMs()).toISOString();
    const alerts = await fixture.tenant.alerts.ofJob({ source: id, job_id });
    expect(alerts).toHaveLength(2);
    expect(alerts).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          violation_name: `FEATURE.${POLICY}.column 0`,
          create_time: job.created_at,
          save_time: now,
          metric_time: now,
          priority: 'MEDIUM',
          description: { MEDIUM: ['Column 0 is half empty.'] },
          policy_name: 'Completeness drifts',
          source: id,
          source_name: 'orders',
          source_type: 'UPLOAD',
          project_name: 'Default',
          is_notified: false,
          tags: ['sales'],
        }),
      ]),
    );
    expect(await incidentsOf(id)).toMatchObject([
      {
        status: 'OPEN',
        severity: 'MEDIUM',
        impact: '',
        alert_policy_name: 'Completeness drifts',
        description: 'Column 0 is half empty. 1 more violation was found.',
        created_time: now,
        last_upload_timestamp: now,
        tags: ['sales'],
        metrics: [{ display_metric_name: 'Completeness', attribute: 'column 0' }, { attribute: 'column 1' }],
        history: [{ state: 'NEW', timestamp: now, alert_refs: [{ metric_time: now }, { metric_time: now }] }],
      },
    ]);
    expect(await fixture.tenant.metricPoints.history({ asset_id: id })).toMatchObject([{ lower_bound: 5, upper_bound: 15 }]);
  });

  test('[I2][I3] moves the incident of its policy on', async () => {
    const { id } = await fixture.newAsset('moves');
    const last = await scans(id, 1, 1, null, 0, 0, 1);
    expect(await states(id)).toEqual([['NEW', 'ONGOING', 'RESOLVED', 'REOPENED']]);
    expect(await fixture.tenant.jobs.get(last)).toMatchObject({ details: expect.stringContaining('1 alert was raised.') });
    fixture.clock.advance(DAY_MS);
    await scans(id, 0);
    fixture.clock.advance(31 * DAY_MS);
    await scans(id, 1);
    expect(await states(id)).toEqual([['NEW', 'ONGOING', 'RESOLVED', 'REOPENED', 'RESOLVED'], ['NEW']]);
  });

  test('[I2] whose fault is of another column leaves the closed incident of its policy as it is, and says since when', async () => {
    const { id } = await fixture.newAsset('unrelated');
    const found = async (...columns: readonly string[]) => {
      fixture.clock.advance(9 * DAY_MS);
      await fixture.finish(await fixture.claim(id), { [POLICY]: columns });
    };
    await found('date');
    await found();
    await found('distance', 'price');
    expect(await states(id)).toEqual([['NEW', 'RESOLVED'], ['NEW']]);
    const [, newer] = await incidentsOf(id);
    expect(newer).toMatchObject({
      created_time: new Date(fixture.clock.nowMs()).toISOString(),
      metrics: [{ attribute: 'distance' }, { attribute: 'price' }],
    });
    await found('date', 'price');
    expect(await states(id)).toEqual([
      ['NEW', 'RESOLVED', 'REOPENED'],
      ['NEW', 'ONGOING'],
    ]);
  });

  test('tells of one cause once: its incidents name it, one message goes out, and one for the end', async () => {
    const { id } = await fixture.newAsset('renamed');
    const { tenant } = fixture;
    await tenant.channels.create({ name: 'all', type: 'EMAIL', addresses: ['ops@example.com'] });
    await tenant.channels.create({ name: 'few', type: 'EMAIL', addresses: ['few@example.com'] });
    const notify = (monitor: string, ...names: readonly string[]) =>
      tenant.monitors.update(id, monitor, {
        notification: { send_notifications: true, notification_channel_names: names },
        modified_by: 'ada',
      });
    await notify(POLICY, 'all');
    await notify('UNIQUENESS_DRIFTS', 'all', 'few');
    await notify('TOP_VALUES_DRIFTS', 'all');
    fixture.clock.advance(DAY_MS);
    await fixture.finish(await fixture.claim(id), { [POLICY]: ['price'], UNIQUENESS_DRIFTS: ['price'], TOP_VALUES_DRIFTS: ['city'] });
    const [cause, effect, other] = await Promise.all(
      [POLICY, 'UNIQUENESS_DRIFTS', 'TOP_VALUES_DRIFTS'].map(async (policy) => (await incidentsOf(id, policy))[0]?.id ?? 0),
    );
    expect(await tenant.incidentStories.related(effect ?? 0)).toMatchObject([
      { incident_id: cause, role: 'CAUSE', reason: null },
      { incident_id: effect, role: 'EFFECT', reason: 'price is half empty.' },
    ]);
    expect(await tenant.incidentStories.related(other ?? 0)).toEqual([]);
    const sent = async () =>
      (await tenant.deliveries.list())
        .map(({ channel, incident_id }) => [channel, incident_id])
        .toSorted((one, two) => (String(one) < String(two) ? -1 : 1));
    const opened = [
      ['all', cause],
      ['all', other],
      ['few', cause],
    ];
    expect(await sent()).toEqual(opened);
    const message = (await tenant.deliveries.lastNotification(cause ?? 0)) as { readonly message: object };
    expect(message).toMatchObject({ message: { incident: { id: cause }, related: [{ incident_id: effect, role: 'EFFECT' }] } });
    await fixture.finish(await fixture.claim(id));
    expect((await sent()).length).toBe(2 * opened.length);
    await tenant.channels.delete('all');
    await tenant.channels.delete('few');
  });

  test('[D7] says how many violations made no alert', async () => {
    const { id } = await fixture.newAsset('many');
    const job = await scans(id, 1200);
    expect((await fixture.tenant.jobs.get(job)).details).toContain('1000 alerts were raised. 200 more violations raised none');
    const [incident] = await incidentsOf(id);
    expect(incident?.history[0]?.alert_refs).toHaveLength(1000);
    expect(incident?.description).toBe('Column 0 is half empty. 1199 more violations were found.');
  });

  test('that lost its lease leaves nothing', async () => {
    const { id } = await fixture.newAsset('lost');
    const claimed = await fixture.claim(id);
    await fixture.finish(claimed, { [POLICY]: 1 });
    await expect(fixture.finish(claimed, { [POLICY]: 1 })).rejects.toMatchObject({ name: 'MetadataConflict' });
    await expect(fixture.fail(claimed, 'too late')).rejects.toMatchObject({ name: 'MetadataConflict' });
    expect(await fixture.tenant.alerts.ofJob({ source: id, job_id: claimed.job.id })).toHaveLength(1);
    expect(await states(id)).toEqual([['NEW']]);
    expect(await states(id, FAILURES)).toEqual([]);
    const errors = await fixture.tenant.backgroundErrors.list(10);
    expect(errors.filter(({ message }) => message.includes(claimed.job.id))).toEqual([]);
  });

  test('of a monitor that was turned off meanwhile raises nothing', async () => {
    const { id } = await fixture.newAsset('off');
    const claimed = await fixture.claim(id);
    await fixture.tenant.monitors.update(id, POLICY, { enabled: false, modified_by: 'ada' });
    await fixture.finish(claimed, { [POLICY]: 1 });
    expect(await states(id)).toEqual([]);
  });
});

describe('a scan that fails', () => {
  test('[I4] opens an incident of its own, which the next good one resolves; others stay as they are', async () => {
    const { id } = await fixture.newAsset('broken');
    await scans(id, 1);
    for (const details of ['the file is gone.', 'the file is still gone.']) {
      fixture.clock.advance(DAY_MS);
      await fixture.fail(await fixture.claim(id), details);
    }
    expect(await states(id)).toEqual([['NEW']]);
    const [failure] = await incidentsOf(id, FAILURES);
    expect(failure).toMatchObject({
      status: 'OPEN',
      severity: 'HIGH',
      description: 'The scan failed: the file is still gone.',
      metrics: [{ metric_name: FAILURES, display_metric_name: 'Data process failure', attribute: null, segment: null, rule: null }],
    });
    await scans(id, 1);
    expect(await states(id, FAILURES)).toEqual([['NEW', 'ONGOING', 'RESOLVED']]);
  });

  test('[I4] because a person cancelled it is no failure', async () => {
    const { id } = await fixture.newAsset('cancelled');
    const claimed = await fixture.claim(id);
    await fixture.fail(claimed, 'The scan was cancelled.', true);
    expect(await fixture.tenant.jobs.get(claimed.job.id)).toMatchObject({ status: 'FAILED' });
    expect(await states(id, FAILURES)).toEqual([]);
  });

  test('raises nothing where nobody wants to know', async () => {
    const { id } = await fixture.newAsset('unwatched');
    await fixture.tenant.monitors.update(id, FAILURES, { enabled: false, modified_by: 'ada' });
    await fixture.fail(await fixture.claim(id), 'gone');
    expect(await states(id, FAILURES)).toEqual([]);
  });
});

test('a scan that is stopped while its monitors are evaluated ends as stopped, and nothing is stored', async () => {
  const { id } = await fixture.newAsset('stopped');
  const claimed = await fixture.claim(id);
  const controller = new AbortController();
  const { run, fail } = fixture.work((_input, signal) => {
    controller.abort(new Error('the service is stopping'));
    return Promise.reject(signal.reason as Error);
  });
  await expect(run(claimed, { signal: controller.signal, onProgress: () => undefined })).rejects.toThrow('the service is stopping');
  expect(await fixture.tenant.jobs.get(claimed.job.id)).toMatchObject({ status: 'IN_PROGRESS' });
  await fail(claimed, { details: 'The scan was cancelled.', isCancelled: true });
  expect(await fixture.tenant.metricPoints.history({ asset_id: id })).toEqual([]);
  expect(await states(id, FAILURES)).toEqual([]);
});

test('a scan whose monitors could not be evaluated keeps what it measured, is an incident of the process, and the background errors say why', async () => {
  const { id } = await fixture.newAsset('unevaluated');
  await scans(id, 1);
  fixture.clock.advance(DAY_MS);
  const claimed = await fixture.claim(id);
  await fixture.finishUnevaluated(claimed, new RangeError('too many columns'));
  expect(await fixture.tenant.jobs.get(claimed.job.id)).toMatchObject({
    status: 'FINISHED',
    details: '10 records scanned. The monitors could not be evaluated; see the background errors.',
  });
  expect(await fixture.tenant.metricPoints.history({ asset_id: id })).toHaveLength(2);
  expect(await states(id)).toEqual([['NEW']]);
  const checks = await fixture.tenant.checks.ofJob(claimed.job.id);
  expect(new Set(checks.map(({ state }) => state))).toEqual(new Set(['errored']));
  expect(await states(id, FAILURES)).toEqual([['NEW']]);
  expect(await fixture.tenant.backgroundErrors.list(1)).toMatchObject([
    { error_class: 'MONITORS', exception_type: 'RangeError', message: expect.stringContaining('too many columns') },
  ]);
});

describe('a fault of ours in what follows from a scan', () => {
  /** Ends one scan while the given writes to the store fail. */
  async function endedDespite(failing: readonly number[], how: 'finish' | 'fail') {
    await using own = await temporaryDirectory();
    let writes = 0;
    const onWrite = () => {
      writes += 1;
      if (failing.includes(writes)) throw new Error('a bug');
    };
    await using faulty = await openEvaluationFixture(own.path, { onWrite });
    const { id } = await faulty.newAsset('unlucky');
    const claimed = await faulty.claim(id);
    if (how === 'finish') await faulty.finish(claimed, { [POLICY]: 1 });
    else await faulty.fail(claimed, 'the file is gone');
    const { tenant } = faulty;
    return {
      job: await tenant.jobs.get(claimed.job.id),
      points: await tenant.metricPoints.history({ asset_id: id }),
      alerts: await tenant.alerts.ofJob({ source: id, job_id: claimed.job.id }),
      incidents: await tenant.incidents.list(),
      scores: await tenant.dqScores.newest(id, 1),
      errors: await tenant.backgroundErrors.list(10),
    };
  }
  const said = [{ error_class: 'MONITORS', message: expect.stringContaining('a bug') }];

  test('stores what was measured, and is an incident of the process, so that the score is none of a healthy asset', async () => {
    // The second write, so that there is one to take back.
    const { job, points, alerts, incidents, scores, errors } = await endedDespite([2], 'finish');
    expect(job).toMatchObject({ status: 'FINISHED', checks: { ok: 0, violated: 0 } });
    expect(points).toHaveLength(1);
    expect(alerts).toMatchObject([{ policy_name: 'Data process failure', priority: 'HIGH' }]);
    expect(incidents).toMatchObject([{ alert_policy_id: FAILURES, severity: 'HIGH', status: 'OPEN' }]);
    expect(scores).toHaveLength(1);
    expect(scores[0]?.score).toBeLessThanOrEqual(50);
    expect(errors).toMatchObject(said);
  });

  test('that strikes again leaves the job, whose monitors are all errored', async () => {
    const { job, points, alerts, incidents, errors } = await endedDespite([2, 5], 'finish');
    expect(job).toMatchObject({ status: 'FINISHED', checks: { ok: 0, violated: 0, not_applicable: 0 } });
    expect(job.checks?.errored).toBeGreaterThan(10);
    expect(points).toHaveLength(1);
    expect([alerts, incidents]).toEqual([[], []]);
    expect(errors).toMatchObject(said);
  });

  test('of a scan that failed leaves the failed job', async () => {
    const { job, points, alerts, incidents, errors } = await endedDespite([2], 'fail');
    expect(job).toMatchObject({ status: 'FAILED' });
    expect([points, alerts, incidents]).toEqual([[], [], []]);
    expect(errors).toMatchObject(said);
  });
});

test('the time to resolve counts from the beginning of an incident to its last close, in hours, by the month of the close', async () => {
  await using own = await temporaryDirectory();
  await using quiet = await openEvaluationFixture(own.path);
  const { id } = await quiet.newAsset('slow');
  const scanAfter = async (hours: number, count: number) => {
    quiet.clock.advance(hours * HOUR_MS);
    await quiet.finish(await quiet.claim(id), { [POLICY]: count });
  };
  const times = async () => {
    const { mean_time_to_resolve, previous_mean_time_to_resolve } = await quiet.tenant.incidents.summary();
    return [mean_time_to_resolve, previous_mean_time_to_resolve];
  };
  expect(await times()).toEqual([0, 0]);
  await scanAfter(1, 1);
  await scanAfter(36, 0);
  expect(await times()).toEqual([36, 0]);
  await scanAfter(10, 1);
  // Nobody knows yet how long this takes.
  expect(await times()).toEqual([0, 0]);
  await scanAfter(2.5, 0);
  // 48.5 is rounded up.
  expect(await times()).toEqual([49, 0]);
  quiet.clock.advance(30 * DAY_MS + HOUR_MS);
  expect(await times()).toEqual([0, 49]);
});
