// SPDX-License-Identifier: Apache-2.0
/** Scores and reports of real scans, over real HTTP and a store that speaks the protocol of S3. */
import { readdir } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import type { CurrentScore, ScoreHistoryItem, ScorePart } from '@sextant/contracts-observability';
import { createOutboundGuard } from '@sextant/foundation-service';
import { systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { createConnectors, type OpenConnection } from '@sextant/observability-connectors';
import S3rver from 's3rver';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestService, testService } from '../testing/test-service.ts';

const BACKEND = '/api/backend/default';
const ROWS = 'id,city,age\n1,Rome,30\n2,,-5\n3,Oslo,200\n4,Bern,\n';

let service: TestService;
let admin: { readonly [name: string]: string };
let files: TemporaryDirectory;
let s3: S3rver;
let store: Omit<OpenConnection, 'id'>;
let assetId: string;
let ruleId: string;

async function call<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const headers = typeof body === 'string' ? { ...admin, 'content-type': 'text/csv' } : admin;
  const reply = await service.call(method, path, body, headers);
  expect([path, reply]).toMatchObject([path, { status: 200 }]);
  return reply.body as Body;
}

beforeAll(async () => {
  service = await testService({ environment: { OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' } });
  admin = await service.login();
  files = await temporaryDirectory();
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: files.path,
    configureBuckets: [{ name: 'reports', configs: [] }],
  });
  const { port }: AddressInfo = await s3.run();
  const credential = { type: 'AWS', payload: { access_key: 'S3RVER', secret_key: 'S3RVER' } } as const;
  store = { type: 'S3', payload: { bucket: 'reports', endpoint: `http://127.0.0.1:${port}` }, credential };
  const { payload } = await call<{ payload: object }>('POST', '/default/uploads?name=people.csv', ROWS);
  const asset = { name: 'people', type: 'UPLOAD', payload, options: { id_attributes: ['id'] } };
  ({ id: assetId } = await call<{ id: string }>('POST', `${BACKEND}/configuration/projects/0/assets`, asset));
  await call('PUT', `${BACKEND}/configuration/assets/${assetId}/attributes`, { all: true });
  ({ id: ruleId } = await call<{ id: string }>('POST', `/default/configuration/assets/${assetId}/monitors`, {
    type: 'RULE',
    name: 'ages',
    enabled: true,
    monitor: { expression: 'VALIDATE age EXPECT NUMERIC_VALUE IN_RANGE (0, 120)', options: { ignore_nulls: true } },
    threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: 100 },
  }));
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await s3.close();
  await files[Symbol.asyncDispose]();
});

async function scan(): Promise<string> {
  const { job_id } = await call<{ job_id: string }>('POST', `/default/assets/${assetId}/batch_data`);
  expect(await service.untilEnded(job_id, admin)).toMatchObject({ status: 'FINISHED' });
  return job_id;
}

const score = () => call<CurrentScore>('GET', `${BACKEND}/assets/${assetId}/dq_score`);
const history = (query = '') => call<readonly ScoreHistoryItem[]>('GET', `${BACKEND}/assets/${assetId}/dq_score/history${query}`);
const valuesOf = (parts: readonly ScorePart[]) => Object.fromEntries(parts.map(({ dimension, value }) => [dimension, value]));

type IncidentOptions = { readonly id?: number; readonly severity?: 'LOW' | 'HIGH'; readonly attribute?: string | null };

/** Opens and closes incidents past the monitors, as they would. */
async function incident(policy: string, { id, severity = 'HIGH', attribute = null }: IncidentOptions = {}): Promise<number> {
  await using store = await service.openStore();
  const { incidents } = store.forTenant('default');
  const time = new Date().toISOString();
  if (id !== undefined) return (await incidents.advance(id, { timestamp: time, state: 'RESOLVED', alert_refs: [] })).id;
  const opened = await incidents.open({
    asset_id: assetId,
    last_upload_timestamp: time,
    created_time: time,
    severity,
    impact: '',
    alert_policy_id: policy,
    alert_policy_name: policy,
    description: '',
    tags: [],
    metrics: [
      { metric_name: 'FRESHNESS', metric_aggregation: 'min', display_metric_name: 'Freshness', segment: null, rule: null, attribute },
    ],
    history: { timestamp: time, state: 'NEW', alert_refs: [] },
  });
  return opened.id;
}

describe('the score of an asset', () => {
  test('is none before the first scan', async () => {
    expect(await score()).toEqual({
      asset_id: assetId,
      state: 'not_scanned',
      score: null,
      band: null,
      job_id: null,
      metric_time: null,
      parts: [],
      deduction: 0,
      cap: null,
      change: null,
    });
    expect(await history()).toEqual([]);
  });

  test('is what its last scan measured, with the parts that make it up', async () => {
    const job_id = await scan();
    const current = await score();
    // Completeness: (100 + 75 + 75) / 3; accuracy: one of the three ages that are there.
    expect(valuesOf(current.parts)).toEqual({
      completeness: expect.closeTo(250 / 3, 8),
      accuracy: expect.closeTo(100 / 3, 8),
      consistency: 100,
      timeliness: 100,
    });
    expect(current).toMatchObject({ asset_id: assetId, state: 'scored', band: 'good', job_id, change: null });
    expect(current.score).toBeCloseTo((250 / 3 + 100 / 3 + 200) / 4, 8);
    expect(current.parts.reduce((sum, { contribution }) => sum + contribution, 0)).toBeCloseTo(current.score ?? 0, 8);
    expect(current.parts[1]).toMatchObject({
      dimension: 'accuracy',
      weight: 0.25,
      measured_from: {
        sentence: '1 rule is measured: 33.33 % pass on average.',
        metrics: [{ metric_name: 'CORRECTNESS', monitor_id: ruleId }],
      },
    });
    expect(await history()).toMatchObject([{ job_id, score: current.score, band: 'good', parts: current.parts, change: null }]);
  });

  test('counts an incident as soon as it opens, and no longer once it closes; the history stays', async () => {
    const before = await score();
    const id = await incident('FRESHNESS_DRIFTS', { severity: 'LOW' });
    const during = await score();
    expect(valuesOf(during.parts)).toMatchObject({ consistency: 95, timeliness: 0 });
    expect(during.parts[3]?.measured_from.incident_ids).toEqual([id]);
    expect(during.score).toBeCloseTo((before.score ?? 0) - 1.25 - 25, 8);
    expect((await history()).at(-1)?.score).toBe(before.score);
    await incident('FRESHNESS_DRIFTS', { id });
    expect(await score()).toEqual(before);
  });

  test('is capped while an incident of high severity is open, by the share of the asset that it touches', async () => {
    const before = await score();
    const id = await incident('SCHEMA_DRIFTS');
    const whole = await score();
    expect(whole).toMatchObject({ score: 50, band: 'poor', cap: { score: 50, incident_id: id } });
    expect(valuesOf(whole.parts)).toMatchObject({ consistency: 50 });
    expect(whole.parts.reduce((sum, { contribution }) => sum + contribution, 0) - whole.deduction).toBeCloseTo(50, 8);
    expect(whole.parts[2]?.measured_from.incidents).toEqual([{ id, severity: 'HIGH', touched_share: 1, lost: 50 }]);
    await incident('SCHEMA_DRIFTS', { id });
    const column = await incident('COMPLETENESS_DRIFTS', { attribute: 'city' });
    expect(await score()).toMatchObject({ cap: { score: 76, incident_id: column } });
    await incident('COMPLETENESS_DRIFTS', { id: column });
    expect(await score()).toEqual(before);
  });

  test('says what changed it: the differences add up', async () => {
    const [first] = await history();
    await scan();
    const id = await incident('SCHEMA_DRIFTS', { severity: 'LOW', attribute: 'city' });
    const { change, score: now } = await score();
    await incident('SCHEMA_DRIFTS', { id });
    expect(change).toMatchObject({ since: first?.metric_time, from_score: first?.score });
    expect(change?.parts).toMatchObject([
      { difference: 0 },
      { difference: 0 },
      { dimension: 'consistency', difference: -1.25 },
      { difference: 0 },
    ]);
    expect(change?.difference).toBeCloseTo((now ?? 0) - (first?.score ?? 0), 8);
    expect((await history()).map((item) => item.change?.difference ?? null)).toEqual([null, 0]);
  });

  test('follows the weights at once, and is none while it is disabled', async () => {
    const path = `${BACKEND}/configuration/assets/${assetId}/dq_score`;
    await call('PUT', path, { enabled: true, weights: { completeness: 0, accuracy: 3, consistency: 0, timeliness: 1 } });
    // (3 * 33.3 + 1 * 100) / 4 = 50
    expect(await score()).toMatchObject({ score: expect.closeTo(50, 8), band: 'poor' });
    await call('PUT', path, { enabled: false, weights: { completeness: 1, accuracy: 1, consistency: 1, timeliness: 1 } });
    expect(await score()).toMatchObject({ state: 'disabled', score: null, band: null, parts: [], change: null });
    const scored = (await history()).length;
    await scan();
    expect(await history()).toHaveLength(scored);
    await call('DELETE', path);
    expect(await score()).toMatchObject({ state: 'scored', band: 'good', change: { difference: 0 } });
  });

  test('has a history that a period and a limit cut', async () => {
    const all = await history();
    const [first, second] = all;
    expect(all).toHaveLength(2);
    expect(await history(`?to_time=${first?.metric_time}`)).toEqual([first]);
    expect(await history(`?from_time=${second?.metric_time}`)).toMatchObject([{ job_id: second?.job_id, change: null }]);
    expect(await history('?limit=1')).toMatchObject([{ job_id: second?.job_id }]);
  });

  test.each([
    ['?from_time=yesterday', 'from_time'],
    ['?from_time=2026-01-02&to_time=2026-01-01', 'from_time'],
    ['?limit=-1', 'limit'],
    ['?colour=red', 'colour'],
  ])('has a history that refuses %s', async (query, place) => {
    const reply = await service.call('GET', `${BACKEND}/assets/${assetId}/dq_score/history${query}`, undefined, admin);
    expect(reply).toMatchObject({ status: 400, body: { message: expect.stringContaining(place) } });
  });

  test.each(['dq_score', 'dq_score/history'])('at %s of an unknown asset is 404', async (path) => {
    expect(await service.call('GET', `${BACKEND}/assets/unknown/${path}`, undefined, admin)).toMatchObject({ status: 404 });
  });

  test('stands in the list of all assets', async () => {
    const unscanned = { name: 'another', type: 'UPLOAD', payload: {} };
    const { id } = await call<{ id: string }>('POST', `${BACKEND}/configuration/projects/0/assets`, unscanned);
    const { score: now, band, metric_time } = await score();
    expect(await call('GET', `${BACKEND}/dq_scores`)).toEqual([
      { asset_id: id, asset_name: 'another', project_id: 0, state: 'not_scanned', score: null, band: null, metric_time: null },
      { asset_id: assetId, asset_name: 'people', project_id: 0, state: 'scored', score: now, band, metric_time },
    ]);
  });
});

describe('an asset', () => {
  const upload = async (name: string, text: string) =>
    (await call<{ payload: object }>('POST', `/default/uploads?name=${name}`, text)).payload;
  const created = async (name: string, text: string) => {
    const asset = { name, type: 'UPLOAD', payload: await upload(`${name}.csv`, text) };
    const { id } = await call<{ id: string }>('POST', `${BACKEND}/configuration/projects/0/assets`, asset);
    await call('PUT', `${BACKEND}/configuration/assets/${id}/attributes`, { all: true });
    return id;
  };
  const scanned = async (id: string) => {
    const { job_id } = await call<{ job_id: string }>('POST', `/default/assets/${id}/batch_data`);
    await expect.poll(async () => (await call<{ status: string }>('GET', `${BACKEND}/jobs/${job_id}`)).status).toBe('FINISHED');
    return call<CurrentScore>('GET', `${BACKEND}/assets/${id}/dq_score`);
  };

  test('of an empty delivery is incomplete', async () => {
    const id = await created('empty', 'id,city\n1,Rome\n');
    expect(valuesOf((await scanned(id)).parts)).toMatchObject({ completeness: 100, accuracy: null });
    const payload = await upload('empty.csv', 'id,city\n');
    await call('PUT', `${BACKEND}/configuration/projects/0/assets/${id}`, { payload });
    const { parts, score: now } = await scanned(id);
    expect(valuesOf(parts)).toMatchObject({ completeness: 0 });
    expect(now).toBeLessThan(75);
  });

  test('that is scanned lightly is neither right nor wrong by its rules', async () => {
    const id = await created('light', 'id,city\n1,Rome\n2,\n');
    const monitor = { expression: 'VALIDATE city EXPECT LENGTH >= 1', options: { ignore_nulls: false } };
    await call('POST', `/default/configuration/assets/${id}/monitors`, { type: 'RULE', name: 'cities', enabled: true, monitor });
    expect(valuesOf((await scanned(id)).parts)).toMatchObject({ completeness: 75, accuracy: 50 });
    await call('PUT', `${BACKEND}/configuration/projects/0/assets/${id}`, { options: { only_light_scan: 'true' } });
    expect(valuesOf((await scanned(id)).parts)).toMatchObject({ completeness: null, accuracy: null });
  });

  test('whose rule cannot be measured does not get full marks for it', async () => {
    const id = await created('errored', 'id,city\n1,Rome\n');
    const { id: rule } = await call<{ id: string }>('POST', `/default/configuration/assets/${id}/monitors`, {
      type: 'RULE',
      name: 'cities',
      enabled: true,
      monitor: { expression: 'VALIDATE city EXPECT LENGTH >= 1', options: { ignore_nulls: false } },
      threshold: { threshold_type: 'STATIC', threshold1: 0, threshold2: 100 },
    });
    const payload = await upload('errored.csv', 'id,town\n1,Rome\n');
    await call('PUT', `${BACKEND}/configuration/projects/0/assets/${id}`, { payload });
    const { parts } = await scanned(id);
    expect(parts[1]).toMatchObject({
      dimension: 'accuracy',
      value: 0,
      measured_from: { metrics: [{ monitor_id: rule, value: null, lost: 100 }] },
    });
  });
});

describe('the report of a scan', () => {
  const path = '/default/configuration/dq_reporting';

  async function objects(): Promise<readonly string[]> {
    const found = await readdir(join(files.path, 'reports'), { recursive: true });
    return found.filter((name) => name.endsWith('_object')).map((name) => name.replace('._S3rver_object', ''));
  }

  /** A folder is there when something is in it. */
  async function makeFolder(folder: string): Promise<void> {
    const outbound = createOutboundGuard({ allowPrivateNetworks: true });
    const connectors = await createConnectors({ uploads: { directory: join(files.path, 'uploads') }, outbound, clock: systemClock });
    await connectors.objectStoreOf('S3').write({ id: 1, ...store }, `${folder}/.keep`, Buffer.from(''), AbortSignal.timeout(10_000));
    outbound.close();
  }

  test('lies in the store of the tenant, one row for each enabled monitor; none while reporting is disabled', async () => {
    const { id: connection_id } = await call<{ id: number }>('POST', `${BACKEND}/configuration/connections`, { name: 'lake', ...store });
    await makeFolder('dq');
    await call('PUT', path, { enabled: false, path: 'dq', connection_id });
    await scan();
    expect(await objects()).toEqual(['dq/.keep']);

    await call('PUT', path, { enabled: true, path: 'dq', connection_id });
    const job_id = await scan();
    const { end_time } = await call<{ end_time: string }>('GET', `${BACKEND}/jobs/${job_id}`);
    const key = `dq/scan_date=${end_time.slice(0, 10)}/${assetId}_${job_id}.parquet`;
    await expect.poll(objects).toEqual(expect.arrayContaining([key]));
    expect((await objects()).length).toBe(2);

    const rows = await readParquet(join(files.path, 'reports', `${key}._S3rver_object`));
    const monitors = await call<readonly { id: string; enabled: boolean }[]>('GET', `/default/configuration/assets/${assetId}/monitors`);
    expect(rows).toHaveLength(monitors.filter(({ enabled }) => enabled).length);
    const of = (number: number) => rows.find(([, , monitor]) => monitor === String(number))?.slice(4);
    expect(new Set(rows.map((row) => JSON.stringify([row[0], row[1], row[3]])))).toEqual(
      new Set([JSON.stringify(['0', assetId, String(Date.parse(end_time))])]),
    );
    // Of three ages two are out of range; one city and one age of four are missing.
    expect(of(Number(ruleId))).toEqual([2, 3, 'id', expect.arrayContaining(['2', '3']), 'ok', null]);
    const waits = ['not_enough_history', expect.stringContaining('too few scans')];
    expect(of(-5)).toEqual([2, 4, 'id', expect.arrayContaining(['2', '3']), ...waits]);
    expect(of(-4)).toEqual([1, 4, 'id', [], ...waits]);
    expect(of(-6)).toEqual([0, 4, 'id', [], ...waits]);
    expect(of(-9)).toEqual([null, 4, 'id', [], 'ok', null]);
  });
});

async function readParquet(file: string): Promise<readonly (readonly unknown[])[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `SELECT * REPLACE (epoch_ms(scan_timestamp) AS scan_timestamp) FROM read_parquet('${file}', hive_partitioning = false)`,
  );
  connection.closeSync();
  return reader.getRowsJson();
}
