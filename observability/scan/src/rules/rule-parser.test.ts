// SPDX-License-Identifier: Apache-2.0
import { ANY_CHARACTER, chooseSeed, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ExpressionError } from '../expressions/expression-error.ts';
import { parseRule } from './rule-parser.ts';

const EXPECTED_SOMETHING = 'expected a context such as VALUE or LENGTH, a test such as IS_NUMBER, NOT or "("';

describe('[L3] a rule outside the language is refused with the place, what was found and what was expected', () => {
  test.each([
    ['', 'line 1, column 1: found the end, expected WITH or VALIDATE'],
    ['EXPECT IS_NULL', 'line 1, column 1: found EXPECT, expected WITH or VALIDATE'],
    ['VALIDATE price', 'line 1, column 15: found the end, expected EXPECT'],
    ['VALIDATE price EXPECT', `line 1, column 22: found the end, ${EXPECTED_SOMETHING}`],
    ['VALIDATE price\nEXPECT\n  SIZE > 1', `line 3, column 3: found SIZE, ${EXPECTED_SOMETHING}`],
    ['VALIDATE price EXPECT VALUE >', 'line 1, column 30: found the end, expected a value, an attribute or a function'],
    ['VALIDATE price EXPECT VALUE > 1 2', 'line 1, column 33: found 2, expected AND, OR or the end'],
    ['VALIDATE price EXPECT (VALUE > 1', 'line 1, column 33: found the end, expected AND, OR or ")"'],
    ['VALIDATE price EXPECT VALUE IN (1, 2', 'line 1, column 37: found the end, expected "," or ")"'],
    ['VALIDATE price EXPECT VALUE IN [1)', 'line 1, column 34: found ), expected "," or "]"'],
    ['VALIDATE price EXPECT VALUE IN_RANGE (1, 2, 3)', 'line 1, column 38: a range has exactly two ends'],
    ['VALIDATE price EXPECT VALUE IN_RANGE (@later, 2)', 'line 1, column 39: found @later, expected @now, the only name with an @'],
    ['VALIDATE price EXPECT VALUE NOT > 2', 'line 1, column 33: found >, expected IN, IN_RANGE, a value or a test after NOT'],
    [
      'VALIDATE price EXPECT LENGTH IS_NUMBER',
      'line 1, column 30: found IS_NUMBER, expected a comparison; tests such as this look at VALUE, not at LENGTH',
    ],
    ["VALIDATE price EXPECT REGEX('a**')", 'line 1, column 29: in the regular expression, at character 4: a repeat cannot be repeated'],
    ['VALIDATE price EXPECT REGEX(p)', 'line 1, column 29: found p, expected a regular expression in quotes'],
    ['VALIDATE sleep(9) EXPECT IS_NULL', 'line 1, column 10: the function sleep is not allowed here'],
    ['VALIDATE a b EXPECT IS_NULL', 'line 1, column 12: found b, expected EXPECT'],
    ["VALIDATE 'abc EXPECT IS_NULL", "line 1, column 10: found ' that is never closed"],
    ['VALIDATE `a EXPECT IS_NULL', 'line 1, column 10: found ` that is never closed'],
    ['VALIDATE a; DROP TABLE b EXPECT IS_NULL', 'line 1, column 11: found ";", which has no meaning here'],
    ['VALIDATE 1e999 EXPECT IS_NULL', 'line 1, column 10: 1e999 is larger than any number here may be'],
    ['WITH upper(a) VALIDATE b EXPECT IS_NULL', 'line 1, column 15: found VALIDATE, expected AS and a name'],
    ['WITH a AS select VALIDATE b EXPECT IS_NULL extra', 'line 1, column 44: found extra, expected AND, OR or the end'],
    ['WITH a AS and VALIDATE b EXPECT IS_NULL', 'line 1, column 11: found and, expected a name for the transformation'],
    ['VALIDATE CASE END EXPECT IS_NULL', 'line 1, column 15: found END, expected a value, an attribute or a function'],
    ['VALIDATE CAST(a AS BLOB) EXPECT IS_NULL', 'line 1, column 20: found BLOB, expected STRING, DOUBLE, DATE, TIMESTAMP or BOOLEAN'],
  ])('%s', (source, message) => {
    expect(() => parseRule(source)).toThrow(message);
  });

  test.each([
    ['deep parentheses', `VALIDATE ${'('.repeat(4000)}a${')'.repeat(4000)} EXPECT IS_NULL`],
    ['deep expectations', `VALIDATE a EXPECT ${'('.repeat(4000)}IS_NULL${')'.repeat(4000)}`],
    ['many signs', `VALIDATE ${'- '.repeat(4000)}a EXPECT IS_NULL`],
    ['many NOTs', `VALIDATE a EXPECT ${'NOT '.repeat(2000)}IS_NULL`],
    ['long sums', `VALIDATE ${'a+'.repeat(4000)}a EXPECT IS_NULL`],
    ['long text', `VALIDATE '${'x'.repeat(20_000)}' EXPECT IS_NULL`],
    ['many transformations', `${'WITH 1 AS a '.repeat(30)} VALIDATE a EXPECT IS_NULL`],
  ])('%s are refused', (_, source) => {
    expect(() => parseRule(source)).toThrow(ExpressionError);
  });

  test('any text is a rule or is refused as one', () => {
    const words =
      'WITH VALIDATE EXPECT AS AND OR NOT IN IN_RANGE ( ) [ ] , + - * / % || = <> < CASE WHEN THEN ELSE END CAST NULL VALUE LENGTH IS_NULL REGEX upper sum a `b` \'c\' "d" 1 2.5 3d @now . ; \\ é \u{1F600} \0'.split(
        ' ',
      );
    const texts = fc.oneof(
      fc.string({ unit: ANY_CHARACTER, maxLength: 200 }),
      fc.array(fc.constantFrom(...words), { maxLength: 40 }).map((parts) => parts.join(' ')),
    );
    fc.assert(
      fc.property(texts, fc.boolean(), (text, isPrefixed) => {
        try {
          parseRule(isPrefixed ? `VALIDATE a EXPECT ${text}` : text);
        } catch (error) {
          expect(error).toBeInstanceOf(ExpressionError);
        }
      }),
      { seed: chooseSeed(), numRuns: roundsOf({ quick: 80, long: 10_000 }) },
    );
  });
});
