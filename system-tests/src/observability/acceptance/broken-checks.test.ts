/**
 * Broken checks, one of each kind: for each of them the outcome is `errored`, right, or refused with a sentence, and never green. A check that was fine
 * when it was made breaks with the delivery `damaged` after it.
 */
import type { Check, CheckState } from '@sextant/contracts-observability';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { afterAll, describe, expect, test } from 'vitest';
import { environmentOf, sextant } from '../../clients/sextant.ts';
import { startServiceUnderTest } from '../contract/service-under-test.ts';
import { assertRefused } from '../contract/wire.ts';
import { scan, uploadAsset } from '../scanning.ts';

const service = await startServiceUnderTest();
afterAll(() => service[Symbol.asyncDispose]());
const { admin, api } = service;

const ROWS = ['1,Ann,10,2,2026-01-01,true', '2,Bo,20,4,2026-01-02,false', '3,Cem,30,5,2026-01-03,true'];
const HEADER = 'id,name,price,quantity,sold_on,is_paid';
const GOOD = csv(HEADER, ...ROWS);

function csv(...lines: readonly string[]): Buffer {
  return Buffer.from(`${lines.join('\n')}\n`);
}

let assets = 0;

async function newAsset(bytes: Buffer, options = {}) {
  assets += 1;
  return uploadAsset(api, { file: `orders-${assets}.csv`, bytes, options });
}

type Definition = { readonly type: 'RULE' | 'METRIC' | 'PREDEFINED_METRIC'; readonly monitor: object; readonly threshold?: object };

const rule = (expression: string, more = {}): Definition => ({ type: 'RULE', monitor: { expression, ...more } });
const STATED = { threshold_type: 'STATIC', threshold1: 0 };
const metric = (expression: string, more = {}): Definition => ({ type: 'METRIC', monitor: { expression, ...more }, threshold: STATED });
const sql = (expression: string): Definition => metric(expression, { raw_sql: true });
const watched = (predefined_metric: string, ...attributes: readonly string[]): Definition => ({
  type: 'PREDEFINED_METRIC',
  monitor: { predefined_metric, attributes },
  threshold: STATED,
});

const pathOf = (assetId: string) => `/${api.tenant}/configuration/assets/${assetId}/monitors`;

function create(assetId: string, definition: Definition) {
  return admin.post(pathOf(assetId), { name: 'broken', enabled: true, ...definition });
}

async function deliver(assetId: string, bytes: Buffer, options: object | undefined): Promise<void> {
  const { payload } = await api.call('create_upload', {}, { query: { name: 'next.csv' }, body: bytes });
  await api.call(
    'update_asset',
    { project_id: 0, asset_id: assetId },
    { body: { payload, ...(options === undefined ? {} : { options }) } },
  );
}

/** The state of the monitor after a scan, with all that must tell of it. */
async function checkAfterScan(assetId: string, monitorId: string) {
  const job = await scan(api, assetId);
  expect(job).toMatchObject({ status: 'FINISHED' });
  const checks = await api.call('list_job_checks', { job_id: job.id });
  const check = checks.find(({ monitor_id }) => monitor_id === monitorId);
  const incidents = await api.call('list_incidents', {}, { query: { asset_ids: assetId, alert_policy_ids: monitorId } });
  const alerts = await api.call('job_alerts', { asset_id: assetId }, { query: { job_id: job.id } });
  return { job, check, incidents, alerts: alerts.filter(({ policy_name }) => policy_name === 'broken') };
}

/** What is refused when it is made, with the sentence. */
const REFUSED: readonly (readonly [what: string, definition: Definition, sentence: RegExp])[] = [
  [
    'a rule about a column that is not there',
    rule('VALIDATE prize EXPECT IS_NUMBER'),
    /prize is no attribute.*did you mean price\?.*column 10/,
  ],
  ['a rule that compares with such a column', rule('VALIDATE price EXPECT VALUE > quantitty'), /did you mean quantity\?/],
  [
    'a rule whose variable refers to such a column',
    rule('VALIDATE x EXPECT IS_NUMBER', { variables: [{ name: 'x', type: 'REFERENCE', value: ['nme'] }] }),
    /did you mean name\?/,
  ],
  [
    'a rule that takes the year of a number',
    rule('VALIDATE year(price) EXPECT VALUE > 2000'),
    /expected a date or date-time, but this is a number/,
  ],
  ['a rule with a condition that is none', rule('VALIDATE CASE WHEN price THEN 1 ELSE 2 END EXPECT VALUE = 1'), /expected a condition/],
  ['a rule that compares a number with no number', rule("VALIDATE price EXPECT VALUE > 'cheap'"), /expected a number, but "cheap" is none/],
  ['a rule that is no text of the language', rule('VALIDATE price EXPECTS NOTHING'), /line 1, column 16/],
  ['a metric of a column that is not there', metric('avg(`pricee`)'), /did you mean price\?/],
  ['a metric that averages a text', metric('avg(`name`)'), /avg takes numbers, but this is a text/],
  ['a metric that sums a date', metric('sum(`sold_on`)'), /sum takes numbers, but this is a date/],
  ['a metric without an aggregate', metric('`price` / 2'), /put it into an aggregate/],
  ['a metric grouped by a column that is not there', metric('count(*) GROUP BY nam'), /did you mean name\?/],
  ['SQL that is no SELECT', sql('DROP TABLE asset'), /must begin with SELECT or WITH/],
  ['SQL on a column that is not there', sql('SELECT sum(pricee) FROM asset'), /pricee is no attribute.*did you mean price\?/],
  ['SQL on another table', sql('SELECT count(*) FROM orders'), /may only read the table asset/],
  ['SQL that sums a text', sql('SELECT sum(name) FROM asset'), /sum\(VARCHAR\)/],
  ['SQL whose first column is a text', sql('SELECT max(name) FROM asset'), /must be a number, but it is of type VARCHAR/],
  ['SQL whose first column is a list', sql('SELECT list(price) FROM asset'), /must be a number, but it is of type BIGINT\[\]/],
  ['a predefined metric of a column that is not there', watched('COMPLETENESS', 'quantitys'), /did you mean quantity\?/],
  ['the mean of a text', watched('MEAN', 'name'), /name is of type STRING/],
  ['the length of a number', watched('LENGTH', 'price'), /price is of type/],
  ['a record count of one column', watched('RECORD_COUNT', 'price'), /of the asset as a whole/],
  ['the norm of vectors that a table has not', watched('VECTOR_NORM'), /vector collections/],
  ['the freshness of a column that dates no record', watched('FRESHNESS', 'sold_on'), /no timestamp attribute/],
  ['a difference from nothing', watched('DATA_DIFFERENCE'), /no comparison can be set up/],
];

const without = (name: string) => csv(HEADER.replace(name, `${name}_2`), ...ROWS);
const PRICES_AS_TEXT = csv(HEADER, ...ROWS.map((row) => row.replace(/,\d0,/, ',cheap,')));
type Broken = { readonly options?: object; readonly next?: Buffer; readonly reason: RegExp };

/** What was fine when it was made, and breaks with the next delivery or shows its fault at the scan. */
const ERRORED: readonly (readonly [what: string, definition: Definition, broken: Broken])[] = [
  ['a rule whose column has gone', rule('VALIDATE price EXPECT VALUE > 0'), { next: without('price'), reason: /price is no attribute/ }],
  [
    'a rule whose column is of another type',
    rule('VALIDATE year(sold_on) EXPECT VALUE > 2000'),
    {
      next: csv(HEADER, ...ROWS.map((row) => row.replace(/2026-01-0\d/, '7'))),
      reason: /expected a date or date-time, but this is a number/,
    },
  ],
  ['a metric whose column has gone', metric('max(`price`)'), { next: without('price'), reason: /price is no attribute/ }],
  [
    'a metric whose column has become a text',
    metric('max(`price`)'),
    { next: PRICES_AS_TEXT, reason: /max takes numbers, but this is a text/ },
  ],
  ['a metric that divides by zero', metric('sum(`price`) / (count(`price`) - 3)'), { reason: /divides by zero/ }],
  ['a metric beyond the range of numbers', metric('power(max(`price`), 400)'), { reason: /beyond the range/ }],
  ['a metric of no record', metric('avg(CAST(`price` AS DOUBLE))'), { next: csv(HEADER), reason: /nothing to count/ }],
  ['SQL whose column has gone', sql('SELECT sum(price) FROM asset'), { next: without('price'), reason: /price.*price_2/ }],
  ['SQL whose column has become a text', sql('SELECT sum(price) FROM asset'), { next: PRICES_AS_TEXT, reason: /sum\(VARCHAR\)/ }],
  ['SQL whose cast fails', sql('SELECT sum(CAST(name AS INTEGER)) FROM asset'), { reason: /Could not convert string 'Ann'/ }],
  [
    'SQL whose number has become a text',
    sql('SELECT max(price) FROM asset'),
    { next: PRICES_AS_TEXT, reason: /must be a number, but it is "cheap"/ },
  ],
  ['SQL that gives many rows of one series', sql('SELECT price FROM asset'), { reason: /several values/ }],
  ['SQL that gives no row', sql('SELECT price FROM asset WHERE price < 0'), { reason: /no row/ }],
  [
    'a predefined metric whose column has gone',
    watched('COMPLETENESS', 'price'),
    { next: without('price'), reason: /price is no attribute/ },
  ],
  ['the mean of a column that has become a text', watched('MEAN', 'price'), { next: PRICES_AS_TEXT, reason: /price is of type STRING/ }],
  [
    'the uniqueness of record ids without one of their columns',
    watched('UNIQUENESS'),
    { options: { id_attributes: ['id', 'price'] }, next: without('price'), reason: /of the record id, price is no attribute/ },
  ],
  [
    'the freshness of times that cannot be read',
    watched('FRESHNESS'),
    { options: { timestamp_attribute: 'name' }, reason: /no record has a time in name/ },
  ],
];

test('there are enough of them, and each is of its own kind', () => {
  const kinds = [...REFUSED, ...ERRORED].map(([what]) => what);
  expect(kinds.length).toBeGreaterThanOrEqual(40);
  expect(ERRORED.length).toBeGreaterThanOrEqual(15);
  expect(new Set(kinds).size).toBe(kinds.length);
});

describe('is refused with a sentence when it is made, and not valid in a preview:', () => {
  test.each(REFUSED)('%s', async (_, definition, sentence) => {
    const { id } = await newAsset(GOOD);
    assertRefused(await create(id, definition), 400, sentence);
    assertRefused(await admin.post(`${pathOf(id)}/preview`, definition), 400, sentence);
  });

  test.each([
    ['timestamp_attribute', { timestamp_attribute: 'sold_onn' }, /did you mean sold_on\?/],
    ['timestamp_attribute', { timestamp_attribute: 'price' }, /price is of type/],
    ['id_attributes', { id_attributes: ['id', 'nama'] }, /did you mean name\?/],
    ['segments', { segments: { nam: ['Ann'] } }, /did you mean name\?/],
    ['filter', { filter: { is_payed: ['true'] } }, /did you mean is_paid\?/],
  ])('an option %s that names no such column', async (option, options, sentence) => {
    const { id, payload } = await newAsset(GOOD);
    const path = `/api/backend/${api.tenant}/configuration/projects/0/assets`;
    const said = new RegExp(`^options\\.${option}: .*${sentence.source}`);
    assertRefused(await admin.put(`${path}/${id}`, { options }), 400, said);
    assertRefused(await admin.post(path, { name: `other-${id}`, type: 'UPLOAD', payload, options }), 400, said);
  });
});

describe('is errored at the scan that cannot evaluate it:', () => {
  test.each(ERRORED)('%s', async (_, definition, { options = {}, next, reason }) => {
    const { id } = await newAsset(GOOD, options);
    const created = await create(id, definition);
    expect(created).toMatchObject({ status: 200 });
    const { id: monitorId } = created.body as { id: string };
    if (next !== undefined) await deliver(id, next, undefined);
    const { job, check, incidents, alerts } = await checkAfterScan(id, monitorId);
    expect(check).toMatchObject({ state: 'errored', reason: expect.stringMatching(reason) });
    expect(job.checks?.errored).toBeGreaterThanOrEqual(1);
    expect(alerts).toMatchObject([{ type: 'CHECK_ERROR', priority: 'HIGH' }]);
    expect(incidents).toMatchObject([{ status: 'OPEN', kind: 'CANNOT_BE_EVALUATED', description: expect.stringMatching(reason) }]);
  });

  test('segments whose column has gone, which is a matter of the process', async () => {
    const { id } = await newAsset(GOOD, { segments: { name: ['Ann'] } });
    await deliver(id, without('name'), undefined);
    const { check, incidents } = await checkAfterScan(id, 'DATA_PROCESS_FAILURE');
    expect(check).toMatchObject({ state: 'errored', reason: expect.stringContaining('name is no column') });
    expect(incidents).toMatchObject([{ kind: 'CANNOT_BE_EVALUATED' }]);
  });

  test.each([
    ['a filter', { filter: { name: ['Ann'] } }],
    ['new records alone', { delta_only: 'true', timestamp_attribute: 'sold_on' }],
  ])('not at all, but fails the scan, where %s cannot be applied: other rows would be measured', async (_, options) => {
    const { id } = await newAsset(GOOD, options);
    await deliver(id, csv('a,b', '1,2'), undefined);
    expect(await scan(api, id)).toMatchObject({ status: 'FAILED', checks: null, details: expect.stringMatching(/no column of the data/) });
  });
});

describe('is right:', () => {
  const stateOf = async (definition: Definition, bytes = GOOD): Promise<CheckState | undefined> => {
    const { id } = await newAsset(bytes);
    const { body } = await create(id, definition);
    const { check } = await checkAfterScan(id, (body as { id: string }).id);
    return check?.state;
  };

  test('a rule is violated by its first violating row, in its first scan', async () => {
    expect(await stateOf(rule('VALIDATE price EXPECT VALUE > 10'))).toBe('violated');
    expect(await stateOf({ ...rule('VALIDATE price EXPECT VALUE > 10'), threshold: { threshold_type: 'ML' } })).toBe('violated');
    expect(await stateOf({ ...rule('VALIDATE price EXPECT VALUE > 10'), threshold: { threshold_type: 'STATIC', threshold1: 60 } })).toBe(
      'ok',
    );
    expect(await stateOf(rule('VALIDATE price EXPECT VALUE > 0'))).toBe('ok');
  });

  test('a division by zero in a row violates, it does not pass', async () => {
    expect(await stateOf(rule('VALIDATE price / (quantity - 2) EXPECT VALUE < 1000'))).toBe('violated');
  });

  test('what only waits for more scans says so', async () => {
    const { threshold: _, ...learned } = { ...metric('max(`price`)') };
    expect(await stateOf({ ...learned, threshold: { threshold_type: 'ML' } })).toBe('not_enough_history');
  });
});

test('an open incident turns into one that cannot be evaluated, and closes when the rule runs again; the score never counts it as correct', async () => {
  const { id } = await newAsset(csv(HEADER, '1,Ann,-1,2,2026-01-01,true', '2,Bo,5,2,2026-01-01,true'));
  const { body } = await create(id, rule('VALIDATE price EXPECT VALUE > 0'));
  const { id: monitorId } = body as { id: string };
  const accuracy = async () =>
    (await api.call('get_dq_score_value', { asset_id: id })).parts.find(({ dimension }) => dimension === 'accuracy')?.value;

  const violated = await checkAfterScan(id, monitorId);
  expect(violated.incidents).toMatchObject([{ status: 'OPEN', kind: 'VIOLATION' }]);
  expect(await accuracy()).toBe(50);

  await deliver(id, csv('id,name', '1,Ann'), undefined);
  const errored = await checkAfterScan(id, monitorId);
  expect(errored.incidents).toMatchObject([{ id: violated.incidents[0]?.id, status: 'OPEN', kind: 'CANNOT_BE_EVALUATED' }]);
  expect(await accuracy()).toBe(0);
  const latest: readonly Check[] = await api.call('list_checks', {}, { query: { asset_id: id, state: 'errored' } });
  expect(latest.map(({ monitor_id }) => monitor_id)).toEqual(expect.arrayContaining([monitorId, 'DQ_RULES_VIOLATION']));

  await deliver(id, GOOD, undefined);
  const repaired = await checkAfterScan(id, monitorId);
  expect(repaired.check).toMatchObject({ state: 'ok', reason: null });
  expect(repaired.incidents).toMatchObject([{ id: violated.incidents[0]?.id, status: 'CLOSED' }]);
  expect(await accuracy()).toBe(100);
});

test('the command line does not say that there is nothing to tell, and ends with exit code 8', async () => {
  await using directory = await temporaryDirectory();
  const { key } = await api.call('create_api_key', {}, { body: { name: 'cli' } });
  const environment = environmentOf(directory.path, { SEXTANT_OBSERVABILITY_URL: service.server.address, SEXTANT_OBSERVABILITY_KEY: key });
  const { id } = await newAsset(GOOD);
  await create(id, sql('SELECT sum(price) FROM asset'));
  await deliver(id, csv('id,name', '1,Ann', '2,Bo', '3,Cem'), undefined);
  const { code, stdout } = await sextant(['observe', 'scan', id, '--fail-on-alerts'], environment);
  expect(stdout).toMatch(/3 rows, 1 alert, 1 monitor could not be evaluated/);
  expect(stdout).toContain('price');
  expect(code).toBe(8);
});
