// SPDX-License-Identifier: Apache-2.0
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { postgresqlDialect } from '../dialect/postgresql.ts';
import { EMPTY_ROW, fillRows, openTestEngines, type SqlEngine, type TestRow, testContext } from '../expressions/sql-engines.conformance.ts';
import { compileRule, type RuleDefinition } from './rule-compiler.ts';
import { definition, type Verdict, verdictsOf, verdictsOver } from './verdicts.conformance.ts';

let opened: Awaited<ReturnType<typeof openTestEngines>>;
beforeAll(async () => {
  opened = await openTestEngines();
});
afterAll(() => opened[Symbol.asyncDispose]());

const textRow = (t: string | null): TestRow => ({ ...EMPTY_ROW, t });

/** One letter per row: valid, invalid, ignored (-). */
const letters = (verdicts: readonly Verdict[]) => verdicts.map((verdict) => ({ valid: 'v', invalid: 'i', ignored: '-' })[verdict]).join('');

async function everywhere(rows: readonly TestRow[], rule: RuleDefinition): Promise<ReadonlySet<string>> {
  const answers = new Set<string>();
  for (const engine of opened.engines) answers.add(letters(await verdictsOver(engine, rows, rule)));
  return answers;
}

describe('verdicts by hand', () => {
  const texts = ['hello', '42', "O'Brien", '', ' x ', null, 'a@b.co', '2024-02-29', '2023-02-29', 'true'];
  test.each([
    ['[E2] IS_NULL', 'IS_NULL', 'iiiiiviiii'],
    ['[E2] IS_NUMBER', 'VALUE IS_NUMBER', 'iviiiiiiii'],
    ['[E2] IS_ALPHA', 'is_alpha', 'viiiiiiiiv'],
    ['[E2] IS_EMAIL', 'IS_EMAIL', 'iiiiiiviii'],
    ['[E2] [V3] IS_DATE, of days that exist', 'IS_DATE', 'iiiiiiivii'],
    ['[E2] IS_TRUE', 'IS_TRUE', 'iiiiiiiiiv'],
    ['[E2] IS_TRIMMED_STRING', 'IS_TRIMMED_STRING', 'vvvviivvvv'],
    ['[R2] NOT before a test is logic', 'NOT IS_NUMBER', 'vivvvvvvvv'],
    ['[R2] NOT after a context as well', 'VALUE NOT IS_NUMBER', 'vivvvvvvvv'],
    ['[R2] <> does not hold for null', "VALUE <> 'hello'", 'ivvvvivvvv'],
    ['[R2] NOT_IN does not hold for null', "VALUE NOT_IN ('hello', '42')", 'iivvvivvvv'],
    ['[E1] NOT IN is NOT_IN', "VALUE NOT IN ['hello', '42']", 'iivvvivvvv'],
    ['[E1] NOT with a value is <>', "VALUE NOT 'hello'", 'ivvvvivvvv'],
    ['[E1] a value without operator is =', "VALUE 'O''Brien'", 'iiviiiiiii'],
    ['[R5] what is no number meets nothing', 'NUMERIC_VALUE < 100', 'iviiiiiiii'],
    ['[V2] a text beside a number is read as one', 'VALUE = 42.0', 'iviiiiiiii'],
    ['[V2] a text beside a date is read as one', 'DATE_TIME_VALUE > "2024-02-28"', 'iiiiiiivii'],
    ['[E3] LENGTH', 'LENGTH IN_RANGE (2, 5)', 'vviiviiiiv'],
    ['[E3] SPACE_COUNT', 'SPACE_COUNT = 2', 'iiiiviiiii'],
    ['[E3] SPEC_CHAR_COUNT', 'SPEC_CHAR_COUNT = 2', 'iiiiiivvvi'],
    ['[E4] EXPANDED_PATTERN', "EXPANDED_PATTERN IN ('LLLLL', 'SLS')", 'viiiviiiii'],
    ['[E4] COMPRESSED_PATTERN', "COMPRESSED_PATTERN IN ('L''L', 'D-D-D')", 'iiviiiivvi'],
    ['[E3] FREQUENCY', 'FREQUENCY > 1', 'iiiiiiiiii'],
    ['[E5] REGEX matches anywhere', "REGEX('l+')", 'viiiiiiiii'],
    ['[E5] REGEX with anchors', "REGEX('^[0-9]{2}$')", 'iviiiiiiii'],
    ['[E6] AND binds tighter than OR', "VALUE = 'hello' OR LENGTH = 2 AND VALUE = 'no'", 'viiiiiiiii'],
    ['[E6] parentheses', "(VALUE = 'hello' OR LENGTH = 2) AND VALUE = 'no'", 'iiiiiiiiii'],
    ['[E2] CONTAINS_PII', 'CONTAINS_PII', 'iiiiiiviii'],
  ])('%s', async (_, expectation, expected) => {
    expect(await everywhere(texts.map(textRow), definition(`VALIDATE t EXPECT ${expectation}`))).toEqual(new Set([expected]));
  });

  test('[E3] FREQUENCY counts the rows with the same value, after transformations', async () => {
    const rows = ['a', 'A', 'b', null, null].map(textRow);
    expect(await everywhere(rows, definition('WITH upper(t) AS u VALIDATE u EXPECT FREQUENCY = 2'))).toEqual(new Set(['vviii']));
  });

  test('[R3] [R4] nulls are ignored when asked, and so is what counts as empty', async () => {
    const rows = ['a', 'N/A', '', null].map(textRow);
    const rule = 'VALIDATE t EXPECT LENGTH = 1';
    expect(await everywhere(rows, definition(rule))).toEqual(new Set(['viii']));
    expect(await everywhere(rows, definition(rule, { ignore_nulls: true }))).toEqual(new Set(['vii-']));
    expect(await everywhere(rows, definition(rule, { ignore_nulls: true, empty_values: ['', 'N/A'] }))).toEqual(new Set(['v---']));
    expect(await everywhere(rows, definition('VALIDATE t EXPECT IS_NULL', { empty_values: ['N/A'] }))).toEqual(new Set(['iviv']));
  });

  test('[N2] [N3] variables of every kind', async () => {
    const rows = [
      { ...EMPTY_ROW, t: 'a', n: 1, ts: '2026-01-29 12:00:00' },
      { ...EMPTY_ROW, t: 'b', n: 5, ts: '2026-01-28 11:00:00' },
      { ...EMPTY_ROW, t: null, n: 9, ts: null },
    ];
    const variables = [
      { name: 'names', type: 'LIST', value: ['a', 'c'] },
      { name: 'few', type: 'RANGE', value: [1, 5] },
      { name: 'lately', type: 'RANGE', value: ['-2d', '@now'] },
      { name: 'top', type: 'CONSTANT', value: [9] },
      { name: 'column', type: 'REFERENCE', value: ['n'] },
    ] as const;
    const cases = [
      ['VALIDATE t EXPECT VALUE IN names', 'vii'],
      ['VALIDATE t EXPECT VALUE names', 'vii'],
      ['VALIDATE t EXPECT VALUE NOT_IN `names`', 'ivi'],
      ['VALIDATE column EXPECT VALUE IN_RANGE few', 'vvi'],
      ['VALIDATE n EXPECT VALUE OUT_OF_RANGE few', 'iiv'],
      ['VALIDATE ts EXPECT VALUE lately', 'vii'],
      ['VALIDATE ts EXPECT DATE_TIME_VALUE IN_RANGE (@now - 1d, @now)', 'vii'],
      ['VALIDATE n EXPECT VALUE top', 'iiv'],
      ['VALIDATE n EXPECT VALUE >= column', 'vvv'],
      ['VALIDATE n * 2 EXPECT VALUE > column + 4', 'ivv'],
    ] as const;
    for (const [rule, expected] of cases)
      expect([rule, ...(await everywhere(rows, definition(rule, { variables })))]).toEqual([rule, expected]);
  });

  test('[V4] what has no value is null, and no row ends the scan', async () => {
    const rows = [{ ...EMPTY_ROW, x: 0, n: -1, t: '9999-99-99', d: '2024-02-29' }];
    const expressions = [
      '1 / x', 'n % x', 'sqrt(n)', 'ln(x)', 'log10(n)', 'power(n, 0.5)', 'power(x, n)', 'exp(100000)', 'power(10, 5000)', 'CAST(t AS DATE)', 'to_date(t)', "CAST('1e999' AS DOUBLE)",
      'date_add(d, 1e300)', "CAST('nan' AS DOUBLE)", "nullif('a', 'a')",
    ]; // biome-ignore format: one line per kind reads better
    for (const expression of expressions) {
      expect([expression, ...(await everywhere(rows, definition(`VALIDATE ${expression} EXPECT IS_NULL`)))]).toEqual([expression, 'v']);
    }
  });

  test('every function gives what it should', async () => {
    const rows = [{ ...EMPTY_ROW, t: ' Ab c', n: 7, x: -2.5, d: '2024-02-29', ts: '2026-01-30 11:59:59.25' }];
    const values = [
      ['abs(x)', 2.5], ['ceil(x)', -2], ['floor(x)', -3], ['trunc(x)', -2], ['sign(x)', -1], ['round(x)', -3], ['round(2.345, 2)', 2.35], ['mod(n, 4)', 3], ['power(2, 10)', 1024], ['exp(0)', 1],
      ['ln(1)', 0], ['log10(1000)', 3], ['sqrt(49)', 7], ['greatest(1, n, x)', 7], ['least(1, n, x)', -2.5], ['length(t)', 5], ["position(t, 'b')", 3], ['quarter(d)', 1], ['month(d)', 2], ['day(d)', 29],
      ['hour(ts)', 11], ['minute(ts)', 59], ['second(ts)', 59], ['dayofweek(d)', 5], ["datediff('2024-03-01', d)", 1], ['unix_timestamp(d)', 1_709_164_800],
      ["CASE n WHEN 7 THEN 1 ELSE 2 END", 1], ['CAST(TRUE AS DOUBLE)', 1], ['coalesce(NULL, n)', 7],
    ] as const; // biome-ignore format: a table
    for (const [expression, value] of values) {
      const rule = definition(`VALIDATE round(${expression}, 9) EXPECT VALUE = ${value}`);
      expect([expression, ...(await everywhere(rows, rule))]).toEqual([expression, 'v']);
    }
    const texts = [
      ['upper(t)', ' AB C'], ['lower(t)', ' ab c'], ['trim(t)', 'Ab c'], ['ltrim(t)', 'Ab c'], ["rtrim('a ')", 'a'], ['left(t, 2)', ' A'], ['right(t, 2)', ' c'], ['substring(t, 2, 2)', 'Ab'], ["replace(t, ' ', '_')", '_Ab_c'],
      ['concat(n, t)', '7 Ab c'], ['CAST(x AS STRING)', '-2.5'], ['date_add(d, 1)', '2024-03-01'], ['date_sub(d, 60)', '2023-12-31'], ['CAST(ts AS STRING)', '2026-01-30 11:59:59.25'],
    ] as const; // biome-ignore format: a table
    for (const [expression, value] of texts) {
      const rule = definition(`VALIDATE concat(${expression}, '') EXPECT VALUE = '${value}'`);
      expect([expression, ...(await everywhere(rows, rule))]).toEqual([expression, 'v']);
    }
  });
});

describe('refusals', () => {
  test.each([
    ['VALIDATE nope EXPECT IS_NULL', 'line 1, column 10: nope is not an attribute of the asset'],
    ["VALIDATE n EXPECT VALUE = 'x'", 'line 1, column 25: expected a number, but "x" is none'],
    [
      "VALIDATE d EXPECT VALUE > '2023-02-29'",
      'line 1, column 25: expected a date or date-time such as 2026-01-31 or 2026-01-31T08:00:00Z, but found "2023-02-29"',
    ],
    ['VALIDATE b EXPECT VALUE = 1', 'line 1, column 25: true or false and a number cannot be brought together; convert one of them'],
    ['VALIDATE n AND b EXPECT IS_TRUE', 'line 1, column 10: expected a condition, but this is a number'],
    ['VALIDATE upper(b) EXPECT IS_NULL', 'line 1, column 10: upper takes a text, but this is true or false'],
    ['VALIDATE round(n, 1, 2) EXPECT IS_NULL', 'line 1, column 10: round takes 1 to 2 values, but has 3'],
    ['VALIDATE sum(n) EXPECT IS_NULL', 'line 1, column 10: sum goes over many rows, but here is only one'],
    ["VALIDATE t EXPECT REGEX('(?=a)')", 'in the regular expression, at character 2: of groups with "(?"'],
    ['WITH 1 AS a WITH 2 AS a VALIDATE a EXPECT IS_NULL', 'there are two transformations of the name a'],
    ['VALIDATE n EXPECT VALUE IN_RANGE n', 'n is no variable of type RANGE'],
    ['VALIDATE t EXPECT VALUE IN many', 'the list of values is empty'],
    ['VALIDATE many EXPECT IS_NULL', 'the variable many is a list; it can only stand after IN'],
    ['VALIDATE gone EXPECT IS_NULL', 'the variable gone refers to nothing: missing is not an attribute of the asset'],
  ])('%s', (expression, reason) => {
    const variables = [
      { name: 'many', type: 'LIST', value: [] },
      { name: 'gone', type: 'REFERENCE', value: ['missing'] },
    ] as const;
    const compiled = compileRule('1', definition(expression, { variables }), testContext(duckdbDialect));
    expect(compiled).toMatchObject({ kind: 'refused', reason: expect.stringContaining(reason) });
  });

  test('[L3] transformations that double each other are refused before they fill memory', () => {
    const chain = Array.from({ length: 19 }, (_, index) => `WITH concat(v${index}, v${index}, v${index}) AS v${index + 1}`).join(' ');
    const compiled = compileRule('1', definition(`WITH t AS v0 ${chain} VALIDATE v19 EXPECT IS_NULL`), testContext(postgresqlDialect));
    expect(compiled).toMatchObject({ kind: 'refused', reason: expect.stringContaining('grows too large') });
  });
});

describe('[L4] nothing a user writes becomes SQL', () => {
  const HOSTILE = [
    '\'; DROP TABLE "rows"; --',
    '\\\'; DROP TABLE "rows"; --',
    '$$; DROP TABLE "rows"; $$',
    "E'\\x27",
    '%s {0} $1',
    '"',
    "''",
    '\\',
    '*/ x /*',
  ];

  async function survives(engine: SqlEngine, rows: readonly TestRow[], rule: RuleDefinition, expected: string) {
    expect([rule.expression, letters(await verdictsOver(engine, rows, rule))]).toEqual([rule.expression, expected]);
    expect(await engine.query('SELECT CAST(count(*) AS INTEGER) FROM "rows"')).toEqual([[rows.length]]);
  }

  test('texts, patterns, variables and empty values are taken literally', async () => {
    for (const engine of opened.engines) {
      for (const text of HOSTILE) {
        const rows = [textRow(text), textRow('other')];
        const quoted = `'${text.replaceAll("'", "''")}'`;
        await survives(engine, rows, definition(`VALIDATE t EXPECT VALUE = ${quoted}`), 'vi');
        await survives(engine, rows, definition(`VALIDATE replace(t, ${quoted}, 'x') EXPECT VALUE = 'x'`), 'vi');
        const pattern = text.replaceAll(/[^\w\s]/g, '\\$&').replaceAll("'", "''");
        await survives(engine, rows, definition(`VALIDATE t EXPECT REGEX('^${pattern}$')`), 'vi');
        await survives(
          engine,
          rows,
          definition('VALIDATE t EXPECT VALUE v', { variables: [{ name: 'v', type: 'LIST', value: [text] }] }),
          'vi',
        );
        await survives(engine, rows, definition('VALIDATE t EXPECT IS_NULL', { empty_values: [text] }), 'vi');
      }
    }
  });

  test('attributes of hostile names are quoted', async () => {
    for (const { dialect, query } of opened.engines) {
      const name = 'a"; DROP TABLE "rows"; --`';
      const columns = [{ name, source_type: 'text', data_type: 'STRING' }] as const;
      const compiled = compileRule('7\'"', definition(`VALIDATE \`${name.replaceAll('`', '``')}\` EXPECT FREQUENCY = 1`), {
        ...testContext(dialect),
        columns,
      });
      if (compiled.kind === 'refused') throw new Error(compiled.reason);
      const [window] = compiled.check.windows;
      const inner = `SELECT *, ${window?.sql} AS ${dialect.identifier(window?.name ?? '')} FROM (SELECT 'x' AS ${dialect.identifier(name)}) AS one`;
      expect(await query(`SELECT ${compiled.check.validSql} FROM (${inner}) AS checked`)).toEqual([[true]]);
    }
  });

  test('identifiers that are no attributes are refused, whatever they look like', () => {
    for (const name of ['rows', 'current_user', 'pg_sleep', 'row_number']) {
      expect(compileRule('1', definition(`VALIDATE \`${name}\` EXPECT IS_NULL`), testContext(duckdbDialect)).kind).toBe('refused');
    }
  });
});

test('a check names what it read and what it expected', async () => {
  const compiled = compileRule(
    '7',
    definition('WITH upper(`T`) AS u VALIDATE concat(u, n) EXPECT  LENGTH >= 2 '),
    testContext(duckdbDialect),
  );
  expect(compiled).toMatchObject({ check: { monitorId: '7', attributes: ['t', 'n'], reason: 'expected LENGTH >= 2', windows: [] } });
  for (const engine of opened.engines) {
    await fillRows(engine, [textRow('a')]);
    expect(await verdictsOf(engine, definition('VALIDATE now() EXPECT VALUE = @now'))).toEqual(['valid']);
  }
});
