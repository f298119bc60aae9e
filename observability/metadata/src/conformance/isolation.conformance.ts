// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { TenantMetadata } from '../metadata.ts';
import type { Fixture } from './engines.conformance.ts';
import {
  ASSET,
  alertOf,
  CONNECTION,
  DELIVERY,
  incidentOf,
  MONITOR,
  POINT,
  REPORT,
  RESULT,
  runningJob,
  SCORED,
  START,
  TEMPLATE,
  USER,
} from './samples.conformance.ts';

const SCHEDULE = {
  schedule: '0 * * * *',
  enabled: true,
  delta_only: false,
  sample_fraction: null,
  skip_investigator: false,
  timestamp_attribute: null,
};
const SCORE = { enabled: true, weights: { completeness: 1, accuracy: 1, consistency: 1, timeliness: 1 } };

const VALUE = { attribute: 'a', valueKey: 'k' };
const FINDINGS = { rowsChecked: 1, cellsFound: 0, cells: [], rules: [] };

/** One of everything, made so that the ids of numbered objects are none that the stranger has. */
async function seed(metadata: ReturnType<Fixture['metadata']>, own: TenantMetadata) {
  const { id: user } = await own.users.create(USER);
  const { id: key } = await own.apiKeys.create({ name: 'k', secret_hash: `${own.tenantId} k`, role: 'admin', creator_id: user });
  await own.refreshTokens.issue({ user_id: user, token_hash: `${own.tenantId} t`, expires_at: '2099-01-01T00:00:00.000Z' });
  const { id: project } = await own.projects.create({ name: 'p', description: null, created_by: 'ada' });
  const { id: connection } = await own.connections.create(CONNECTION);
  const { id: asset } = await own.assets.create({ ...ASSET, connection_id: connection });
  const { id: child } = await own.assets.create(ASSET);
  await own.lineage.replace(asset, { children: [child] });
  await own.columnLineage.replace(child, [{ attribute: 'a', sources: [{ asset_id: asset, attribute: 'a' }] }]);
  await own.attributes.replace(asset, [{ name: 'a', source_type: 'int', data_type: 'INTEGER' }], { monitorNew: true });
  await own.schedules.put(asset, SCHEDULE, START);
  const { id: upload } = await own.uploads.create({ file_name: 'f', bytes: 1, sha256: '0', path: 'p', created_by: 'ada' });
  const { id: template } = await own.ticketTemplates.create(TEMPLATE);
  const { id: monitor } = await own.monitors.create(asset, MONITOR);
  await own.channels.create({ name: 'ops', type: 'EMAIL', addresses: [] });
  const lease = await runningJob(metadata, own, asset);
  await own.jobs.finish(lease, { ...RESULT, cells: FINDINGS });
  await own.wrongCells.say(asset, { ...VALUE, detectors: ['format'], isWrong: true }, 'ada');
  await own.detectorStates.put(asset, [{ series: POINT, state: new Uint8Array([1, 2, 3]) }]);
  await own.alerts.append([alertOf(asset, { job_id: lease.job_id })]);
  const { id: incident } = await own.incidents.open(incidentOf(asset));
  await own.incidentCare.assign(incident, { userId: user, actor: 'ada' });
  await own.incidentCare.comment(incident, { author: 'ada', text: 'why' });
  await own.incidentCare.handle(incident, { state: 'ACKNOWLEDGED', actor: 'ada', until: null, note: 'seen' });
  await own.incidentStories.put(incident, {
    job_id: lease.job_id,
    evidence: [],
    why: ['because'],
    cause: { root_id: incident, reason: 'r' },
  });
  await own.sparkConfig.change({ spark_properties: { a: '1' } });
  await own.dqScoreConfig.put(asset, SCORE);
  await own.dqReportingConfig.put({ enabled: true, path: 'p', connection_id: connection });
  await own.dqScores.append({ ...SCORED, asset_id: asset, job_id: lease.job_id });
  await own.scanReports.enqueue({ ...REPORT, asset_id: asset, job_id: lease.job_id });
  await own.backgroundErrors.append({ error_class: 'c', message: 'm', exception_type: 'e', stack_trace: 's' });
  const delivery = (await own.deliveries.enqueue({ ...DELIVERY, dedup_key: 'once', incident_id: incident }))?.id ?? '';
  await own.channels.putSecret('ops', { current: 'secret', previous: null });
  await own.tickets.link({ incident_id: incident, key: 'KEY-1', url: 'http://example.org', template_id: template }, 'ada');
  await own.trackerConnection.put({ base_url: 'http://example.org', email: null, poll_interval_seconds: 60, api_token: 'secret' });
  const running = await runningJob(metadata, own, child);
  const ids = { user, key, project, connection, asset, upload, template, monitor, job: lease.job_id, running, incident, delivery };
  return { ...ids, token: `${own.tenantId} t` };
}

type Seeded = Awaited<ReturnType<typeof seed>>;
type Attempts = {
  readonly [Store in Exclude<keyof TenantMetadata, 'tenantId' | 'atomically'>]: {
    readonly [Method in keyof TenantMetadata[Store]]: () => Promise<unknown>;
  };
};

/** Each method of each store, aimed at what belongs to somebody else. The type demands all of them. */
function attempts(stranger: TenantMetadata, its: Seeded): Attempts {
  const { users, refreshTokens, apiKeys, projects, connections, assets, attributes, lineage, columnLineage, schedules, uploads, jobs } =
    stranger;
  const { jobFindings, checks, scanMemory, detectorStates, metricPoints, monitors, channels, alerts, incidents } = stranger;
  const { incidentCare, incidentStories, ticketTemplates, audit, dqScores, scanReports, wrongCells } = stranger;
  const { sparkConfig, dqScoreConfig, dqReportingConfig, backgroundErrors, deliveries, tickets, trackerConnection } = stranger;
  const step = { timestamp: START, state: 'RESOLVED', alert_refs: [] } as const;
  const delta = { ...POINT, asset_id: its.asset, job_id: its.job };
  return {
    users: {
      create: async () => [],
      list: users.list,
      find: () => users.find(its.user),
      findByEmail: () => users.findByEmail(USER.email),
      update: () => users.update(its.user, { role: 'viewer' }),
      setPassword: () => users.setPassword(its.user, 'stolen'),
      setProjectRole: () => users.setProjectRole(its.user, its.project, 'editor'),
      delete: () => users.delete(its.user),
    },
    refreshTokens: {
      issue: () => refreshTokens.issue({ user_id: its.user, token_hash: 'stolen', expires_at: '2099-01-01T00:00:00.000Z' }),
      rotate: () => refreshTokens.rotate({ token_hash: its.token, successor_hash: 'stolen', expires_at: '2099-01-01T00:00:00.000Z' }),
      revoke: () => refreshTokens.revoke(its.token),
      revokeAllOf: () => refreshTokens.revokeAllOf(its.user),
      deleteExpired: refreshTokens.deleteExpired,
    },
    apiKeys: {
      create: () => apiKeys.create({ name: 'k', secret_hash: 'stolen', role: 'admin', creator_id: its.user }),
      list: apiKeys.list,
      get: () => apiKeys.get(its.key),
      delete: () => apiKeys.delete(its.key),
    },
    projects: {
      create: async () => [],
      list: async () => (await projects.list()).filter(({ id }) => id !== 0),
      get: () => projects.get(its.project),
      update: () => projects.update(its.project, { name: 'stolen' }),
      delete: () => projects.delete(its.project),
    },
    connections: {
      create: () => connections.create({ ...CONNECTION, project_id: its.project }),
      list: connections.list,
      get: () => connections.get(its.connection),
      credential: () => connections.credential(its.connection),
      update: () => connections.update(its.connection, { name: 'stolen' }),
      delete: () => connections.delete(its.connection),
    },
    assets: {
      create: () => assets.create({ ...ASSET, connection_id: its.connection }),
      list: () => assets.list({ with_attributes: true, with_lineage: true, with_schedules: true }),
      get: () => assets.get(its.asset),
      update: () => assets.update(its.asset, { name: 'stolen' }),
      move: () => assets.move({ source_project_id: 0, target_project_id: 0, asset_ids: [its.asset] }),
      delete: () => assets.delete(its.asset),
    },
    attributes: {
      list: () => attributes.list(its.asset),
      replace: () => attributes.replace(its.asset, [], { monitorNew: true }),
      setMonitored: () => attributes.setMonitored(its.asset, { a: false }),
    },
    lineage: { get: () => lineage.get(its.asset), replace: () => lineage.replace(its.asset, { children: [] }) },
    columnLineage: {
      list: () => columnLineage.list(its.asset),
      replace: () => columnLineage.replace(its.asset, []),
      report: () => columnLineage.report(its.asset, [{ attribute: 'a', sources: [] }], 'OPENLINEAGE'),
    },
    schedules: {
      find: () => schedules.find(its.asset),
      put: () => schedules.put(its.asset, SCHEDULE, null),
      advance: () => schedules.advance(its.asset, { from: START, to: null }),
      delete: () => schedules.delete(its.asset),
    },
    uploads: { create: async () => [], list: uploads.list, get: () => uploads.get(its.upload), delete: () => uploads.delete(its.upload) },
    jobs: {
      enqueue: () => jobs.enqueue({ asset_id: its.asset, request: {}, whenBusy: 'wait' }),
      get: () => jobs.get(its.job),
      listOfAsset: () => jobs.listOfAsset(its.asset),
      list: jobs.list,
      requestCancel: () => jobs.requestCancel(its.running.job_id, 'stranger'),
      heartbeat: () => jobs.heartbeat(its.running, { leaseMs: 1 }),
      finish: () => jobs.finish(its.running, RESULT),
      fail: () => jobs.fail(its.running, 'stolen'),
      deleteEndedBefore: () => jobs.deleteEndedBefore('2099-01-01T00:00:00.000Z'),
    },
    jobFindings: { schemaChanges: () => jobFindings.schemaChanges(its.job), rowSamples: () => jobFindings.rowSamples(its.job) },
    checks: {
      ofJob: () => checks.ofJob(its.job),
      latest: () => checks.latest({ asset_id: its.asset }),
    },
    wrongCells: {
      findings: () => wrongCells.findings(its.asset),
      verdicts: () => wrongCells.verdicts(its.asset),
      say: () => wrongCells.say(its.asset, { ...VALUE, detectors: [], isWrong: false }, 'stranger'),
      takeBack: () => wrongCells.takeBack(its.asset, VALUE),
    },
    scanMemory: { get: () => scanMemory.get(its.asset), put: () => scanMemory.put(its.asset, 'stolen') },
    detectorStates: { list: () => detectorStates.list(its.asset), put: () => detectorStates.put(its.asset, []) },
    metricPoints: {
      append: () => metricPoints.append({ asset_id: its.asset, job_id: its.job, metric_time: START, points: [POINT] }),
      history: () => metricPoints.history({ asset_id: its.asset }),
      recent: () => metricPoints.recent(its.asset, { scans: 10 }),
      scans: () => metricPoints.scans(its.asset, START),
      find: () => metricPoints.find(delta),
      exclude: () => metricPoints.exclude(delta, { by: 'stranger', comment: null }),
      include: () => metricPoints.include(delta),
      markExpected: () => metricPoints.markExpected({ ...delta, metric_names: [delta.metric_name] }),
      exclusions: () => metricPoints.exclusions(its.asset),
      deleteBefore: () => metricPoints.deleteBefore('2099-01-01T00:00:00.000Z'),
    },
    monitors: {
      create: () => monitors.create(its.asset, { ...MONITOR, name: 'stolen' }),
      list: () => monitors.list(its.asset),
      select: () => monitors.select({ ticketTemplateId: its.template }),
      get: () => monitors.get(its.asset, its.monitor),
      update: () => monitors.update(its.asset, its.monitor, { name: 'stolen', modified_by: 'stranger' }),
      delete: () => monitors.delete(its.asset, its.monitor),
    },
    channels: {
      create: async () => [],
      list: channels.list,
      get: () => channels.get('ops'),
      update: () => channels.update('ops', { type: 'WEBHOOK', addresses: ['stolen'] }),
      secret: () => channels.secret('ops'),
      putSecret: () => channels.putSecret('ops', { current: 'stolen', previous: null }),
      delete: () => channels.delete('ops'),
    },
    alerts: {
      append: () => alerts.append([alertOf(its.asset)]),
      byFilters: () => alerts.byFilters({ sources: [its.asset], upload_dates: [START], violation_names: ['FEATURE.1'] }),
      ofJob: () => alerts.ofJob({ source: its.asset, job_id: its.job }),
      ofStep: () => alerts.ofStep({ source: its.asset, incident_id: its.incident, metric_time: START }),
      ofPoint: () => alerts.ofPoint(delta),
      markNotified: () => alerts.markNotified({ source: its.asset, incident_id: its.incident, metric_time: START }),
      markExcluded: () => alerts.markExcluded([1], true),
      strays: () => alerts.strays({ source: its.asset, since: START }),
      deleteStraysBefore: () => alerts.deleteStraysBefore('2099-01-01T00:00:00.000Z'),
    },
    incidents: {
      open: () => incidents.open(incidentOf(its.asset)),
      advance: () => incidents.advance(its.incident, step),
      trackedOfAsset: () => incidents.trackedOfAsset(its.asset),
      openOfAsset: () => incidents.openOfAsset(its.asset),
      actors: () => incidents.actors(its.incident),
      list: () => incidents.list({ text_to_search: 'o' }),
      get: () => incidents.get(its.incident),
      outcomes: () => incidents.outcomes(),
      distribution: async () => (await incidents.distribution()).incidents,
      summary: async () => (await incidents.summary()).total,
      deleteClosedBefore: () => incidents.deleteClosedBefore('2099-01-01T00:00:00.000Z'),
    },
    incidentCare: {
      assignee: () => incidentCare.assignee(its.incident),
      assign: () => incidentCare.assign(its.incident, { userId: null, actor: 'stranger' }),
      handling: () => incidentCare.handling(its.incident),
      handle: () => incidentCare.handle(its.incident, { state: null, actor: 'stranger', until: null, note: null }),
      comments: () => incidentCare.comments(its.incident),
      comment: () => incidentCare.comment(its.incident, { author: 'stranger', text: 'stolen' }),
    },
    incidentStories: {
      put: () => incidentStories.put(its.incident, { job_id: null, evidence: [], why: ['stolen'] }),
      find: () => incidentStories.find(its.incident),
      rootsOf: async () => [...(await incidentStories.rootsOf([its.incident]))],
      related: () => incidentStories.related(its.incident),
    },
    audit: { append: async () => [], list: () => audit.list(), deleteBefore: () => audit.deleteBefore('2099-01-01T00:00:00.000Z') },
    ticketTemplates: {
      create: async () => [],
      list: ticketTemplates.list,
      get: () => ticketTemplates.get(its.template),
      replace: () => ticketTemplates.replace(its.template, TEMPLATE),
      delete: () => ticketTemplates.delete(its.template),
    },
    sparkConfig: { get: async () => Object.keys(await sparkConfig.get()), change: async () => [], delete: sparkConfig.delete },
    dqScoreConfig: {
      find: () => dqScoreConfig.find(its.asset),
      put: () => dqScoreConfig.put(its.asset, SCORE),
      delete: () => dqScoreConfig.delete(its.asset),
    },
    dqScores: {
      append: () => dqScores.append({ ...SCORED, asset_id: its.asset, job_id: its.job }),
      newest: () => dqScores.newest(its.asset, 10),
      history: () => dqScores.history({ asset_id: its.asset, limit: 10 }),
      exposure: () => dqScores.exposure(its.asset),
      standings: dqScores.standings,
      deleteBefore: () => dqScores.deleteBefore('2099-01-01T00:00:00.000Z'),
    },
    scanReports: {
      enqueue: async () => [],
      list: scanReports.list,
      retry: () => scanReports.retry(its.job, { next_attempt_at: START, error: 'stolen' }),
      remove: () => scanReports.remove(its.job),
    },
    dqReportingConfig: {
      find: dqReportingConfig.find,
      put: () => dqReportingConfig.put({ enabled: false, path: 'stolen', connection_id: its.connection }),
      delete: dqReportingConfig.delete,
    },
    backgroundErrors: { append: async () => [], list: () => backgroundErrors.list(10) },
    deliveries: {
      enqueue: async () => [],
      list: deliveries.list,
      get: () => deliveries.get(its.delivery),
      findByKey: () => deliveries.findByKey('once'),
      lastNotification: () => deliveries.lastNotification(its.incident),
      findNotifications: () => deliveries.findNotifications([its.incident]),
      settle: () => deliveries.settle({ id: its.delivery, lease: '' }, { kind: 'delivered' }),
      replay: () => deliveries.replay(its.delivery),
      deleteEndedBefore: () => deliveries.deleteEndedBefore('2099-01-01T00:00:00.000Z'),
    },
    tickets: {
      link: () => tickets.link({ incident_id: its.incident, key: 'STOLEN-1', url: 'http://example.org', template_id: null }, 'stranger'),
      find: () => tickets.find(its.incident),
      unlink: () => tickets.unlink(its.incident, 'stranger'),
      noteStatus: () => tickets.noteStatus(1, { status: 'stolen' }),
    },
    trackerConnection: {
      find: trackerConnection.find,
      token: trackerConnection.token,
      put: async () => [],
      delete: trackerConnection.delete,
    },
  };
}

/** All that a tenant can read of its own. */
async function snapshot(own: TenantMetadata, its: Seeded): Promise<unknown> {
  const all = { with_attributes: true, with_lineage: true, with_schedules: true };
  return Promise.all([
    own.users.list(),
    own.users.find(its.user),
    own.apiKeys.list(),
    own.projects.list(),
    own.connections.list(),
    own.connections.credential(its.connection),
    own.assets.list(all),
    own.uploads.list(),
    own.jobs.list(),
    own.channels.list(),
    own.wrongCells.findings(its.asset),
    own.wrongCells.verdicts(its.asset),
    own.scanMemory.get(its.asset),
    own.detectorStates.list(its.asset),
    own.metricPoints.history({ asset_id: its.asset }),
    own.monitors.list(its.asset),
    own.incidents.get(its.incident),
    own.ticketTemplates.list(),
    own.sparkConfig.get(),
    own.dqScoreConfig.find(its.asset),
    own.dqReportingConfig.find(),
    own.dqScores.newest(its.asset, 10),
    own.dqScores.exposure(its.asset),
    own.dqScores.standings(),
    own.scanReports.list(),
    own.backgroundErrors.list(10),
    own.deliveries.list(),
    own.channels.secret('ops'),
    own.tickets.find(its.incident),
    own.trackerConnection.token(),
    own.alerts.ofJob({ source: its.asset, job_id: its.job }),
    own.metricPoints.exclusions(its.asset),
    own.incidentCare.comments(its.incident),
    own.incidentCare.assignee(its.incident),
    own.incidents.actors(its.incident),
    own.incidentStories.find(its.incident),
    own.incidentCare.handling(its.incident),
    own.audit.list(),
  ]);
}

export function isolationSuite({ metadata, tenant }: Fixture): void {
  test('no method of any store sees or touches what belongs to another tenant', async () => {
    const owner = await tenant();
    const stranger = await tenant();
    const its = await seed(metadata(), owner);
    const before = await snapshot(owner, its);
    for (const [store, methods] of Object.entries(attempts(stranger, its))) {
      for (const [method, attempt] of Object.entries<() => Promise<unknown>>(methods)) {
        const answer = await attempt().catch((error: unknown) => error);
        expect(sawNothing(answer), `${store}.${method} answered ${JSON.stringify(answer)}`).toBe(true);
      }
    }
    expect(await snapshot(owner, its)).toEqual(before);
    const rotated = await owner.refreshTokens.rotate({ token_hash: its.token, successor_hash: `${its.token}2`, expires_at: START });
    expect(rotated.kind).toBe('rotated');
    await owner.jobs.fail(its.running, 'the test is over');
  });
}

/** Nothing, or the refusal of a thing that is not there. */
function sawNothing(answer: unknown): boolean {
  if (answer instanceof Error) return answer.name === 'MetadataMissing';
  if (Array.isArray(answer)) return answer.length === 0;
  if (typeof answer === 'object' && answer !== null) return 'kind' in answer && answer.kind === 'unknown';
  return answer === undefined || answer === 0 || answer === false;
}
