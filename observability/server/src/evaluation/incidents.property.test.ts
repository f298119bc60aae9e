// SPDX-License-Identifier: Apache-2.0
/**
 * Lives of incidents in a real store against a model of them: scans, failures, people, monitors and assets that go, restarts, and months in
 * which nothing happens.
 */
import { roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { type IncidentCause, subjectsOf } from '@sextant/observability-monitors';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reopenIncident } from '../incident-care/closing.ts';
import { type EvaluationFixture, type Found, openEvaluationFixture } from '../testing/evaluation-fixture.ts';
import { IncidentModel, type ModelIncident } from '../testing/incident-model.ts';
import { stepPolicy } from './incident-steps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FAILURES = 'DATA_PROCESS_FAILURE';
/** The last one is made by a person, and can be deleted. */
const POLICIES = ['COMPLETENESS_DRIFTS', 'SCHEMA_DRIFTS', 'own'] as const;
const ASSETS = 2;

const place = { asset: fc.nat({ max: ASSETS - 1 }) };
const policyPlace = { ...place, policy: fc.constantFrom(...POLICIES) };
/** Columns that each policy finds at fault; null where it could not be evaluated. */
const found = fc.array(fc.option(fc.subarray(['a', 'b', 'c']), { nil: null }), {
  minLength: POLICIES.length,
  maxLength: POLICIES.length,
});

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('scan'), ...place, found }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('fail', 'cancel', 'unevaluated', 'lost'), ...place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('close', 'reopen', 'exclude all', 'disable', 'enable'), ...policyPlace }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delete monitor', 'delete asset', 'restart'), ...place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), ...place, days: fc.constantFrom(1, 29, 30, 31, 60) }) },
);

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

type Watched = {
  readonly id: string;
  /** Ids of the monitors that are there, by policy, and whether they are on. */
  readonly monitors: Map<string, { readonly id: string; readonly enabled: boolean }>;
  readonly model: IncidentModel;
};

async function newAsset(fixture: EvaluationFixture): Promise<Watched> {
  const { id } = await fixture.newAsset('watched');
  const { id: own } = await fixture.tenant.monitors.create(id, OWN_MONITOR);
  const monitors = new Map(POLICIES.map((policy) => [policy as string, { id: policy === 'own' ? own : policy, enabled: true }]));
  return { id, monitors, model: new IncidentModel() };
}

const OWN_MONITOR = {
  type: 'PREDEFINED_METRIC',
  name: 'own',
  enabled: true,
  description: null,
  impact: 'LOW',
  tags: null,
  monitor: { predefined_metric: 'MEAN', attributes: [] },
  threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: 1, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: null,
  ticketing: null,
  created_by: 'ada',
} as const;

/** Lets it happen in the service and in the model. */
async function happen(fixture: EvaluationFixture, assets: Watched[], happened: Event): Promise<void> {
  fixture.clock.advance(MINUTE_MS);
  const asset = assets[happened.asset];
  if (asset === undefined) throw new Error('there are two assets');
  const { model } = asset;
  const nowMs = fixture.clock.nowMs();
  switch (happened.kind) {
    case 'scan':
      return scan(fixture, asset, happened.found);
    case 'fail':
      await fixture.fail(await fixture.claim(asset.id), 'the file is gone');
      return model.violate(FAILURES, [''], nowMs);
    case 'cancel':
      return fixture.fail(await fixture.claim(asset.id), 'cancelled', true);
    case 'unevaluated':
      await fixture.finishUnevaluated(await fixture.claim(asset.id), new Error('a bug'));
      return model.violate(FAILURES, [''], nowMs);
    case 'lost': {
      const claimed = await fixture.claim(asset.id);
      await fixture.fail(claimed, 'cancelled', true);
      return expect(fixture.finish(claimed, { [POLICIES[0]]: ['a'] })).rejects.toThrow();
    }
    case 'close':
      return stepByPerson(fixture, asset, happened.policy, 'closed by a person');
    case 'exclude all':
      return stepByPerson(fixture, asset, happened.policy, 'all alerts excluded');
    case 'reopen':
      return reopenNewest(fixture, asset, happened.policy);
    case 'disable':
      return turnOff(fixture, asset, happened.policy, 'disable');
    case 'delete monitor':
      return turnOff(fixture, asset, 'own', 'delete');
    case 'enable':
      return turnOn(fixture, asset, happened.policy);
    case 'delete asset':
      await fixture.tenant.assets.delete(asset.id);
      assets[happened.asset] = await newAsset(fixture);
      return;
    case 'restart':
      return fixture.restart();
    case 'wait':
      return fixture.clock.advance(happened.days * DAY_MS - MINUTE_MS);
  }
}

async function scan(
  fixture: EvaluationFixture,
  { id, monitors, model }: Watched,
  columns: readonly (readonly string[] | null)[],
): Promise<void> {
  const asked = POLICIES.flatMap((policy, index) => {
    const monitor = monitors.get(policy);
    return monitor?.enabled === true ? [[monitor.id, columns[index] ?? null] as const] : [];
  });
  const all: Found = Object.fromEntries(asked);
  await fixture.finish(await fixture.claim(id), all);
  const nowMs = fixture.clock.nowMs();
  for (const [policy, atFault] of asked) if (atFault !== null) model.violate(policy, atFault, nowMs);
  model.resolve(FAILURES, nowMs);
}

async function stepByPerson(fixture: EvaluationFixture, asset: Watched, policy: string, cause: IncidentCause): Promise<void> {
  const monitor = asset.monitors.get(policy);
  if (monitor === undefined) return;
  const nowMs = fixture.clock.nowMs();
  await fixture.tenant.atomically(async (tenant) => {
    const about = {
      asset: await tenant.assets.get(asset.id),
      policyId: monitor.id,
      monitor: await tenant.monitors.get(asset.id, monitor.id),
    };
    await stepPolicy(tenant, { ...about, cause, actor: 'ada' }, nowMs);
  });
  asset.model.resolve(monitor.id, nowMs);
}

async function reopenNewest({ tenant, clock }: EvaluationFixture, { id, monitors, model }: Watched, policy: string): Promise<void> {
  const alertPolicyId = monitors.get(policy)?.id ?? policy;
  const newest = (await tenant.incidents.trackedOfAsset(id, { alertPolicyId })).at(-1);
  if (newest?.status !== 'CLOSED') return;
  await reopenIncident(tenant, { incidentId: newest.id, actor: 'ada', comment: null, nowMs: clock.nowMs() });
  model.reopen(alertPolicyId, clock.nowMs());
}

async function turnOff(fixture: EvaluationFixture, asset: Watched, policy: string, how: 'disable' | 'delete'): Promise<void> {
  const monitor = asset.monitors.get(policy);
  if (monitor === undefined) return;
  await stepByPerson(fixture, asset, policy, 'monitor is off');
  if (how === 'delete') {
    await fixture.tenant.monitors.delete(asset.id, monitor.id);
    asset.monitors.delete(policy);
  } else {
    await fixture.tenant.monitors.update(asset.id, monitor.id, { enabled: false, modified_by: 'ada' });
    asset.monitors.set(policy, { ...monitor, enabled: false });
  }
}

async function turnOn({ tenant }: EvaluationFixture, { id, monitors }: Watched, policy: string): Promise<void> {
  const monitor = monitors.get(policy);
  if (monitor === undefined) return;
  await tenant.monitors.update(id, monitor.id, { enabled: true, modified_by: 'ada' });
  monitors.set(policy, { ...monitor, enabled: true });
}

async function expectSame({ tenant }: EvaluationFixture, assets: readonly Watched[]): Promise<void> {
  const details = await Promise.all((await tenant.incidents.list()).map(({ id }) => tenant.incidents.get(id)));
  const inStore = assets.map(({ id }) =>
    details
      .filter(({ asset_id }) => asset_id === id)
      .map(({ alert_policy_id, status, history, metrics }) => ({
        policy: alert_policy_id,
        status,
        subjects: [...subjectsOf(metrics)],
        steps: history.map(({ state, timestamp, alert_refs }) => ({ state, timeMs: Date.parse(timestamp), alerts: alert_refs.length })),
      })),
  );
  const inModel = assets.map(({ model }) =>
    model.incidents.map((incident) => ({ ...incident, status: incident.steps.at(-1)?.state === 'RESOLVED' ? 'CLOSED' : 'OPEN' })),
  );
  expect(inStore.map((all) => byBeginning(all.map(({ subjects: _subjects, ...incident }) => incident)))).toEqual(inModel.map(byBeginning));
  // [I9] What belonged to a deleted asset is gone.
  expect(details).toHaveLength(inStore.flat().length);
  for (const incidents of inStore) {
    const open = incidents
      .filter(({ status }) => status === 'OPEN')
      .flatMap(({ policy, subjects }) => subjects.map((subject) => `${policy} ${subject}`));
    expect(new Set(open).size).toBe(open.length);
  }
}

function byBeginning<Incident extends ModelIncident>(incidents: readonly Incident[]): readonly Incident[] {
  const keyOf = ({ policy, steps }: Incident) => `${steps[0]?.timeMs} ${policy}`;
  return incidents.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** [D1] Each alert that is kept is in one incident, and the references of each incident lead to its alerts and to no others. */
async function expectAlertsInPlace({ tenant }: EvaluationFixture, { id, monitors }: Watched): Promise<void> {
  const jobs = await tenant.jobs.listOfAsset(id);
  const kept = (await Promise.all(jobs.map((job) => tenant.alerts.ofJob({ source: id, job_id: job.id })))).flat();
  const grouped = [];
  for (const incident of (await tenant.incidents.list()).filter(({ asset_id }) => asset_id === id)) {
    const refs = (await tenant.incidents.get(incident.id)).history.flatMap(({ alert_refs }) => alert_refs);
    const alerts = await tenant.alerts.byFilters({
      sources: [id],
      upload_dates: [...new Set(refs.map(({ metric_time }) => metric_time))],
      violation_names: [...new Set(refs.map(({ violation_name }) => violation_name))],
    });
    // With a monitor go its alerts.
    const isGone = incident.alert_policy_name === 'own' && !monitors.has('own');
    expect(alerts.map(alertKey).toSorted()).toEqual(isGone ? [] : refs.map(alertKey).toSorted());
    grouped.push(...alerts);
  }
  expect(grouped.map(alertKey).toSorted()).toEqual(kept.map(alertKey).toSorted());
}

function alertKey({ metric_time, violation_name }: { readonly metric_time: string; readonly violation_name: string }): string {
  return `${metric_time} ${violation_name}`;
}

test('incidents live as the table says, whatever happens', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30, size: 'max' }), async (events) => {
      await using directory = await temporaryDirectory();
      await using fixture = await openEvaluationFixture(directory.path);
      const assets = [await newAsset(fixture), await newAsset(fixture)];
      for (const happened of events) {
        await happen(fixture, assets, happened);
        await expectSame(fixture, assets);
      }
      for (const asset of assets) await expectAlertsInPlace(fixture, asset);
    }),
    { numRuns: roundsOf({ quick: 7, long: 200 }) },
  );
});
