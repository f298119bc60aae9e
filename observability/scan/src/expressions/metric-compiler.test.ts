// SPDX-License-Identifier: Apache-2.0
import { ANY_CHARACTER, chooseSeed, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { ExpressionError } from './expression-error.ts';
import { compileMetric, parseMetric } from './metric-compiler.ts';
import { EMPTY_ROW, fillRows, openTestEngines, type SqlEngine, testContext } from './sql-engines.conformance.ts';

let opened: Awaited<ReturnType<typeof openTestEngines>>;
beforeAll(async () => {
  opened = await openTestEngines();
  for (const engine of opened.engines) {
    await fillRows(engine, [
      { ...EMPTY_ROW, t: 'a', n: 1, x: 0.5, b: true },
      { ...EMPTY_ROW, t: 'a', n: 3, x: null, b: false },
      { ...EMPTY_ROW, t: 'b', n: 5, x: 2.5, b: true },
      { ...EMPTY_ROW, t: null, n: 7, x: 3, b: null },
    ]);
  }
});
afterAll(() => opened[Symbol.asyncDispose]());

const metric = (expression: string, ignore_nulls = true, raw_sql = false) => ({ expression, options: { ignore_nulls }, raw_sql });

async function measured({ dialect, query }: SqlEngine, expression: string, ignoresNulls = true): Promise<readonly (readonly unknown[])[]> {
  const compiled = compileMetric('3', metric(expression, ignoresNulls), testContext(dialect));
  if (compiled.kind === 'refused') throw new Error(compiled.reason);
  const { check } = compiled;
  return query(check.kind === 'aggregate' ? `SELECT ${check.sql} FROM "rows"` : check.sql);
}

describe('[M1] aggregates and arithmetic between them', () => {
  test.each([
    ['count(*)', 4],
    ['COUNT(`x`)', 3],
    ['min(n) + max(n)', 8],
    ['sum(`n` * 2) / count(*)', 8],
    ['avg(x)', 2],
    ['distinct(t)', 2],
    ['count(DISTINCT t)', 2],
    ['variance(n)', 20 / 3],
    ['stddev(n)', Math.sqrt(20 / 3)],
    ['median(n)', 4],
    ['median(x)', 2.5],
    ["sum(CASE WHEN t = 'a' THEN n ELSE 0 END) / sum(n) * 100", 25],
    ['round(avg(n) / 3, 2)', 1.33],
    ['sum(n) / (count(*) - 4)', null],
    ['max(length(concat(t, t)))', 2],
    ['-min(n) + 2', 1],
  ])('%s', async (expression, value) => {
    for (const engine of opened.engines) {
      const [[answer] = []] = await measured(engine, expression);
      if (value === null) expect(answer).toBeNull();
      else expect(answer).toBeCloseTo(value, 10);
    }
  });
});

test('[M2] by dimensions, each combination is a row, null among them', async () => {
  for (const engine of opened.engines) {
    const rows = await measured(engine, 'sum(n) GROUP BY t, `b`');
    expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
      new Set(['[1,"a",true]', '[3,"a",false]', '[5,"b",true]', '[7,null,null]']),
    );
  }
});

test('[M3] without ignore_nulls, rows without a value count', async () => {
  for (const engine of opened.engines) {
    expect(await measured(engine, 'count(x)', false)).toEqual([[4]]);
    expect(await measured(engine, 'distinct(t)', false)).toEqual([[3]]);
    expect(await measured(engine, 'avg(x)', false)).toEqual([[1.5]]);
  }
});

describe('[L3] refusals', () => {
  test.each([
    ['', 'line 1, column 1: found the end, expected a value, an attribute or a function'],
    ['n + 1', 'line 1, column 1: n has a value per row; put it into an aggregate such as sum(`n`)'],
    ['sum(nope)', 'line 1, column 5: nope is not an attribute'],
    ['sum(t)', 'line 1, column 1: sum takes numbers, but this is a text; read it with CAST(… AS DOUBLE)'],
    ['min(d)', 'line 1, column 1: min takes numbers, but this is a date; unix_timestamp(…) makes it one'],
    ['sum(avg(n))', 'line 1, column 5: avg goes over many rows, but here is only one'],
    ['avg(*)', 'line 1, column 5: found *, expected a value, an attribute or a function'],
    ['sum(n) > 2', 'line 1, column 1: a metric is a number, but this is true or false'],
    ['sum(n) GROUP BY t, u, n, x, b', 'line 1, column 29: found b, expected the end after at most 4 dimensions'],
    ['sum(n) GROUP BY t, t', 'a dimension occurs twice after GROUP BY'],
    ['sum(n) GROUP t', 'line 1, column 14: found t, expected BY'],
    ['sum(n) GROUP BY nope', 'line 1, column 17: nope is not an attribute'],
    ['sum(n) FROM x', 'line 1, column 8: found FROM, expected an operator, GROUP BY or the end'],
    [`sum(CASE WHEN t LIKE '${'_'.repeat(500)}' THEN 1 END)`, 'it has more than 1000 characters'],
    ['pg_sleep(9)', 'line 1, column 1: the function pg_sleep is not allowed here'],
  ])('%s', (expression, reason) => {
    expect(compileMetric('3', metric(expression), testContext(duckdbDialect))).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(reason),
    });
  });

  test('any text is a metric or is refused as one', () => {
    const words = "sum( count( avg( distinct( * ) n `x` t 1 + - / , GROUP BY CASE WHEN THEN END 'a".split(' ');
    const texts = fc.oneof(
      fc.string({ unit: ANY_CHARACTER }),
      fc.array(fc.constantFrom(...words), { maxLength: 20 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        try {
          parseMetric(text);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
        compileMetric('3', metric(text), testContext(duckdbDialect));
      }),
      { seed: chooseSeed(), numRuns: roundsOf({ quick: 60, long: 5000 }) },
    );
  });
});

describe('[M4] raw SQL is one statement that reads', () => {
  const ONE = 'only one statement is allowed';
  const BEGIN = 'the statement must begin with SELECT or WITH';
  const OPEN = 'a quote or a comment in the statement is never closed';
  test.each([
    ['SELECT 1', undefined],
    ['  -- why\n /* and how */ with a AS (SELECT 1) SELECT * FROM a ; ', undefined],
    ["SELECT ';' || \";\" || $$;$$ || $x$;$$;$x$ || E'\\';'", undefined],
    ['(SELECT 1)', undefined],
    ['SELECT 1; DROP TABLE a', ONE],
    ["SELECT '\\'; DROP TABLE a; --'", ONE],
    ['SELECT 1 -- ;\n; DELETE FROM a', ONE],
    ["SELECT /* /* */ ' */ 1; DROP TABLE a --'", OPEN],
    ['DROP TABLE a', BEGIN],
    ['', BEGIN],
    ['; SELECT 1', ONE],
    ['SELECTED', BEGIN],
    ["SELECT 'a", OPEN],
    ['SELECT "a', OPEN],
    ['SELECT $$a', OPEN],
    ['SELECT /* a', OPEN],
    ['SELECT \0', 'the statement holds the character U+0000'],
    [`SELECT ${'1'.repeat(10_000)}`, 'the statement has 10007 characters; at most 10000 are allowed'],
  ])('%s', (sql, reason) => {
    const expected =
      reason === undefined
        ? { kind: 'compiled', check: { kind: 'statement', monitorId: '3', sql, raw: true } }
        : { kind: 'refused', reason };
    expect(compileMetric('3', metric(sql, true, true), testContext(duckdbDialect))).toEqual(expected);
  });
});
