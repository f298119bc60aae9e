// SPDX-License-Identifier: Apache-2.0
import { ANY_CHARACTER, chooseSeed, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { ExpressionError } from './expression-error.ts';
import { metricsSuite } from './metric-compiler.conformance.ts';
import { compileMetric, parseMetric } from './metric-compiler.ts';
import { onDuckdb, testContext } from './sql-engines.conformance.ts';

onDuckdb(metricsSuite);

const metric = (expression: string, ignore_nulls = true, raw_sql = false) => ({ expression, options: { ignore_nulls }, raw_sql });

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
