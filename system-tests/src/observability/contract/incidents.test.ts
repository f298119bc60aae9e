/** "Incidents" and "Alerts" of the specification: how they are asked, and what is refused. What scans raise is tested in ../incidents. */
import { afterAll, describe, expect, test } from 'vitest';
import { scan, uploadAsset } from '../scanning.ts';
import { startServiceUnderTest } from './service-under-test.ts';
import { assertRefused } from './wire.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, anonymous, api } = service;

const INCIDENTS = '/api/backend/default/incidents';

describe('GET incidents', () => {
  test('is an array', async () => {
    expect(await admin.get(INCIDENTS)).toMatchObject({ status: 200, body: [] });
  });

  test.each([
    'project_ids=0,1',
    'connection_types=S3,UPLOAD',
    'alert_policy_ids=4,RECORD_COUNT_DRIFTS',
    'severities=LOW,MEDIUM,HIGH',
    'impacts=HIGH',
    'connection_ids=conn-123,7',
    'from_time=2026-01-01T00:00:00.000Z&to_time=2026-02-01T00:00:00Z',
    'from_time=2026-01-01T00:00:00%2B02:00',
    'text_to_search=caf%C3%A9%20%25_',
    'project_ids=&severities=&text_to_search=',
    'limit=10&offset=5',
  ])('filters by %s', async (query) => {
    for (const path of [INCIDENTS, ...(query.includes('limit') ? [] : [`${INCIDENTS}/distribution`])]) {
      expect((await admin.get(`${path}?${query}`)).status).toBe(200);
    }
  });

  test.each([
    ['project_ids=a', /project_ids/],
    ['project_ids=1.5', /project_ids/],
    ['severities=CRITICAL', /severities.*LOW, MEDIUM or HIGH/],
    ['impacts=low', /impacts/],
    ['from_time=yesterday', /from_time.*ISO 8601/],
    ['from_time=2026-02-02T00:00:00Z&to_time=2026-02-01T00:00:00Z', /from_time/],
    ['from_time=2026-02-30T00:00:00Z', /from_time/],
    ['severity=HIGH', /severity/],
  ])('refuses %s and names the parameter', async (query, sentence) => {
    for (const path of [INCIDENTS, `${INCIDENTS}/distribution`]) assertRefused(await admin.get(`${path}?${query}`), 400, sentence);
  });

  test('of one id is 404 where there is none, and 404 or 400 where the id is no integer', async () => {
    assertRefused(await admin.get(`${INCIDENTS}/2411`), 404, /2411/);
    expect([400, 404]).toContain((await admin.get(`${INCIDENTS}/abc`)).status);
    expect([400, 404]).toContain((await admin.get(`${INCIDENTS}/99999999999999999999`)).status);
  });

  test('asks for a credential', async () => {
    for (const path of ['', '/distribution', '/summary', '/1']) assertRefused(await anonymous.get(INCIDENTS + path), 401, /credential/);
  });
});

test('the distribution has a member incidents, one row a day', async () => {
  const reply = await admin.get(`${INCIDENTS}/distribution?from_time=2026-01-01T00:00:00Z&to_time=2026-01-03T12:00:00Z`);
  const counts = { LOW: 0, MEDIUM: 0, HIGH: 0 };
  const day = (date: string) => ({ date, counts: { ...counts, '': 0 }, counts_by_impact: counts });
  expect(reply).toMatchObject({ status: 200, body: { incidents: [day('2026-01-01'), day('2026-01-02'), day('2026-01-03')] } });
});

test('the summary has every figure', async () => {
  const { status, body } = await admin.get(`${INCIDENTS}/summary`);
  expect(status).toBe(200);
  expect(body).toEqual({
    total: 0,
    open: 0,
    closed: 0,
    mean_time_to_resolve: 0,
    previous_mean_time_to_resolve: 0,
    open_by_tag: {},
    closed_by_tag: {},
  });
});

describe('POST alerts/by_filters', () => {
  const path = '/api/backend/default/configuration/alerts/by_filters';

  test('answers an array', async () => {
    const body = { sources: ['xfjdhg4h'], upload_dates: ['2026-01-31T12:00:00.000Z'], violation_names: ['FEATURE.12'] };
    expect(await admin.post(path, body)).toMatchObject({ status: 200, body: [] });
    expect(await admin.post(path, { sources: [], upload_dates: [], violation_names: [] })).toMatchObject({ status: 200, body: [] });
  });

  test.each([
    [{}, /sources|upload_dates|violation_names/],
    [{ sources: 'a', upload_dates: [], violation_names: [] }, /sources/],
    [{ sources: [], upload_dates: ['today'], violation_names: [] }, /upload_dates\[0\]/],
    [{ sources: [], upload_dates: [], violation_names: [7] }, /violation_names\[0\]/],
  ])('refuses %j and names the member', async (body, sentence) => {
    assertRefused(await admin.post(path, body), 400, sentence);
  });
});

test('POST sources/{source}/alerts?job_id answers the alerts of a job, with and without the slash', async () => {
  const asset = await uploadAsset(api, { file: 'orders.csv', bytes: Buffer.from('id,total\n1,10\n2,20\n') });
  const job = await scan(api, asset.id);
  const sources = '/api/backend/default/configuration/sources';
  for (const path of [`${sources}/${asset.id}/alerts`, `${sources}/${asset.id}alerts`]) {
    expect(await admin.post(`${path}?job_id=${job.id}`, {})).toMatchObject({ status: 200, body: [] });
    assertRefused(await admin.post(`${path}?job_id=a${'0'.repeat(32)}`), 404, /job/i);
    assertRefused(await admin.post(path), 400, /job_id/);
  }
  assertRefused(await admin.post(`${sources}/nothing/alerts?job_id=${job.id}`), 404, /nothing/);
});
