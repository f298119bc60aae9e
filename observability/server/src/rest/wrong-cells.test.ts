// SPDX-License-Identifier: Apache-2.0
import type { Monitor, SuggestedRule, WrongCell } from '@sextant/contracts-observability';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { requireFollowable } from '../operations/asset-options.ts';
import { type TestService, testService } from '../testing/test-service.ts';

let service: TestService;
let admin: { readonly [name: string]: string };
beforeAll(async () => {
  service = await testService();
  admin = await service.login();
});
afterAll(async () => service[Symbol.asyncDispose]());

const CITIES = ['Hamburg', 'Lyon', 'Bilbao', 'Torino', 'Leeds', 'Gdansk', 'Graz', 'Porto'];
const COUNTRIES = ['Germany', 'France', 'Spain', 'Italy', 'England', 'Poland', 'Austria', 'Portugal'];

/** Orders in which one city is misspelled and one country is another's. */
function orders(): string {
  const rows = Array.from({ length: 600 }, (_, index) => {
    const city = (index * 7 + (index >> 3)) % CITIES.length;
    return [`A-${1000 + index}`, CITIES[city], COUNTRIES[city]];
  });
  rows[16] = ['A-1016', 'Bilbaoo', 'Spain'];
  rows[200] = [rows[200]?.[0], rows[200]?.[1], 'Polnad'];
  return `code,city,country\n${rows.map((row) => `${row.join(',')}\n`).join('')}`;
}

async function asset(name: string, options: object = { id_attributes: ['code'], find_wrong_cells: 'true' }): Promise<string> {
  const upload = await service.call('POST', `/default/uploads?name=${name}.csv`, orders(), { ...admin, 'content-type': 'text/csv' });
  const { payload } = upload.body as { payload: object };
  const body = { name, type: 'UPLOAD', payload, options };
  const created = await service.call('POST', '/api/backend/default/configuration/projects/0/assets', body, admin);
  expect(created).toMatchObject({ status: 200, body: { options } });
  const { id } = created.body as { id: string };
  await service.call('PUT', `/api/backend/default/configuration/assets/${id}/attributes`, { all: true }, admin);
  return id;
}

async function scan(id: string): Promise<string> {
  const { body } = await service.call('POST', `/default/assets/${id}/batch_data`, undefined, admin);
  const { job_id } = body as { job_id: string };
  expect(await service.untilEnded(job_id, admin)).toMatchObject({ status: 'FINISHED' });
  return job_id;
}

const cellsOf = (id: string, query = '') => service.call('GET', `/api/backend/default/assets/${id}/wrong-cells${query}`, undefined, admin);
const rulesOf = (id: string) => service.call('GET', `/api/backend/default/assets/${id}/suggested-rules`, undefined, admin);
const say = (id: string, cell: string, verdict: unknown) =>
  service.call('PUT', `/api/backend/default/assets/${id}/wrong-cells/${cell}/verdict`, { verdict }, admin);

type Cells = { readonly cells: readonly WrongCell[] };

test('cells that look wrong are listed, and what a person says of them counts in the next scan', async () => {
  const id = await asset('orders');
  expect(await cellsOf(id)).toMatchObject({ status: 200, body: { job_id: null, rows_checked: null, cells_found: null, cells: [] } });
  const first = await scan(id);
  const { cells } = (await cellsOf(id)).body as Cells;
  expect((await cellsOf(id)).body).toMatchObject({ job_id: first, rows_checked: 600, cells_found: 2 });
  expect(
    cells
      .map(({ attribute, record_id, value, repair, verdict }) => [attribute, record_id, value, repair, verdict])
      .toSorted((one, other) => String(one[0]).localeCompare(String(other[0]))),
  ).toEqual([
    ['city', 'A-1016', 'Bilbaoo', 'Bilbao', null],
    ['country', 'A-1200', 'Polnad', expect.anything(), null],
  ]);
  expect(((await cellsOf(id, '?attribute=city&limit=5')).body as Cells).cells).toHaveLength(1);
  const city = cells.find(({ attribute }) => attribute === 'city');
  expect(await say(id, city?.id ?? '', 'RIGHT')).toMatchObject({ status: 200, body: { id: city?.id, verdict: 'RIGHT' } });
  expect(JSON.stringify((await cellsOf(id)).body)).not.toContain('valueKey');
  await scan(id);
  expect(((await cellsOf(id)).body as Cells).cells.map(({ attribute }) => attribute)).toEqual(['country']);
  const audit = await service.call('GET', `/api/backend/default/audit?subject_type=ASSET&subject_id=${id}`, undefined, admin);
  expect(audit.body).toContainEqual(expect.objectContaining({ action: 'UPDATED', details: { attribute: 'city', cell_verdict: 'RIGHT' } }));
});

test('a verdict can be taken back, and is refused for a cell that is not proposed', async () => {
  const id = await asset('orders again');
  await scan(id);
  const [cell] = ((await cellsOf(id)).body as Cells).cells;
  await say(id, cell?.id ?? '', 'WRONG');
  expect((await say(id, cell?.id ?? '', null)).body).toMatchObject({ verdict: null });
  expect(await say(id, 'gone', 'RIGHT')).toMatchObject({ status: 404, body: { message: 'Proposed cell not found: gone' } });
  expect(await say(id, cell?.id ?? '', 'PERHAPS')).toMatchObject({ status: 400, body: { message: expect.stringContaining('verdict') } });
});

test('a suggested rule becomes a monitor, once', async () => {
  const id = await asset('orders with rules');
  await scan(id);
  const { rules } = (await rulesOf(id)).body as { readonly rules: readonly SuggestedRule[] };
  const rule = rules.find(({ description }) => description === 'city determines country');
  expect(rule).toMatchObject({ monitor_id: null, exceptions: 1 });
  const accept = (body?: object) =>
    service.call('POST', `/api/backend/default/assets/${id}/suggested-rules/${rule?.id ?? ''}/accept`, body, admin);
  const monitor = (await accept({ name: 'Cities lie in their countries' })).body as Monitor;
  expect(monitor).toMatchObject({ type: 'RULE', name: 'Cities lie in their countries', monitor: { expression: rule?.expression } });
  expect((await accept()).body).toMatchObject({ id: monitor.id });
  expect((await rulesOf(id)).body).toMatchObject({ rules: expect.arrayContaining([expect.objectContaining({ monitor_id: monitor.id })]) });
  const job = await scan(id);
  const again = ((await rulesOf(id)).body as { readonly rules: readonly SuggestedRule[] }).rules.find((each) => each.id === rule?.id);
  expect(again?.history.map(({ support, exceptions }) => [support, exceptions])).toEqual([
    [rule?.support, 1],
    [rule?.support, 1],
  ]);
  const samples = await service.call('GET', `/api/backend/default/jobs/${job}/samples?monitor_id=${monitor.id}`, undefined, admin);
  expect(samples.body).toMatchObject([{ record_id: 'A-1200' }]);
  const gone = await service.call('POST', `/api/backend/default/assets/${id}/suggested-rules/gone/accept`, undefined, admin);
  expect(gone).toMatchObject({ status: 404, body: { message: 'Suggested rule not found: gone' } });
});

test('the share of wrong cells is a metric of each attribute', async () => {
  const id = await asset('orders measured');
  await scan(id);
  const metrics = await service.call('GET', `/default/metrics?asset_id=${id}&metric_name=WRONG_CELLS`, undefined, admin);
  const shares = (metrics.body as { attribute: string; value: number }[]).map(({ attribute, value }) => [attribute, value]);
  expect(Object.fromEntries(shares)).toEqual({ code: 0, city: expect.closeTo(100 / 600), country: expect.closeTo(100 / 600) });
});

test('a table of a database says that it cannot be searched when it is asked to be', () => {
  const refused = () => requireFollowable({ type: 'POSTGRESQL', payload: {}, options: { find_wrong_cells: 'true' } }, undefined);
  expect(refused).toThrow('options.find_wrong_cells: scans search only files for wrong cells');
  expect(() => requireFollowable({ type: 'VECTOR_COLLECTION', payload: {}, options: { find_wrong_cells: 'true' } }, undefined)).toThrow(
    'options.find_wrong_cells',
  );
  expect(() => requireFollowable({ type: 'UPLOAD', payload: {}, options: { find_wrong_cells: 'true' } }, undefined)).not.toThrow();
});
