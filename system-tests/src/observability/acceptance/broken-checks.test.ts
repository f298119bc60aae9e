// SPDX-License-Identifier: Apache-2.0
/**
 * Broken checks, one of each kind: for each of them the outcome is `errored`, right, or refused with a sentence, and never green. A check that was fine
 * when it was made breaks with the delivery after it. What follows from an errored check is in `errored-checks.test.ts`.
 */
import type { CheckState, Job } from '@sextant/contracts-observability';
import { isLongRun } from '@sextant/foundation-testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { assertRefused } from '../contract/wire.ts';
import { scan } from '../scanning.ts';
import { csv, type Definition, GOOD, HEADER, metric, ROWS, rule, STATED, sql, startCheckFixture, watched } from './check-fixture.ts';

const fixture = await startCheckFixture();
afterAll(() => fixture[Symbol.asyncDispose]());
const { admin, api, newAsset, pathOf, create, created, deliver, findings, checkAfterScan } = fixture;

type Named = { readonly name: string; readonly definition: Definition };

/** One asset that has all these monitors, whose next delivery is scanned once; `findingsOf` what became of the one of that name. */
function scannedOnce(monitors: readonly Named[], { options = {}, next }: { readonly options?: object; readonly next?: Buffer } = {}) {
  const ids = new Map<string, string>();
  let job: Job;
  beforeAll(async () => {
    const { id } = await newAsset(GOOD, options);
    for (const { name, definition } of monitors) ids.set(name, await created(id, definition, name));
    if (next !== undefined) await deliver(id, next);
    job = await scan(api, id);
    expect(job).toMatchObject({ status: 'FINISHED' });
  });
  return {
    findingsOf: (name: string) => findings(job, ids.get(name) ?? '', name),
    checks: () => job.checks,
  };
}

/** What is refused when it is made, with the sentence. */
const REFUSED: readonly (readonly [what: string, definition: Definition, sentence: RegExp])[] = [
  [
    'a rule about a column that is not there',
    rule('VALIDATE prize EXPECT IS_NUMBER'),
    /prize is not an attribute.*did you mean price\?.*column 10/,
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
  ['SQL on a column that is not there', sql('SELECT sum(pricee) FROM asset'), /pricee is not an attribute.*did you mean price\?/],
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
  ['a difference from nothing', watched('DATA_DIFFERENCE'), /comparisons cannot be set up/],
];

const PREVIEWED: readonly string[] = [
  'a rule that is no text of the language',
  'a metric of a column that is not there',
  'SQL that sums a text',
  'the mean of a text',
];

const without = (name: string) => csv(HEADER.replace(name, `${name}_2`), ...ROWS);
/** Prices are texts, dates are numbers. */
const retyped = csv(HEADER, ...ROWS.map((row) => row.replace(/,\d0,/, ',cheap,').replace(/2026-01-0\d/, '7')));
type Broken = Named & { readonly reason: RegExp };
const broken = (name: string, definition: Definition, reason: RegExp): Broken => ({ name, definition, reason });
type Delivered = { readonly what: string; readonly options?: object; readonly next?: Buffer; readonly monitors: readonly Broken[] };

const AS_THE_DATA_ARE = 'as the data are';

/** What was fine when it was made, and breaks with the next delivery or shows its fault at the scan; all that break alike share the scan. */
const ERRORED: readonly Delivered[] = [
  {
    what: 'where its column has gone',
    options: { id_attributes: ['id', 'price'] },
    next: without('price'),
    monitors: [
      broken('a rule', rule('VALIDATE price EXPECT VALUE > 0'), /price is not an attribute/),
      broken('a rule of a function', rule('VALIDATE abs(price) EXPECT VALUE > 0 AND VALUE < 100'), /price/),
      broken('a metric', metric('max(`price`)'), /price is not an attribute/),
      broken('SQL', sql('SELECT sum(price) FROM asset'), /price.*price_2/),
      broken('a predefined metric', watched('COMPLETENESS', 'price'), /price is not an attribute/),
      broken('the uniqueness of record ids', watched('UNIQUENESS'), /of the record id, price is not an attribute/),
    ],
  },
  {
    what: 'where its column is of another type',
    next: retyped,
    monitors: [
      broken(
        'a rule',
        rule('VALIDATE year(sold_on) EXPECT VALUE > 2000'),
        /expected a date or date-time, but this is a number; in record 1, sold_on is "7", which is no date/,
      ),
      broken(
        'a metric',
        metric('max(`price`)'),
        /max takes numbers, but this is a text.*; in record 1, price is "cheap", which is no number/,
      ),
      broken('SQL that sums', sql('SELECT sum(price) FROM asset'), /sum\(VARCHAR\)/),
      broken('SQL that takes one', sql('SELECT max(price) FROM asset'), /must be a number, but it is "cheap"/),
      broken('the mean', watched('MEAN', 'price'), /price is of type STRING/),
    ],
  },
  {
    what: 'where there is no record',
    next: csv(HEADER),
    monitors: [broken('a metric', metric('avg(CAST(`price` AS DOUBLE))'), /has no value: there is no record/)],
  },
  {
    what: AS_THE_DATA_ARE,
    options: { timestamp_attribute: 'name' },
    monitors: [
      broken('a metric that divides by zero', metric('sum(`price`) / (count(`price`) - 3)'), /its divisor count\(price\) - 3 is 0/),
      broken(
        'a metric beyond the range of numbers',
        metric('power(max(`price`), 400)'),
        /power\(max\(price\), 400\) is no number or beyond the range/,
      ),
      broken(
        'a metric of rows that all divide by zero',
        metric('avg(`price` / (`quantity` - `quantity`))'),
        /in record 1, its divisor quantity - quantity is 0/,
      ),
      broken('a metric of a record beyond the range', metric('sum(`price` * 1e307)'), /in record 2, price \* 1e\+307 is beyond the range/),
      broken('SQL whose cast fails', sql('SELECT sum(CAST(name AS INTEGER)) FROM asset'), /Could not convert string 'Ann'/),
      broken('SQL that gives many rows of one series', sql('SELECT price FROM asset'), /several values/),
      broken('SQL that gives no row', sql('SELECT price FROM asset WHERE price < 0'), /no row/),
      broken('the freshness of times that cannot be read', watched('FRESHNESS'), /no record has a time in name/),
    ],
  },
];

const positive = rule('VALIDATE price EXPECT VALUE > 0');
const aboveTen = rule('VALIDATE price EXPECT VALUE > 10');
const { threshold: _, ...learned } = metric('max(`price`)');
/** Of the same scan as what is errored as the data are. */
const RIGHT: readonly (Named & { readonly state: CheckState })[] = [
  { name: 'a rule is violated by its first violating row, in its first scan', definition: aboveTen, state: 'violated' },
  { name: 'as is one that learns', definition: { ...aboveTen, threshold: { threshold_type: 'ML' } }, state: 'violated' },
  { name: 'but not within the share that it states', definition: { ...aboveTen, threshold: { ...STATED, threshold1: 60 } }, state: 'ok' },
  { name: 'and not where every row keeps it', definition: positive, state: 'ok' },
  {
    name: 'a division by zero in a row violates, it does not pass',
    definition: rule('VALIDATE price / (quantity - 2) EXPECT VALUE < 1000'),
    state: 'violated',
  },
  {
    name: 'what only waits for more scans says so',
    definition: { ...learned, threshold: { threshold_type: 'ML' } },
    state: 'not_enough_history',
  },
];

test('there are enough of them, and each is of its own kind', () => {
  const errored = ERRORED.flatMap(({ what, monitors }) => monitors.map(({ name }) => `${name} ${what}`));
  const kinds = [...REFUSED.map(([what]) => what), ...errored];
  expect(kinds.length).toBeGreaterThanOrEqual(40);
  expect(errored.length).toBeGreaterThanOrEqual(15);
  expect(new Set(kinds).size).toBe(kinds.length);
});

describe('is refused with a sentence when it is made, and not valid in a preview:', async () => {
  const { id, payload } = await newAsset(GOOD);

  /** Both check alike; the quick run previews one monitor of each type, and SQL. */
  const previewed = new Set(REFUSED.filter(([what]) => isLongRun() || PREVIEWED.includes(what)).map(([what]) => what));

  test.each(REFUSED)('%s', async (what, definition, sentence) => {
    assertRefused(await create(id, definition), 400, sentence);
    if (previewed.has(what)) assertRefused(await admin.post(`${pathOf(id)}/preview`, definition), 400, sentence);
  });

  test.each([
    ['timestamp_attribute', { timestamp_attribute: 'sold_onn' }, /did you mean sold_on\?/],
    ['timestamp_attribute', { timestamp_attribute: 'price' }, /price is of type/],
    ['id_attributes', { id_attributes: ['id', 'nama'] }, /did you mean name\?/],
    ['segments', { segments: { nam: ['Ann'] } }, /did you mean name\?/],
    ['filter', { filter: { is_payed: ['true'] } }, /did you mean is_paid\?/],
  ])('an option %s that names no such column', async (option, options, sentence) => {
    const path = `/api/backend/${api.tenant}/configuration/projects/0/assets`;
    const said = new RegExp(`^options\\.${option}: .*${sentence.source}`);
    assertRefused(await admin.put(`${path}/${id}`, { options }), 400, said);
    assertRefused(await admin.post(path, { name: `other-${id}`, type: 'UPLOAD', payload, options }), 400, said);
  });
});

describe('is errored at the scan that cannot evaluate it:', () => {
  describe.each(ERRORED)('$what', ({ what, monitors, ...delivered }) => {
    const right = what === AS_THE_DATA_ARE ? RIGHT : [];
    const { findingsOf, checks } = scannedOnce([...monitors, ...right], delivered);

    test.each(monitors)('$name', async ({ name, reason }) => {
      const { check, incidents, alerts } = await findingsOf(name);
      expect(check).toMatchObject({ state: 'errored', reason: expect.stringMatching(reason) });
      expect(checks()?.errored).toBeGreaterThanOrEqual(monitors.length);
      expect(alerts).toMatchObject([{ type: 'CHECK_ERROR', priority: 'HIGH' }]);
      expect(incidents).toMatchObject([{ status: 'OPEN', kind: 'CANNOT_BE_EVALUATED', description: expect.stringMatching(reason) }]);
    });

    test.each(right)('but not what is right: $name', async ({ name, state }) => {
      expect((await findingsOf(name)).check?.state).toBe(state);
    });
  });

  test('segments whose column has gone, which is a matter of the process', async () => {
    const { id } = await newAsset(GOOD, { segments: { name: ['Ann'] } });
    await deliver(id, without('name'));
    const { check, incidents } = await checkAfterScan(id, 'DATA_PROCESS_FAILURE');
    expect(check).toMatchObject({ state: 'errored', reason: expect.stringContaining('name is not a column') });
    expect(incidents).toMatchObject([{ kind: 'CANNOT_BE_EVALUATED' }]);
  });

  test.each([
    ['a filter', { filter: { name: ['Ann'] } }],
    ['new records alone', { delta_only: 'true', timestamp_attribute: 'sold_on' }],
  ])('not at all, but fails the scan, where %s cannot be applied: other rows would be measured', async (_, options) => {
    const { id } = await newAsset(GOOD, options);
    await deliver(id, csv('a,b', '1,2'));
    expect(await scan(api, id)).toMatchObject({
      status: 'FAILED',
      checks: null,
      details: expect.stringMatching(/not a column of the data/),
    });
  });
});
