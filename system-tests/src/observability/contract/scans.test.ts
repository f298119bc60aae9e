/** Scans over HTTP: from bytes to metrics, samples and schema changes; jobs, their states and their webhooks. */
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../until.ts';
import { DEFAULT_PROJECT, measured, scan, scanned, untilEnded, uploadAsset } from '../scanning.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused, bodyOf, ISO_TIME } from './wire.ts';

const service = await startServiceUnderTest({ OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' });
afterAll(() => service[Symbol.asyncDispose]());
const { admin, api } = service;

/** Ten people: an id twice, two without a city, one with an empty one, three with an e-mail address in their note. */
const PEOPLE = [
  { id: 1, name: 'Ann', city: 'Bern', age: 30, note: 'ann@example.com' },
  { id: 2, name: 'Bo', city: 'Bern', age: 40, note: 'fine' },
  { id: 3, name: 'Cem', city: 'Rome', age: 50, note: 'c.em@example.org' },
  { id: 4, name: 'Dora', city: null, age: 60, note: 'fine' },
  { id: 5, name: 'Émile', city: 'Rome', age: 20, note: 'fine' },
  { id: 6, name: 'Fay', city: null, age: -1, note: 'write to fay@example.net' },
  { id: 7, name: 'Gül', city: '', age: 35, note: 'fine' },
  { id: 8, name: 'Hal', city: 'Oslo', age: 45, note: 'fine' },
  { id: 9, name: 'Ida', city: 'Oslo', age: 55, note: 'fine' },
  { id: 9, name: 'Jo', city: 'Oslo', age: 25, note: 'fine' },
];

const COLUMNS = ['id', 'name', 'city', 'age', 'note'] as const;

/** Null is nothing at all between two separators, the empty text a pair of quotes. */
function delimited(separator: string): Buffer {
  const field = (value: string | number | null) => (value === null ? '' : value === '' ? '""' : String(value));
  const lines = PEOPLE.map((person) => COLUMNS.map((column) => field(person[column])).join(separator));
  return Buffer.from(`${[COLUMNS.join(separator), ...lines].join('\n')}\n`);
}

const ndjson = Buffer.from(PEOPLE.map((person) => JSON.stringify(person)).join('\n'));

describe('a scan measures the same of', () => {
  test.each([
    ['people.csv', delimited(',')],
    ['people.tsv', delimited('\t')],
    ['people.ndjson', ndjson],
    ['people.json', Buffer.from(JSON.stringify(PEOPLE, null, 2))],
    ['people.csv.gz', gzipSync(delimited(','))],
    ['people.ndjson.gz', gzipSync(ndjson)],
  ])('%s', async (file, bytes) => {
    const asset = await uploadAsset(api, { file, bytes, options: { id_attributes: ['id'] } });
    const { found } = await scanned(api, asset.id);
    expect(found.value('RECORD_COUNT')).toBe(10);
    expect(found.value('NULL_PERCENTAGE', { attribute: 'city' })).toBe(20);
    expect(found.value('EMPTY_PERCENTAGE', { attribute: 'city' })).toBe(10);
    expect(found.value('COMPLETENESS', { attribute: 'city' })).toBe(70);
    expect(found.value('COMPLETENESS', { attribute: 'name' })).toBe(100);
    expect(found.value('COMPLETENESS')).toBe(94);
    expect(found.value('DISTINCT_COUNT', { attribute: 'id' })).toBe(9);
    // Two of ten share an id.
    expect(found.value('UNIQUENESS', { attribute: 'id' })).toBe(80);
    expect(found.value('UNIQUENESS')).toBe(80);
    expect(found.value('MIN', { attribute: 'age' })).toBe(-1);
    expect(found.value('MAX', { attribute: 'age' })).toBe(60);
    expect(found.value('MEAN', { attribute: 'age' })).toBeCloseTo(35.9, 9);
    expect(found.value('MEDIAN', { attribute: 'age' })).toBe(37.5);
    expect(found.value('LENGTH', { attribute: 'name', aggregation: 'max' })).toBe(5);
    expect(found.value('CONTAINS_PII', { attribute: 'note' })).toBe(30);
    expect(found.value('CONTAINS_PII', { attribute: 'name' })).toBe(0);
  });
});

test('segments are measured beside the whole', async () => {
  const options = { segments: { city: ['Oslo', '__null__'] } };
  const asset = await uploadAsset(api, { file: 'segments.ndjson', bytes: ndjson, options });
  const { found } = await scanned(api, asset.id);
  expect(found.value('RECORD_COUNT')).toBe(10);
  expect(found.value('RECORD_COUNT', { segment: 'city=Oslo' })).toBe(3);
  expect(found.value('RECORD_COUNT', { segment: 'city=__null__' })).toBe(2);
  expect(found.value('MEAN', { attribute: 'age', segment: 'city=Oslo' })).toBeCloseTo(125 / 3, 9);
});

test('a filter and a limit leave records out', async () => {
  const filtered = await uploadAsset(api, { file: 'filter.ndjson', bytes: ndjson, options: { filter: { city: ['Rome', 'Bern'] } } });
  expect((await scanned(api, filtered.id)).found.value('RECORD_COUNT')).toBe(4);
  const limited = await uploadAsset(api, { file: 'limit.ndjson', bytes: ndjson, options: { limit: 3 } });
  expect((await scanned(api, limited.id)).found.value('RECORD_COUNT')).toBe(3);
});

test('rules are measured, and the rows that fail them are kept with personal data masked', async () => {
  const asset = await uploadAsset(api, { file: 'rules.csv', bytes: delimited(','), options: { id_attributes: ['id'] } });
  const monitor = (name: string, expression: string) => ({
    type: 'RULE' as const,
    name,
    enabled: true,
    threshold: { threshold_type: 'ML' as const },
    monitor: { expression },
  });
  const grown = await api.call(
    'create_monitor',
    { asset_id: asset.id },
    { body: monitor('age', 'VALIDATE age EXPECT NUMERIC_VALUE IN_RANGE (0, 120)') },
  );
  const discreet = await api.call(
    'create_monitor',
    { asset_id: asset.id },
    { body: monitor('discreet', 'VALIDATE note EXPECT NOT CONTAINS_PII') },
  );
  const total = await api.call(
    'create_monitor',
    { asset_id: asset.id },
    { body: { ...monitor('span', ''), type: 'METRIC', monitor: { expression: 'max(`age`) - min(`age`)' } } },
  );
  const { job, found } = await scanned(api, asset.id);
  expect(found.points.find(({ monitor_id }) => monitor_id === grown.id)).toMatchObject({ metric_name: 'CORRECTNESS', value: 90 });
  expect(found.points.find(({ monitor_id }) => monitor_id === discreet.id)).toMatchObject({ metric_name: 'CORRECTNESS', value: 70 });
  expect(found.points.find(({ monitor_id }) => monitor_id === total.id)).toMatchObject({ metric_name: 'CUSTOM', value: 61 });

  const tooYoung = await api.call('list_samples', { job_id: job.id }, { query: { monitor_id: grown.id } });
  expect(tooYoung).toMatchObject([{ monitor_id: grown.id, record_id: '6', row: { id: '6', age: '-1' } }]);
  const indiscreet = await api.call('list_samples', { job_id: job.id }, { query: { monitor_id: discreet.id } });
  expect(new Set(indiscreet.map(({ record_id }) => record_id))).toEqual(new Set(['1', '3', '6']));
  expect(JSON.stringify([tooYoung, indiscreet])).not.toContain('@example');
});

test('a rule that cannot be measured is named, and the others are measured', async () => {
  const asset = await uploadAsset(api, { file: 'unmeasured.csv', bytes: delimited(',') });
  const body = {
    type: 'RULE',
    name: 'lost',
    enabled: true,
    threshold: { threshold_type: 'ML' },
    monitor: { expression: 'VALIDATE nothing EXPECT IS_NULL' },
  } as const;
  assertRefused(await admin.post(`/default/configuration/assets/${asset.id}/monitors`, body), 400, /nothing is no attribute of the asset/);
  const sum = { ...body, type: 'METRIC', monitor: { expression: 'SELECT sum(CAST(name AS INTEGER)) FROM asset', raw_sql: true } } as const;
  const { id } = await api.call('create_monitor', { asset_id: asset.id }, { body: sum });
  const { job, found } = await scanned(api, asset.id);
  expect(job).toMatchObject({ status: 'FINISHED', checks: { errored: 1 } });
  expect(job.details).toMatch(new RegExp(`Monitor ${id} could not be measured: .*Could not convert`));
  expect(found.value('RECORD_COUNT')).toBe(10);
});

test('a broken row is counted and kept as a sample, and the others are measured', async () => {
  const bytes = Buffer.from('id,total\n1,10\n2,20,30,40\n3,30\n4,40\n');
  const asset = await uploadAsset(api, { file: 'broken.csv', bytes });
  const { job, found } = await scanned(api, asset.id);
  expect(found.value('RECORD_COUNT')).toBe(3);
  expect(job.details).toMatch(/1 row was rejected/);
  expect(found.value('REJECTED_ROWS', { aggregation: 'ratio' })).toBe(25);
  expect(await api.call('list_samples', { job_id: job.id })).toHaveLength(1);
});

test('columns that come or go are reported by the next scan; types stay, and values that do not fit are counted', async () => {
  const asset = await uploadAsset(api, { file: 'schema.csv', bytes: Buffer.from('id,old,kept\n1,a,1\n') });
  const first = await scanned(api, asset.id);
  expect(await api.call('list_schema_changes', { job_id: first.job.id })).toEqual([]);
  const { payload } = await api.call('create_upload', {}, { query: { name: 'schema.csv' }, body: Buffer.from('id,new,kept\n1,a,x\n') });
  await api.call('update_asset', { project_id: DEFAULT_PROJECT, asset_id: asset.id }, { body: { payload } });
  const second = await scanned(api, asset.id);
  const changes = await api.call('list_schema_changes', { job_id: second.job.id });
  expect(changes.map(({ kind, attribute }) => `${kind} ${attribute}`).toSorted()).toEqual(['ADDED new', 'REMOVED old']);
  expect(second.found.value('TYPE_MISMATCH', { attribute: 'kept', aggregation: 'count' })).toBe(1);
});

describe('jobs', () => {
  test('are started and reported by the documented calls', async () => {
    const asset = await uploadAsset(api, { file: 'jobs.csv', bytes: delimited(',') });
    const started = await admin.post(`/api/data/default/assets/${asset.id}/batch_data`);
    expect(started).toMatchObject({ status: 200, body: { message: expect.any(String), job_id: expect.stringMatching(/^a[0-9a-f]{32}$/) } });
    const { job_id } = bodyOf<{ readonly job_id: string }>(started);
    const job = await untilEnded(api, job_id);
    expect(job).toMatchObject({
      id: job_id,
      asset_id: asset.id,
      status: 'FINISHED',
      start_time: expect.stringMatching(ISO_TIME),
      end_time: expect.stringMatching(ISO_TIME),
      progress: { phase: 'done', fraction: 1 },
    });
    const again = await scan(api, asset.id);
    const [newest, oldest, ...others] = await api.call('list_jobs', { asset_id: asset.id });
    expect([newest?.id, oldest?.id, others]).toEqual([again.id, job_id, []]);
    expect(oldest?.run_time).toMatchObject({ zero: false, negative: false, seconds: expect.any(Number), nano: expect.any(Number) });
    expect(await api.call('list_jobs', { asset_id: asset.id }, { query: { most_recent: 'true' } })).toMatchObject([{ id: again.id }]);
    assertRefused(await admin.post(`/api/backend/default/jobs/${job_id}/cancel`), 409, /ended/);
    assertRefused(await admin.post('/api/data/default/assets/nothing/batch_data'), 404, /nothing/);
    assertRefused(await admin.get(`/api/backend/default/jobs/a${'0'.repeat(32)}`), 404, /job/i);
  });

  test('say in the end how many rows they have read', async () => {
    const asset = await uploadAsset(api, { file: 'rows.csv', bytes: delimited(',') });
    expect((await scan(api, asset.id)).progress).toEqual({ phase: 'done', rows_read: 10, fraction: 1 });
  });

  test('of one asset run one after the other', async () => {
    const asset = await uploadAsset(api, { file: 'queue.csv', bytes: delimited(',') });
    const started = await Promise.all(Array.from({ length: 4 }, () => api.call('start_scan', { asset_id: asset.id })));
    const jobs = await Promise.all(started.map(({ job_id }) => untilEnded(api, job_id)));
    expect(jobs.map(({ status }) => status)).toEqual(Array.from({ length: 4 }, () => 'FINISHED'));
    const spans = jobs
      .map(({ start_time, end_time }) => [Date.parse(start_time ?? ''), Date.parse(end_time ?? '')] as const)
      .toSorted(([a], [b]) => a - b);
    for (const [index, [start]] of spans.entries()) expect(start).toBeGreaterThanOrEqual(spans[index - 1]?.[1] ?? 0);
  });

  test('fail with a sentence that says no path of the server when the source cannot be read', async () => {
    const upload = await api.call('create_upload', {}, { query: { name: 'torn.json' }, body: Buffer.from('[{"id": 1}, {"id": 2') });
    const body = { name: 'torn', type: 'UPLOAD', payload: upload.payload } as const;
    const created = await admin.post('/api/backend/default/configuration/projects/0/assets', body);
    // Either the service sees at once that the file cannot be read, or the scan says so.
    if (created.status !== 200) return assertRefused(created, 400, /JSON/i);
    const { id } = bodyOf<{ readonly id: string }>(created);
    const job = await scan(api, id);
    expect(job.status).toBe('FAILED');
    expect(job.details).toMatch(/JSON/i);
    expect(job.details).not.toMatch(/\/(?:tmp|var|home|proc)\//);
  });

  test('announce every state to their webhook', async () => {
    const calls: unknown[] = [];
    const receiver = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
      });
      request.on('end', () => {
        calls.push(JSON.parse(Buffer.concat(chunks).toString()));
        response.end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
    try {
      const address = receiver.address();
      if (address === null || typeof address === 'string') throw new Error('the receiver has no port');
      const asset = await uploadAsset(api, { file: 'webhook.csv', bytes: delimited(',') });
      const webhook = { webhook_url: `http://127.0.0.1:${address.port}/hook` };
      await api.call('update_asset', { project_id: DEFAULT_PROJECT, asset_id: asset.id }, { body: webhook });
      const job = await scan(api, asset.id);
      const isLast = (call: unknown) => typeof call === 'object' && call !== null && 'status' in call && call.status === 'FINISHED';
      await until('the webhook hears of the end', 120_000, async () => calls.find(isLast));
      expect(calls).toContainEqual(
        expect.objectContaining({ tenant: 'default', source: asset.id, jobId: job.id, status: 'IN_PROGRESS', details: expect.any(String) }),
      );
      expect(calls.at(-1)).toMatchObject({ tenant: 'default', source: asset.id, jobId: job.id, status: 'FINISHED' });
    } finally {
      receiver.closeAllConnections();
      receiver.close();
    }
  });
});

test('the history of a metric has one point for each scan, oldest first', async () => {
  const asset = await uploadAsset(api, { file: 'history.csv', bytes: delimited(',') });
  const first = await scanned(api, asset.id);
  const second = await scanned(api, asset.id);
  const query = { asset_id: asset.id, metric_name: 'RECORD_COUNT' };
  for (const path of ['/default/metrics', '/api/search/default/metrics']) {
    const { status, body } = await admin.get(`${path}?${new URLSearchParams(query)}`);
    expect(status).toBe(200);
    const bounds = { lower_bound: null, upper_bound: null, is_violation: false, is_excluded: false };
    expect(body).toMatchObject(
      [first, second].map(({ job }) => ({ job_id: job.id, value: 10, metric_time: expect.stringMatching(ISO_TIME), ...bounds })),
    );
  }
  const [point] = (await measured(api, first.job)).find('RECORD_COUNT', {});
  const later = await api.call(
    'list_metrics',
    {},
    { query: { ...query, from_time: new Date(Date.parse(point?.metric_time ?? '') + 1).toISOString() } },
  );
  expect(later.map(({ job_id }) => job_id)).toEqual([second.job.id]);
  assertRefused(await admin.get('/default/metrics'), 400, /asset_id/);
  assertRefused(await admin.get('/default/metrics?asset_id=nothing'), 404, /nothing/);
});
