// SPDX-License-Identifier: Apache-2.0
/** What is forgotten in time, what stays because something else names it, and that neither costs more the more there is. */
import { randomBytes } from 'node:crypto';
import { type CompiledQuery, sql } from 'kysely';
import { expect, test } from 'vitest';
import { credentialCipher } from '../database/credential-cipher.ts';
import { openDatabase } from '../database/open-database.ts';
import { tenantScope } from '../database/scope.ts';
import type { TenantMetadata } from '../metadata.ts';
import { checkStore } from '../tenant/checks.ts';
import { jobStore } from '../tenant/jobs.ts';
import { copyRow, numbered } from './copied-rows.conformance.ts';
import type { Fixture } from './engines.conformance.ts';
import { looksInto, QueryRecorder } from './query-plans.conformance.ts';
import { ASSET, alertOf, ENCRYPTION_KEY, incidentOf, METRIC, POINT, REPORT, SCORED, START, START_MS } from './samples.conformance.ts';

const DAY_MS = 24 * 3_600_000;
const day = (count: number) => new Date(START_MS + count * DAY_MS).toISOString();
const LATER = day(1000);
/** More than one statement removes, which is the same for every database. */
const MANY = 450;
const MANY_OF_POSTGRESQL = 20;

export function retentionSuite(fixture: Fixture): void {
  const { clock, location, tenant } = fixture;

  /** Jobs of an asset that ended as they are named, a day apart. */
  async function endedJobs(
    own: TenantMetadata,
    asset_id: string,
    statuses: readonly ('FINISHED' | 'FAILED')[],
  ): Promise<readonly string[]> {
    const database = openDatabase(location());
    const ids: string[] = [];
    for (const [index, status] of statuses.entries()) {
      const { id } = await own.jobs.enqueue({ asset_id, request: {}, whenBusy: 'wait' });
      const change = { status, end_ms: START_MS + index * DAY_MS };
      await database.kysely.updateTable('jobs').set(change).where('tenant_id', '=', own.tenantId).where('id', '=', id).execute();
      ids.push(id);
    }
    await database.kysely.destroy();
    return ids;
  }

  test('jobs that ended before a time are forgotten with what they found; the newest of an asset and its newest that finished stay', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const [first = '', failed = '', good = '', newest = ''] = await endedJobs(own, id, ['FINISHED', 'FAILED', 'FINISHED', 'FAILED']);
    const { id: waiting } = await own.jobs.enqueue({ asset_id: id, request: {}, whenBusy: 'wait' });
    await own.dqScores.append({ ...SCORED, asset_id: id, job_id: first });
    await own.scanReports.enqueue({ ...REPORT, asset_id: id, job_id: first });
    const listed = async () => (await own.jobs.listOfAsset(id)).map((job) => job.id);
    expect(await own.jobs.deleteEndedBefore(START)).toBe(0);
    expect(await own.jobs.deleteEndedBefore(day(1))).toBe(1);
    expect(await listed()).toEqual([waiting, newest, good, failed]);
    expect(await own.dqScores.newest(id, 10)).toEqual([]);
    // A report outlives its job.
    expect(await own.scanReports.list()).toHaveLength(1);
    await own.scanReports.remove(first);
    expect([await own.jobs.deleteEndedBefore(LATER), await own.jobs.deleteEndedBefore(LATER)]).toEqual([2, 0]);
    expect(await listed()).toEqual([waiting, good]);
    await own.jobs.requestCancel(waiting, 'ada');
    expect((await own.jobs.list({ most_recent: true })).map((job) => job.id)).toEqual([waiting]);
  });

  test('a job goes with its points, and stays as long as a later point or an alert names it', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const [measured = '', alerted = '', newest = ''] = await endedJobs(own, id, ['FINISHED', 'FAILED', 'FINISHED']);
    for (const job_id of [measured, newest]) await own.metricPoints.append({ asset_id: id, job_id, metric_time: day(5), points: [POINT] });
    await own.alerts.append([alertOf(id, { job_id: alerted, metric_time: day(1) })]);
    const kept = async () => (await own.jobs.listOfAsset(id)).length;
    expect(await own.jobs.deleteEndedBefore(day(5))).toBe(0);
    expect(await own.metricPoints.history({ asset_id: id })).toHaveLength(2);
    expect(await own.jobs.deleteEndedBefore(LATER)).toBe(1);
    expect(await own.metricPoints.history({ asset_id: id })).toMatchObject([{ job_id: newest }]);
    expect(await own.metricPoints.deleteBefore(LATER)).toBe(1);
    expect(await own.alerts.ofJob({ source: id, job_id: alerted })).toHaveLength(1);
    expect(await own.alerts.deleteStraysBefore(day(1))).toBe(0);
    expect(await own.alerts.deleteStraysBefore(LATER)).toBe(1);
    expect([await own.jobs.deleteEndedBefore(LATER), await kept()]).toEqual([1, 1]);
  });

  test('incidents that were closed before a time are forgotten with their alerts, open ones are not', async () => {
    const own = await tenant();
    const { id } = await own.assets.create(ASSET);
    const opened = async (at: string) => {
      await own.alerts.append([alertOf(id, { metric_time: at, monitor_id: 'SCHEMA_DRIFTS' })]);
      const history = { timestamp: at, state: 'NEW', alert_refs: [{ metric_time: at, violation_name: 'FEATURE.1' }] } as const;
      return (await own.incidents.open(incidentOf(id, { created_time: at, metrics: [METRIC], history }))).id;
    };
    const [closed, late, open] = [await opened(day(0)), await opened(day(1)), await opened(day(2))];
    await own.incidentCare.comment(closed, { author: 'ada', text: 'looking' });
    await own.tickets.link({ incident_id: closed, key: 'OPS-1', url: 'https://example.org/OPS-1', template_id: null }, 'system');
    await own.incidents.advance(closed, { timestamp: day(10), state: 'RESOLVED', alert_refs: [] });
    await own.incidents.advance(late, { timestamp: day(20), state: 'RESOLVED', alert_refs: [] });
    expect(await own.incidents.deleteClosedBefore(day(10))).toBe(0);
    expect(await own.incidents.deleteClosedBefore(day(11))).toBe(1);
    const found = { sources: [id], upload_dates: [day(0), day(1), day(2)], violation_names: ['FEATURE.1'] };
    const alertTimes = async () => (await own.alerts.byFilters(found)).map(({ metric_time }) => metric_time);
    expect(await alertTimes()).toEqual([day(2), day(1)]);
    await expect(own.incidents.get(closed)).rejects.toMatchObject({ kind: 'incident' });
    await own.incidents.advance(late, { timestamp: day(21), state: 'REOPENED', alert_refs: [] });
    expect(await own.incidents.deleteClosedBefore(LATER)).toBe(0);
    expect((await own.incidents.list()).map((incident) => incident.id)).toEqual([open, late]);
    expect(await own.alerts.deleteStraysBefore(LATER)).toBe(0);
  });

  test('however many jobs end, they are removed, and the newest are found, by indexes', async () => {
    const own = await tenant();
    const isPostgresql = 'databaseUrl' in location();
    const count = isPostgresql ? MANY_OF_POSTGRESQL : MANY;
    const { id: asset_id } = await own.assets.create(ASSET);
    await endedJobs(own, asset_id, ['FINISHED']);
    const database = openDatabase(location());
    try {
      const later = { number: sql`number + n`, end_ms: sql`end_ms + cast(n as bigint) * ${sql.lit(DAY_MS)}` };
      const changed = { id: numbered('id'), ...later };
      await copyRow(database.kysely, { table: 'jobs', of: 'asset_id', assetId: asset_id, copies: count - 1, changed });
      const recorder = new QueryRecorder();
      const kysely = database.kysely.withPlugin(recorder);
      const cipher = credentialCipher(ENCRYPTION_KEY);
      const scope = { ...tenantScope({ database, db: kysely, clock, randomBytes, cipher }, own.tenantId), db: kysely };
      const jobs = jobStore(scope);
      await checkStore(scope).latest();
      expect(await jobs.list({ most_recent: true })).toHaveLength(1);
      expect(await jobs.deleteEndedBefore(LATER)).toBe(count - 1);
      // Which index PostgreSQL takes for so few rows says nothing of many.
      if (isPostgresql) return;
      const isWhole = ({ sql: text }: CompiledQuery) => /^\s*(select .*from "(jobs|checks)"|delete)/.test(text);
      const looks = new Set<string>();
      for (const query of recorder.compiled(database.kysely).filter(isWhole)) {
        const tables = ['jobs', 'one', 'newer', 'point', 'alert', 'checks'];
        for (const look of await looksInto(database.kysely, query, { tables, isPostgresql: false })) looks.add(look);
      }
      expect([...looks].filter((look) => look.startsWith('SCAN'))).toEqual([]);
      expect([...looks].join('\n')).toMatch(/INDEX jobs_by_end \(tenant_id=\? AND \(?end_ms/);
    } finally {
      await database.kysely.destroy();
    }
  });
}
