// SPDX-License-Identifier: Apache-2.0
/**
 * A tenant with a million alerts, 50,000 incidents and an asset of 2,000 series in 200 scans, and how long its questions take: on the clock, and of this process's CPU, which a busy
 * machine does not blur. On SQLite in a temporary folder, or on the
 * PostgreSQL database of DATABASE_URL, which must be empty: `node observability/metadata/src/metadata.bench.ts`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { type Insertable, sql } from 'kysely';
import type { MetadataDatabase } from './database/database.ts';
import { migrate } from './database/migration.ts';
import { type MetadataLocation, openDatabase } from './database/open-database.ts';
import type { Schema } from './database/schema.ts';
import { insertAll } from './database/scope.ts';
import { caseless, toDay, toTime } from './database/values.ts';
import { openMetadata, type TenantMetadata } from './metadata.ts';

const ALERTS = 1_000_000;
const INCIDENTS = 50_000;
const ASSETS = 200;
const SERIES = 2000;
const SCANS = 200;
const BATCH = 10_000;
const REPEATS = 15;
const TENANT = 'large';
const DAY_MS = 86_400_000;
const NOW_MS = Date.parse('2026-06-01T00:00:00.000Z');
const MONTHS = 12;
const SPAN_MS = 360 * DAY_MS;
const KINDS = ['S3', 'GCS', 'POSTGRESQL', 'UPLOAD', 'VECTOR_COLLECTION'];
const LEVELS = ['LOW', 'MEDIUM', 'HIGH'];
const POLICIES = ['RECORD_COUNT_DRIFTS', 'FRESHNESS_DRIFTS', 'SCHEMA_DRIFTS', '1', '2', '3', '4', '5'];

const databaseUrl = process.env.DATABASE_URL;
const directory = mkdtempSync(join(tmpdir(), 'sextant-bench-'));
const location: MetadataLocation = databaseUrl === undefined ? { directory } : { databaseUrl };
try {
  await fill();
  await measure();
} finally {
  rmSync(directory, { recursive: true });
}

async function fill(): Promise<void> {
  const startedMs = performance.now();
  const database = openDatabase(location);
  await migrate(database);
  const random = seededRandom(1);
  await database.kysely.insertInto('tenants').values({ id: TENANT, name: 'Large', created_ms: NOW_MS }).execute();
  const project = { tenant_id: TENANT, id: 0, name: 'Default', description: null, created_by: 'bench', created_ms: NOW_MS };
  await database.kysely.insertInto('projects').values(project).execute();
  const assets = Array.from({ length: ASSETS }, (_, index) => assetRow(index));
  await insertAll(database.kysely, 'assets', assets);
  const jobs = assets.flatMap((asset) => Array.from({ length: MONTHS }, (_, month) => jobRow(asset, month)));
  await insertAll(database.kysely, 'jobs', jobs);
  await inBatches(database, INCIDENTS, async (rows, index) => {
    const incident = incidentRow(index, random);
    rows.incidents.push(incident);
    const step = { position: 0, event_ms: incident.created_ms, state: 'NEW', alert_refs: '[]', actor: 'system' };
    rows.incident_history.push({ tenant_id: TENANT, incident_id: index, ...step });
    for (const tag of JSON.parse(incident.tags))
      rows.incident_tags.push({ tenant_id: TENANT, incident_id: index, tag, status: incident.status });
  });
  await inBatches(database, ALERTS, async (rows, index) => {
    rows.alerts.push(alertRow(index, random));
  });
  const bytesBefore = await bytesOf(database);
  for (let scan = 0; scan < SCANS; scan += 1) {
    const points = Array.from({ length: SERIES }, (_, series) => pointRow(scan, series, random));
    await database.kysely.transaction().execute((transaction) => insertAll(transaction, 'metric_points', points));
  }
  const bytesOfPoint = ((await bytesOf(database)) - bytesBefore) / (SERIES * SCANS);
  await database.kysely.destroy();
  console.log(
    `a point of a series takes ${bytesOfPoint.toFixed(0)} bytes with its indexes; a series that is scanned daily ${((bytesOfPoint * 365) / 1000).toFixed(0)} kB a year`,
  );
  console.log(
    `${ALERTS} alerts, ${INCIDENTS} incidents and ${SERIES * SCANS} points written in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`,
  );
}

/** Of the whole database, which nobody else writes. */
async function bytesOf({ kysely }: MetadataDatabase): Promise<number> {
  const query =
    databaseUrl === undefined
      ? sql<{ bytes: number }>`select page_count * page_size as bytes from pragma_page_count(), pragma_page_size()`
      : sql<{ bytes: number }>`select pg_database_size(current_database())::float8 as bytes`;
  const { rows } = await query.execute(kysely);
  return rows[0]?.bytes ?? Number.NaN;
}

type Rows = {
  readonly incidents: Insertable<Schema['incidents']>[];
  readonly incident_tags: Schema['incident_tags'][];
  readonly incident_history: Schema['incident_history'][];
  readonly alerts: Insertable<Schema['alerts']>[];
};

async function inBatches(database: MetadataDatabase, count: number, add: (rows: Rows, index: number) => Promise<void>): Promise<void> {
  for (let start = 0; start < count; start += BATCH) {
    const rows: Rows = { incidents: [], incident_tags: [], incident_history: [], alerts: [] };
    for (let index = start; index < Math.min(start + BATCH, count); index += 1) await add(rows, index);
    await database.kysely.transaction().execute(async (transaction) => {
      await insertAll(transaction, 'incidents', rows.incidents);
      await insertAll(transaction, 'incident_tags', rows.incident_tags);
      await insertAll(transaction, 'incident_history', rows.incident_history);
      await insertAll(transaction, 'alerts', rows.alerts);
    });
  }
}

function assetId(index: number): string {
  return `asset${String(index).padStart(7, '0')}`;
}

function assetRow(index: number): Insertable<Schema['assets']> {
  const name = `Table ${index} of the warehouse`;
  return {
    tenant_id: TENANT,
    id: assetId(index),
    project_id: 0,
    name,
    name_key: caseless(name),
    type: KINDS[index % KINDS.length] ?? 'S3',
    options: '{}',
    payload: '{}',
    tags: '[]',
    created_by: 'bench',
    created_ms: NOW_MS,
  };
}

function jobRow(asset: Insertable<Schema['assets']>, month: number): Insertable<Schema['jobs']> {
  return {
    tenant_id: TENANT,
    id: `${asset.id}-${month}`,
    asset_id: asset.id,
    number: month,
    status: 'FINISHED',
    details: '',
    request: '{}',
    created_ms: NOW_MS,
    start_ms: NOW_MS,
    end_ms: NOW_MS,
    phase: 'done',
    rows_read: 1,
    fraction: 1,
    attempts: 1,
  };
}

function incidentRow(index: number, random: Random): Insertable<Schema['incidents']> {
  const created_ms = NOW_MS - random.integer(SPAN_MS);
  const closed_ms = random.next() < 0.7 ? Math.min(created_ms + random.integer(10 * DAY_MS), NOW_MS) : null;
  const policy = pick(POLICIES, random);
  const tags = [...new Set([`team-${random.integer(20)}`, `tier-${random.integer(4)}`])];
  return {
    tenant_id: TENANT,
    id: index,
    project_id: 0,
    asset_id: assetId(random.integer(ASSETS)),
    last_upload_ms: created_ms,
    created_ms,
    created_day: toDay(created_ms),
    closed_ms,
    severity: random.next() < 0.1 ? '' : pick(LEVELS, random),
    impact: random.next() < 0.2 ? null : pick(LEVELS, random),
    status: closed_ms === null ? 'OPEN' : 'CLOSED',
    alert_policy_id: policy,
    alert_policy_name: `Policy ${policy}`,
    policy_key: caseless(`Policy ${policy}`),
    description: 'The value left its band.',
    tags: JSON.stringify(tags),
    metrics: '[]',
    kind: 'VIOLATION',
  };
}

function alertRow(index: number, random: Random): Insertable<Schema['alerts']> {
  const asset = random.integer(ASSETS);
  // A scan each day of every asset: alerts share their times, as those of one upload do.
  const day = Math.floor((index / ALERTS) * 360);
  const metric_ms = NOW_MS - SPAN_MS + (day + 1) * DAY_MS;
  const policy = pick(POLICIES, random);
  return {
    tenant_id: TENANT,
    id: index,
    source: assetId(asset),
    monitor_id: policy,
    type: 'NUMERIC',
    attribute: 'price',
    job_id: `${assetId(asset)}-${Math.floor(day / 30)}`,
    create_ms: metric_ms,
    save_ms: metric_ms,
    violation_data: '{"lower":1,"upper":2}',
    violation_name: `FEATURE.${policy}`,
    notification_channels: '["ops"]',
    is_notification_enabled: 1,
    metric_ms,
    is_notified: 1,
    metric_value: random.next(),
    policy_name: `Policy ${policy}`,
    segment: '',
    priority: 'HIGH',
    description: '{"HIGH":["out of its band"]}',
    source_name: `Table ${asset}`,
    source_type: 'S3',
    project_name: 'Default',
    tags: '["gold"]',
    series: 'null',
    metric: '{}',
  };
}

/** All of the first asset and, for the bench, of one of its jobs. */
function pointRow(scan: number, series: number, random: Random): Insertable<Schema['metric_points']> {
  return {
    tenant_id: TENANT,
    job_id: `${assetId(0)}-0`,
    position: scan * SERIES + series,
    asset_id: assetId(0),
    metric_ms: NOW_MS - (SCANS - scan) * 3_600_000,
    metric_name: ['COMPLETENESS', 'UNIQUENESS', 'MEAN', 'MEDIAN'][series % 4] ?? 'MEAN',
    metric_aggregation: 'ratio',
    attribute: `column_${Math.floor(series / 4)}`,
    value: random.next(),
    is_violation: 0,
    is_excluded: 0,
    is_expected: 0,
  };
}

function pick(values: readonly string[], random: Random): string {
  return values[random.integer(values.length)] ?? '';
}

async function measure(): Promise<void> {
  const clock = { ...systemClock, nowMs: () => NOW_MS };
  const options = { clock, randomBytes: (count: number) => new Uint8Array(count), encryptionKey: new Uint8Array(32) };
  await using metadata = await openMetadata(location, options);
  for (const [name, ask] of questions(metadata.forTenant(TENANT))) {
    const times: number[] = [];
    let size = 0;
    const before = process.cpuUsage();
    for (let repeat = 0; repeat < REPEATS; repeat += 1) {
      const startedMs = performance.now();
      size = await ask();
      times.push(performance.now() - startedMs);
    }
    const sorted = times.toSorted((left, right) => left - right);
    const [median = 0, worst = 0] = [sorted[Math.floor(REPEATS / 2)], sorted.at(-1)];
    const { user, system } = process.cpuUsage(before);
    const cpuMs = (user + system) / 1000 / REPEATS;
    console.log(
      `${name.padEnd(44)} ${median.toFixed(1).padStart(7)} ms median ${worst.toFixed(1).padStart(7)} ms worst ${cpuMs.toFixed(1).padStart(7)} ms of our CPU ${size} rows`,
    );
  }
}

function questions({ incidents, alerts, metricPoints }: TenantMetadata): readonly (readonly [string, () => Promise<number>])[] {
  const page = { limit: 1000 };
  const from_time = toTime(NOW_MS - 30 * DAY_MS);
  const busy = { connection_types: ['S3', 'GCS'], severities: ['HIGH'], impacts: ['LOW', 'HIGH'], text_to_search: 'warehouse' };
  const dates = Array.from({ length: 30 }, (_, day) => toTime(NOW_MS - day * DAY_MS));
  const list = async (filter: Parameters<typeof incidents.list>[0], some = page) => (await incidents.list(filter, some)).length;
  const days = async (filter: Parameters<typeof incidents.distribution>[0]) => (await incidents.distribution(filter)).incidents.length;
  return [
    ['incidents: the newest 1,000', () => list({})],
    ['incidents: all that one answer holds', () => list({}, { limit: 10_000 })],
    ['incidents: offset 49,000', async () => (await incidents.list({}, { limit: 1000, offset: 49_000 })).length],
    ['incidents: the last 30 days', () => list({ from_time })],
    ['incidents: text in the name of an asset', () => list({ text_to_search: 'TABLE 17 OF' })],
    ['incidents: text found nowhere', () => list({ text_to_search: 'nowhere' })],
    ['incidents: kind, severity, impact and text', () => list(busy)],
    ['incidents: one policy', () => list({ alert_policy_ids: ['SCHEMA_DRIFTS'] })],
    ['distribution: all', () => days({})],
    ['distribution: text', () => days({ text_to_search: 'table 1' })],
    ['distribution: kind, severity, impact and text', () => days(busy)],
    ['summary', async () => (await incidents.summary()).total],
    [
      'alerts of an incident (30 uploads)',
      async () =>
        (await alerts.byFilters({ sources: [assetId(7)], upload_dates: dates, violation_names: ['FEATURE.1', 'FEATURE.2'] })).length,
    ],
    ['alerts of a job', async () => (await alerts.ofJob({ source: assetId(7), job_id: `${assetId(7)}-3` })).length],
    [`the points of ${SCANS} scans, by series`, async () => (await metricPoints.recent(assetId(0), { scans: SCANS })).length],
    ['where the policies of an asset stand', async () => (await incidents.trackedOfAsset(assetId(7))).length],
    ['an incident in detail', async () => (await incidents.get(INCIDENTS - 1)).metrics.length],
  ];
}
