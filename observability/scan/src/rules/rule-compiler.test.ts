// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { duckdbDialect } from '../dialect/duckdb.ts';
import { postgresqlDialect } from '../dialect/postgresql.ts';
import { onDuckdb, testContext } from '../expressions/sql-engines.conformance.ts';
import { rulesSuite } from './rule-compiler.conformance.ts';
import { compileRule } from './rule-compiler.ts';
import { definition } from './verdicts.conformance.ts';

onDuckdb(rulesSuite);

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

test('[L4] identifiers that are no attributes are refused, whatever they look like', () => {
  for (const name of ['rows', 'current_user', 'pg_sleep', 'row_number']) {
    expect(compileRule('1', definition(`VALIDATE \`${name}\` EXPECT IS_NULL`), testContext(duckdbDialect)).kind).toBe('refused');
  }
});

test('a check names what it read and what it expected', () => {
  const compiled = compileRule(
    '7',
    definition('WITH upper(`T`) AS u VALIDATE concat(u, n) EXPECT  LENGTH >= 2 '),
    testContext(duckdbDialect),
  );
  expect(compiled).toMatchObject({ check: { monitorId: '7', attributes: ['t', 'n'], reason: 'expected LENGTH >= 2', windows: [] } });
});
