// SPDX-License-Identifier: Apache-2.0
/** Generated expectations with their meaning, over a validated value that the model has computed for every row. */
import fc from 'fast-check';
import { NOW_MS, type TestRow } from '../expressions/sql-engines.conformance.ts';
import { expressions, isDay, isDayAndTime, NUMBER_FORM, type Part } from './rule-arbitraries.ts';

/** What an expectation may look at: the value of this row, and those of all. */
export type Subject = { readonly value: string | number | null; readonly all: readonly (string | number | null)[] };

export type ExpectationPart = { readonly source: string; readonly holds: (subject: Subject) => boolean };

export type GeneratedRule = {
  readonly expression: string;
  readonly validated: Part<string> | Part<number>;
  readonly expectation: ExpectationPart;
};

/** A basic expectation: null meets it only where it says so. */
const basic = (source: string, holds: (value: string | number, subject: Subject) => boolean): ExpectationPart => ({
  source,
  holds: (subject) => subject.value !== null && holds(subject.value, subject),
});

const SPACE = /[ \t\n\f\r]/g;
const pattern = (text: string) =>
  text
    .replace(/[A-Za-z]/g, 'L')
    .replace(/[0-9]/g, 'D')
    .replace(SPACE, 'S');

const textTests: readonly ExpectationPart[] = [
  { source: 'is_null', holds: ({ value }) => value === null },
  basic('IS_NUMBER', (value) => NUMBER_FORM.test(String(value))),
  basic('VALUE IS_DATE', (value) => isDay(String(value))),
  basic('is_date_time', (value) => isDayAndTime(String(value))),
  basic('IS_ALPHA', (value) => /^[A-Za-z]+$/.test(String(value))),
  basic('IS_EMAIL', (value) => /^[\w.]+@[\w-]+(\.[\w-]+)+$/.test(String(value))),
  basic('IS_TRUE', (value) => String(value).toLowerCase() === 'true'),
  basic('IS_FALSE', (value) => String(value).toLowerCase() === 'false'),
  basic('IS_TRIMMED_STRING', (value) => !/^[ \t\n\f\r]|[ \t\n\f\r]$/.test(String(value))),
  basic("VALUE REGEX('^[^a]+$')", (value) => /^[^a]+$/.test(String(value))),
  basic("regex('(?i)\\bo''b|h.l{2,3}')", (value) => /\bo'b|h.l{2,3}/i.test(String(value))),
  basic("REGEX('\\s|\\\\|.\\w$')", (value) => /[ \t\n\f\r]|\\|[^\n][A-Za-z0-9_]$/.test(String(value))),
  basic('LENGTH > 4', (value) => Array.from(String(value)).length > 4),
  basic('LENGTH IN_RANGE (2, 5)', (value) => Array.from(String(value)).length >= 2 && Array.from(String(value)).length <= 5),
  basic('SPACE_COUNT = 1', (value) => (String(value).match(SPACE) ?? []).length === 1),
  basic('SPEC_CHAR_COUNT OUT_OF_RANGE [1, 2]', (value) => {
    const count = String(value).replace(/[A-Za-z0-9 \t\n\f\r]/g, '').length;
    return count < 1 || count > 2;
  }),
  basic("EXPANDED_PATTERN IN ('LLLLL', 'DD', 'LLDSLL')", (value) => ['LLLLL', 'DD', 'LLDSLL'].includes(pattern(String(value)))),
  basic("COMPRESSED_PATTERN = 'L' ", (value) => /^L+$/.test(pattern(String(value)))),
  basic('FREQUENCY = 1', (value, { all }) => all.filter((other) => other === value).length === 1),
  basic("VALUE NOT_IN ('hello', '42')", (value) => !['hello', '42'].includes(String(value))),
  basic('NUMERIC_VALUE IN_RANGE (-5, 50)', (value) => NUMBER_FORM.test(String(value)) && Number(value) >= -5 && Number(value) <= 50),
  basic('NUMERIC_VALUE <> 42', (value) => NUMBER_FORM.test(String(value)) && Number(value) !== 42),
  basic("DATE_TIME_VALUE IN_RANGE ('2024-02-29', @now - 1d)", (value) => {
    const text = String(value);
    if (!isDay(text) && !isDayAndTime(text)) return false;
    const ms = isDay(text)
      ? Date.parse(`${text}T00:00Z`)
      : Date.parse(/(Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text.replace(' ', 'T')}Z`);
    return ms >= Date.UTC(2024, 1, 29) && ms <= NOW_MS - 86_400_000;
  }),
];

const numberTests: readonly ExpectationPart[] = [
  { source: 'VALUE IS_NULL', holds: ({ value }) => value === null },
  basic('value >= 2', (value) => Number(value) >= 2),
  basic('VALUE 42', (value) => value === 42),
  basic('VALUE NOT 42', (value) => value !== 42),
  basic("VALUE IN (1, '2', 3)", (value) => [1, 2, 3].includes(Number(value))),
  basic('NUMERIC_VALUE OUT_OF_RANGE (0, 3)', (value) => Number(value) < 0 || Number(value) > 3),
  basic('FREQUENCY >= 2', (value, { all }) => all.filter((other) => other === value).length >= 2),
  basic('IS_TRUE', (value) => value === 1),
];

const combined = (parts: readonly ExpectationPart[]): fc.Arbitrary<ExpectationPart> =>
  fc.letrec<{ any: ExpectationPart }>((tie) => ({
    any: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(...parts),
      tie('any').map(({ source, holds }): ExpectationPart => ({ source: `NOT (${source})`, holds: (subject) => !holds(subject) })),
      fc.tuple(tie('any'), tie('any')).map(
        ([left, right]): ExpectationPart => ({
          source: `(${left.source}) and (${right.source})`,
          holds: (subject) => left.holds(subject) && right.holds(subject),
        }),
      ),
      fc.tuple(tie('any'), tie('any')).map(
        ([left, right]): ExpectationPart => ({
          source: `(${left.source} OR ${right.source})`,
          holds: (subject) => left.holds(subject) || right.holds(subject),
        }),
      ),
    ),
  })).any;

const ruleOver = <Value extends string | number>(validated: fc.Arbitrary<Part<Value>>, expectations: readonly ExpectationPart[]) =>
  fc.tuple(validated, combined(expectations), fc.boolean()).map(([part, expectation, isTransformed]) => ({
    validated: part,
    expectation,
    expression: isTransformed
      ? `WITH ${part.source} AS prepared VALIDATE prepared EXPECT ${expectation.source}`
      : `validate ${part.source} expect ${expectation.source}`,
  }));

export const generatedRules: fc.Arbitrary<GeneratedRule> = fc.oneof(
  ruleOver(expressions.texts, textTests),
  ruleOver(expressions.numbers, numberTests),
);

/** What the model says of each row. */
export function modelVerdicts({ validated, expectation }: GeneratedRule, rows: readonly TestRow[], ignoresNulls: boolean) {
  const all = rows.map((row) => validated.of(row));
  return all.map((value) => {
    if (ignoresNulls && value === null) return 'ignored';
    return expectation.holds({ value, all }) ? 'valid' : 'invalid';
  });
}
