// SPDX-License-Identifier: Apache-2.0
/** Scans over HTTP: from bytes to metrics, samples and schema changes; jobs, their states and their webhooks. */
import { createServer } from 'node:http';
import { afterAll, describe, expect, test } from 'vitest';
import { until } from '../../until.ts';
import { DEFAULT_PROJECT, measured, scan, scanned, uploadAsset } from '../scanning.ts';
import { sharedServiceUnderTest } from './service-under-test.ts';
import { assertRefused, bodyOf, ISO_TIME } from './wire.ts';

const service = await sharedServiceUnderTest();
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

test('a scan measures a file', async () => {
  const asset = await uploadAsset(api, { file: 'people.tsv', bytes: delimited('\t'), options: { id_attributes: ['id'] } });
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

describe('jobs', () => {
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
        expect.objectContaining({
          tenant: api.tenant,
          source: asset.id,
          jobId: job.id,
          status: 'IN_PROGRESS',
          details: expect.any(String),
        }),
      );
      expect(calls.at(-1)).toMatchObject({ tenant: api.tenant, source: asset.id, jobId: job.id, status: 'FINISHED' });
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
