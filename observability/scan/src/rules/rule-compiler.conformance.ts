// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { EMPTY_ROW, type SqlEngine, type TestRow, testContext } from '../expressions/sql-engines.conformance.ts';
import { compileRule, type RuleDefinition } from './rule-compiler.ts';
import { definition, verdictsOver } from './verdicts.conformance.ts';

const textRow = (t: string | null): TestRow => ({ ...EMPTY_ROW, t });

export function rulesSuite(engine: SqlEngine): void {
  /** One letter per row: valid, invalid, ignored (-). */
  async function lettersOf(rows: readonly TestRow[], rule: RuleDefinition): Promise<string> {
    const verdicts = await verdictsOver(engine, rows, rule);
    return verdicts.map((verdict) => ({ valid: 'v', invalid: 'i', ignored: '-' })[verdict]).join('');
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
      expect(await lettersOf(texts.map(textRow), definition(`VALIDATE t EXPECT ${expectation}`))).toBe(expected);
    });

    test('[E3] FREQUENCY counts the rows with the same value, after transformations', async () => {
      const rows = ['a', 'A', 'b', null, null].map(textRow);
      expect(await lettersOf(rows, definition('WITH upper(t) AS u VALIDATE u EXPECT FREQUENCY = 2'))).toBe('vviii');
    });

    test('[R3] [R4] nulls are ignored when asked, and so is what counts as empty', async () => {
      const rows = ['a', 'N/A', '', null].map(textRow);
      const rule = 'VALIDATE t EXPECT LENGTH = 1';
      expect(await lettersOf(rows, definition(rule))).toBe('viii');
      expect(await lettersOf(rows, definition(rule, { ignore_nulls: true }))).toBe('vii-');
      expect(await lettersOf(rows, definition(rule, { ignore_nulls: true, empty_values: ['', 'N/A'] }))).toBe('v---');
      expect(await lettersOf(rows, definition('VALIDATE t EXPECT IS_NULL', { empty_values: ['N/A'] }))).toBe('iviv');
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
        expect([rule, await lettersOf(rows, definition(rule, { variables }))]).toEqual([rule, expected]);
    });

    test('[V4] what has no value is null, and no row ends the scan', async () => {
      const rows = [{ ...EMPTY_ROW, x: 0, n: -1, t: '9999-99-99', d: '2024-02-29' }];
      const expressions = [
        '1 / x', 'n % x', 'sqrt(n)', 'ln(x)', 'log10(n)', 'power(n, 0.5)', 'power(x, n)', 'exp(100000)', 'power(10, 5000)', 'CAST(t AS DATE)', 'to_date(t)', "CAST('1e999' AS DOUBLE)",
        'date_add(d, 1e300)', "CAST('nan' AS DOUBLE)", "nullif('a', 'a')",
      ]; // biome-ignore format: one line per kind reads better
      for (const expression of expressions) {
        expect([expression, await lettersOf(rows, definition(`VALIDATE ${expression} EXPECT IS_NULL`))]).toEqual([expression, 'v']);
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
        expect([expression, await lettersOf(rows, rule)]).toEqual([expression, 'v']);
      }
      const texts = [
        ['upper(t)', ' AB C'], ['lower(t)', ' ab c'], ['trim(t)', 'Ab c'], ['ltrim(t)', 'Ab c'], ["rtrim('a ')", 'a'], ['left(t, 2)', ' A'], ['right(t, 2)', ' c'], ['substring(t, 2, 2)', 'Ab'], ["replace(t, ' ', '_')", '_Ab_c'],
        ['concat(n, t)', '7 Ab c'], ['CAST(x AS STRING)', '-2.5'], ['date_add(d, 1)', '2024-03-01'], ['date_sub(d, 60)', '2023-12-31'], ['CAST(ts AS STRING)', '2026-01-30 11:59:59.25'],
      ] as const; // biome-ignore format: a table
      for (const [expression, value] of texts) {
        const rule = definition(`VALIDATE concat(${expression}, '') EXPECT VALUE = '${value}'`);
        expect([expression, await lettersOf(rows, rule)]).toEqual([expression, 'v']);
      }
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

    async function survives(rows: readonly TestRow[], rule: RuleDefinition, expected: string) {
      expect([rule.expression, await lettersOf(rows, rule)]).toEqual([rule.expression, expected]);
      expect(await engine.query('SELECT CAST(count(*) AS INTEGER) FROM "rows"')).toEqual([[rows.length]]);
    }

    test('texts, patterns, variables and empty values are taken literally', async () => {
      for (const text of HOSTILE) {
        const rows = [textRow(text), textRow('other')];
        const quoted = `'${text.replaceAll("'", "''")}'`;
        await survives(rows, definition(`VALIDATE t EXPECT VALUE = ${quoted}`), 'vi');
        await survives(rows, definition(`VALIDATE replace(t, ${quoted}, 'x') EXPECT VALUE = 'x'`), 'vi');
        const pattern = text.replaceAll(/[^\w\s]/g, '\\$&').replaceAll("'", "''");
        await survives(rows, definition(`VALIDATE t EXPECT REGEX('^${pattern}$')`), 'vi');
        await survives(rows, definition('VALIDATE t EXPECT VALUE v', { variables: [{ name: 'v', type: 'LIST', value: [text] }] }), 'vi');
        await survives(rows, definition('VALIDATE t EXPECT IS_NULL', { empty_values: [text] }), 'vi');
      }
    });

    test('attributes of hostile names are quoted', async () => {
      const { dialect, query } = engine;
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
    });
  });

  test('the present is the same all over a rule', async () => {
    expect(await lettersOf([textRow('a')], definition('VALIDATE now() EXPECT VALUE = @now'))).toBe('v');
  });
}
