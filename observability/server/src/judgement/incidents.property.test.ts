/**
 * Lives of incidents in a real store against a model that was written from the table of SPEC.md (monitors/incidents) alone: scans, failures,
 * people, monitors and assets that go, restarts, and months in which nothing happens.
 */
import { temporaryDirectory } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Judging, judging } from '../testing/judged-world.ts';
import { stepNewest } from './incident-steps.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FAILURES = 'DATA_PROCESS_FAILURE';
/** The last one is made by a person, and can be deleted. */
const POLICIES = ['COMPLETENESS_DRIFTS', 'SCHEMA_DRIFTS', 'own'] as const;
const ASSETS = 2;

const place = { asset: fc.nat({ max: ASSETS - 1 }) };
const watched = { ...place, policy: fc.constantFrom(...POLICIES) };
const finding = fc.option(fc.integer({ min: 0, max: 3 }), { nil: null });

const scan = fc.record({ kind: fc.constant('scan'), ...place, found: fc.tuple(finding, finding, finding) });
const event = fc.oneof(
  { weight: 8, arbitrary: scan },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('fail', 'cancel', 'unjudged', 'lost'), ...place }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('close', 'reopen', 'exclude all', 'disable', 'enable'), ...watched }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('delete monitor', 'delete asset', 'restart'), ...place }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('wait'), days: fc.constantFrom(1, 29, 30, 31, 60) }) },
);

type ModelIncident = { readonly policy: string; readonly steps: { state: string; timeMs: number; alerts: number }[] };
type ModelAsset = { id: string; readonly enabled: Map<string, string>; readonly disabled: Map<string, string>; incidents: ModelIncident[] };

class Model {
  readonly assets: ModelAsset[] = [];

  violate(asset: ModelAsset, policy: string, alerts: number, timeMs: number): void {
    const newest = asset.incidents.findLast((incident) => incident.policy === policy);
    const last = newest?.steps.at(-1);
    if (newest !== undefined && last !== undefined && last.state !== 'RESOLVED') newest.steps.push({ state: 'ONGOING', timeMs, alerts });
    else if (newest !== undefined && last !== undefined && timeMs <= last.timeMs + 30 * DAY_MS) {
      newest.steps.push({ state: 'REOPENED', timeMs, alerts });
    } else asset.incidents.push({ policy, steps: [{ state: 'NEW', timeMs, alerts }] });
  }

  resolve(asset: ModelAsset, policy: string, timeMs: number): void {
    const newest = asset.incidents.findLast((incident) => incident.policy === policy);
    if (newest !== undefined && newest.steps.at(-1)?.state !== 'RESOLVED') newest.steps.push({ state: 'RESOLVED', timeMs, alerts: 0 });
  }

  reopen(asset: ModelAsset, policy: string, timeMs: number): void {
    const newest = asset.incidents.findLast((incident) => incident.policy === policy);
    if (newest?.steps.at(-1)?.state === 'RESOLVED') newest.steps.push({ state: 'REOPENED', timeMs, alerts: 0 });
  }
}

async function newAsset(world: Judging): Promise<ModelAsset> {
  const { id } = await world.newAsset('watched');
  const { definition, threshold } = OWN;
  const { id: own } = await world.tenant.monitors.create(id, {
    type: 'PREDEFINED_METRIC',
    name: 'own',
    enabled: true,
    description: null,
    impact: 'LOW',
    tags: null,
    monitor: definition,
    threshold,
    notification: null,
    ticketing: null,
    created_by: 'ada',
  });
  const enabled = new Map<string, string>(POLICIES.map((policy) => [policy, policy === 'own' ? own : policy]));
  return { id, enabled, disabled: new Map(), incidents: [] };
}

const OWN = {
  definition: { predefined_metric: 'MEAN', attributes: [] },
  threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: 1, extrapolation_strategy: 'IGNORE', history_limit: 0 },
} as const;

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

/** Does it to the world and to the model. */
async function happen(world: Judging, model: Model, happened: Event): Promise<void> {
  world.clock.advance(MINUTE_MS);
  if (happened.kind === 'wait') return world.clock.advance(happened.days * DAY_MS - MINUTE_MS);
  const asset = model.assets[happened.asset];
  if (asset === undefined) throw new Error('the model has two assets');
  const nowMs = world.clock.nowMs();
  switch (happened.kind) {
    case 'scan': {
      const found = new Map(
        POLICIES.flatMap((policy, index) => (asset.enabled.has(policy) ? [[policy, happened.found[index] ?? null]] : [])),
      );
      const byId = [...found].map(([policy, count]) => [asset.enabled.get(policy as string) ?? '', count] as const);
      await world.finish(await world.claim(asset.id), Object.fromEntries(byId) as { readonly [id: string]: number | null });
      for (const [id, count] of byId) {
        if (typeof count === 'number' && count > 0) model.violate(asset, id, count, nowMs);
        else if (count === 0) model.resolve(asset, id, nowMs);
      }
      return model.resolve(asset, FAILURES, nowMs);
    }
    case 'fail':
      await world.fail(await world.claim(asset.id), 'the file is gone');
      return model.violate(asset, FAILURES, 1, nowMs);
    case 'cancel':
      return world.fail(await world.claim(asset.id), 'cancelled', true);
    case 'unjudged':
      return world.finishUnjudged(await world.claim(asset.id), new Error('a bug'));
    case 'lost': {
      const claimed = await world.claim(asset.id);
      await world.fail(claimed, 'cancelled', true);
      return expect(world.finish(claimed, { [POLICIES[0]]: 1 })).rejects.toThrow();
    }
    case 'delete monitor': {
      const id = asset.enabled.get('own') ?? asset.disabled.get('own');
      if (id === undefined) return;
      await takeAway(world, asset, id, 'delete');
      asset.enabled.delete('own');
      asset.disabled.delete('own');
      return model.resolve(asset, id, nowMs);
    }
    case 'delete asset':
      await world.tenant.assets.delete(asset.id);
      model.assets[happened.asset] = await newAsset(world);
      return;
    case 'restart':
      return world.restart();
  }
  return care(world, model, asset, happened);
}

async function care(world: Judging, model: Model, asset: ModelAsset, { kind, policy }: { kind: string; policy: string }): Promise<void> {
  const nowMs = world.clock.nowMs();
  const id = asset.enabled.get(policy) ?? asset.disabled.get(policy);
  if (id === undefined) return;
  switch (kind) {
    case 'close':
      await personSteps(world, asset, id, 'closed by a person');
      return model.resolve(asset, id, nowMs);
    case 'exclude all':
      await personSteps(world, asset, id, 'all alerts excluded');
      return model.resolve(asset, id, nowMs);
    case 'reopen':
      await personSteps(world, asset, id, 'reopened by a person');
      return model.reopen(asset, id, nowMs);
    case 'disable':
      await takeAway(world, asset, id, 'disable');
      asset.enabled.delete(policy);
      asset.disabled.set(policy, id);
      return model.resolve(asset, id, nowMs);
    case 'enable':
      await world.tenant.monitors.update(asset.id, id, { enabled: true, modified_by: 'ada' });
      asset.disabled.delete(policy);
      asset.enabled.set(policy, id);
  }
}

function personSteps(world: Judging, { id }: ModelAsset, policyId: string, cause: Parameters<typeof stepNewest>[1]['cause']) {
  return world.tenant.atomically(async (tenant) => {
    const [asset, monitor] = [await tenant.assets.get(id), await tenant.monitors.get(id, policyId)];
    return stepNewest(tenant, { asset, policyId, monitor, cause, actor: 'ada' }, world.clock.nowMs());
  });
}

function takeAway(world: Judging, { id }: ModelAsset, policyId: string, how: 'disable' | 'delete') {
  return world.tenant.atomically(async (tenant) => {
    const [asset, monitor] = [await tenant.assets.get(id), await tenant.monitors.get(id, policyId)];
    await stepNewest(tenant, { asset, policyId, monitor, cause: 'monitor is off', actor: 'ada' }, world.clock.nowMs());
    if (how === 'delete') await tenant.monitors.delete(id, policyId);
    else await tenant.monitors.update(id, policyId, { enabled: false, modified_by: 'ada' });
  });
}

async function expectSame({ tenant }: Judging, model: Model): Promise<void> {
  const listed = (await tenant.incidents.list()).toReversed();
  const details = await Promise.all(listed.map(({ id }) => tenant.incidents.get(id)));
  const found = model.assets.map(({ id }) =>
    details
      .filter(({ asset_id }) => asset_id === id)
      .map(({ alert_policy_id, status, history }) => ({
        policy: alert_policy_id,
        status,
        steps: history.map(({ state, timestamp, alert_refs }) => ({ state, timeMs: Date.parse(timestamp), alerts: alert_refs.length })),
      })),
  );
  const expected = model.assets.map(({ incidents }) =>
    incidents.map(({ policy, steps }) => ({ policy, status: steps.at(-1)?.state === 'RESOLVED' ? 'CLOSED' : 'OPEN', steps })),
  );
  expect(found.map(byStart)).toEqual(expected.map(byStart));
  // [I9] what belonged to a deleted asset is gone.
  expect(details).toHaveLength(found.flat().length);
  for (const incidents of found) {
    const open = incidents.filter(({ status }) => status === 'OPEN').map(({ policy }) => policy);
    expect(new Set(open).size).toBe(open.length);
  }
}

function byStart<Incident extends { readonly policy: string; readonly steps: readonly { readonly timeMs: number }[] }>(
  incidents: readonly Incident[],
): readonly Incident[] {
  const keyOf = ({ policy, steps }: Incident) => `${steps[0]?.timeMs} ${policy}`;
  return incidents.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
}

/** [D1] Each alert that is kept is in one incident, and the references of each incident lead to its alerts and to no others. */
async function expectAlertsInPlace({ tenant }: Judging, model: Model): Promise<void> {
  for (const { id } of model.assets) {
    const jobs = await tenant.jobs.listOfAsset(id);
    const alerts = (await Promise.all(jobs.map((job) => tenant.alerts.ofJob({ source: id, job_id: job.id })))).flat();
    const own = (await tenant.incidents.list()).filter(({ asset_id }) => asset_id === id);
    const named = [];
    for (const incident of own) {
      const refs = (await tenant.incidents.get(incident.id)).history.flatMap(({ alert_refs }) => alert_refs);
      const kept = await tenant.alerts.byFilters({
        sources: [id],
        upload_dates: [...new Set(refs.map(({ metric_time }) => metric_time))],
        violation_names: [...new Set(refs.map(({ violation_name }) => violation_name))],
      });
      const isDeleted = incident.alert_policy_name === 'own' && !(await tenant.monitors.list(id)).some(({ name }) => name === 'own');
      expect(kept.map(alertKey).toSorted()).toEqual(isDeleted ? [] : refs.map(alertKey).toSorted());
      named.push(...kept.map(alertKey));
    }
    expect(named.toSorted()).toEqual(alerts.map(alertKey).toSorted());
  }
}

function alertKey({ metric_time, violation_name }: { readonly metric_time: string; readonly violation_name: string }): string {
  return `${metric_time} ${violation_name}`;
}

test('incidents live as the table says, whatever happens', { timeout: 60_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 30, size: 'max' }), async (events) => {
      await using directory = await temporaryDirectory();
      await using world = await judging(directory.path);
      const model = new Model();
      for (let index = 0; index < ASSETS; index++) model.assets.push(await newAsset(world));
      for (const happened of events) {
        await happen(world, model, happened);
        await expectSame(world, model);
      }
      await expectAlertsInPlace(world, model);
    }),
    { numRuns: 20 },
  );
});
