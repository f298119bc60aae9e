// SPDX-License-Identifier: Apache-2.0
/**
 * Generated rules with their meaning. Each part is made together with a function that says what it is for a row, written from SPEC.md and
 * knowing nothing of the parser, the compiler or SQL: the reference implementation that both engines are compared with.
 */
import fc from 'fast-check';
import { NOW_MS, type TestRow } from '../expressions/sql-engines.conformance.ts';

/** Text of the language, and its value for a row. */
export type Part<Value> = { readonly source: string; readonly of: (row: TestRow) => Value | null };

const TEXTS = [
  '', ' ', 'hello', ' padded ', 'Ab1 cd', 'AB', '42', '-3.5', '1e3', '.5', '1_000', 'inf', '2024-02-29', '2023-02-29', '2024-02-29T10:00:00+02:00', '2024-13-01',
  '2025-12-31 23:59:59.5', 'jane.doe@example.com', 'jane@', '4111 1111 1111 1111', '4111 1111 1111 1112', '192.168.0.1', '300.1.1.1', '123-45-6789', '+1 212-555-0100', 'true',
  'FALSE', "O'Brien", 'back\\slash', 'x\ty', 'a%b_c', 'line\nbreak',
]; // biome-ignore format: one text after the other reads better than one per line

const maybe = <Value>(values: readonly Value[]) => fc.option(fc.constantFrom(...values), { nil: null, freq: 5 });

export const testRows: fc.Arbitrary<TestRow> = fc.record({
  t: maybe(TEXTS),
  u: maybe(TEXTS),
  n: maybe([-3, 0, 1, 2, 3, 42, 1_000_000]),
  x: maybe([0, 0.5, -1.5, 2.5, 42, 0.1]),
  b: maybe([true, false]),
  d: maybe(['2024-02-29', '2026-01-29', '1999-12-31']),
  ts: maybe(['2024-02-29 08:00:00', '2026-01-30 11:59:59.25', '2026-01-30 12:00:00']),
});

/** A value that needs every one of the others. */
const lift =
  <Inputs extends readonly unknown[], Value>(
    parts: { readonly [Index in keyof Inputs]: Part<Inputs[Index]> },
    compute: (...values: Inputs) => Value | null,
  ) =>
  (row: TestRow): Value | null => {
    const values = parts.map((part) => part.of(row));
    // No value is null any more where the function is called.
    return values.includes(null) ? null : compute(...(values as unknown as Inputs));
  };

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`;
const numberLiteral = fc.constantFrom(0, 1, 2, 3, 0.5, 10).map((value): Part<number> => ({ source: String(value), of: () => value }));
const textLiteral = fc.constantFrom(...TEXTS).map((value): Part<string> => ({ source: quoted(value), of: () => value }));

type Level = { numbers: Part<number>; texts: Part<string>; conditions: Part<boolean>; times: Part<number> };

const binary = (
  left: Part<number>,
  right: Part<number>,
  symbol: string,
  compute: (x: number, y: number) => number | null,
): Part<number> => ({
  source: `(${left.source} ${symbol} ${right.source})`,
  of: lift([left, right], compute),
});

const call = <Inputs extends readonly unknown[], Value>(
  name: string,
  parts: { readonly [Index in keyof Inputs]: Part<Inputs[Index]> },
  compute: (...values: Inputs) => Value | null,
): Part<Value> => ({ source: `${name}(${parts.map(({ source }) => source).join(', ')})`, of: lift(parts, compute) });

const remainder = (x: number, y: number) => (y === 0 ? null : x - y * Math.trunc(x / y));
const round = (x: number) => Math.sign(x) * Math.floor(Math.abs(x) + 0.5);
const clamp = (x: number) => Math.trunc(x);
const characters = (text: string) => Array.from(text);
const DAY_MS = 86_400_000;

/** Numbers as the engines write them: JavaScript's shortest form, whose exponents start elsewhere, is not met by these values. */
const textOfNumber = (value: number) => String(value === 0 ? 0 : value);

export const NUMBER_FORM = /^ *[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d{1,2})? *$/i;

const numberOf = (text: string): number | null => (NUMBER_FORM.test(text) ? Number(text) : null);

export function isDay(text: string): boolean {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const lengths = [
    31,
    Number(year) % 4 === 0 && (Number(year) % 100 !== 0 || Number(year) % 400 === 0) ? 29 : 28,
    31,
    30,
    31,
    30,
    31,
    31,
    30,
    31,
    30,
    31,
  ];
  return Number(year) > 0 && Number(day) >= 1 && Number(day) <= (lengths[Number(month) - 1] ?? 0);
}

export function isDayAndTime(text: string): boolean {
  return isDay(text.slice(0, 10)) && /^[ T]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,6})?)?(Z|[+-]\d\d:\d\d)?$/.test(text.slice(10));
}

const momentOf = (text: string): number | null => {
  if (isDay(text)) return Date.parse(`${text}T00:00Z`);
  if (!isDayAndTime(text)) return null;
  return Date.parse(`${text.replace(' ', 'T')}${/(Z|[+-]\d\d:\d\d)$/.test(text.slice(10)) ? '' : 'Z'}`);
};

const COMPARISONS: readonly (readonly [symbol: string, holds: (order: number) => boolean])[] = [
  ['=', (order) => order === 0],
  ['<>', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
];

const order = (x: string | number, y: string | number) => (x < y ? -1 : x > y ? 1 : 0);

const comparison = (
  left: Part<string> | Part<number>,
  right: Part<string> | Part<number>,
  [symbol, holds]: (typeof COMPARISONS)[number],
): Part<boolean> => ({
  source: `${left.source} ${symbol} ${right.source}`,
  of: (row) => {
    const [x, y] = [left.of(row), right.of(row)];
    return x === null || y === null ? null : holds(order(x, y));
  },
});

const negation = (part: Part<boolean>): Part<boolean> => ({ source: `NOT (${part.source})`, of: lift([part], (value: boolean) => !value) });

const conjunction = (left: Part<boolean>, right: Part<boolean>): Part<boolean> => ({
  source: `(${left.source}) AND (${right.source})`,
  of: (row) => {
    const values = [left.of(row), right.of(row)];
    return values.includes(false) ? false : values.includes(null) ? null : true;
  },
});

const disjunction = (left: Part<boolean>, right: Part<boolean>): Part<boolean> => ({
  source: `(${left.source}) or (${right.source})`,
  of: (row) => {
    const values = [left.of(row), right.of(row)];
    return values.includes(true) ? true : values.includes(null) ? null : false;
  },
});

const choice = <Value>(condition: Part<boolean>, yes: Part<Value>, no: Part<Value>): Part<Value> => ({
  source: `CASE WHEN ${condition.source} THEN ${yes.source} ELSE ${no.source} END`,
  of: (row) => (condition.of(row) === true ? yes.of(row) : no.of(row)),
});

const first = <Value>(left: Part<Value>, right: Part<Value>): Part<Value> => ({
  source: `coalesce(${left.source}, ${right.source})`,
  of: (row) => left.of(row) ?? right.of(row),
});

export const expressions = fc.letrec<Level>((tie) => {
  const number = tie('numbers');
  const text = tie('texts');
  const condition = tie('conditions');
  const time = tie('times');
  const column = (source: string, of: (row: TestRow) => number | null): Part<number> => ({ source, of });
  return {
    numbers: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom(
        column('`n`', (row) => row.n),
        column('x', (row) => row.x),
      ),
      numberLiteral,
      fc.tuple(number, number).map(([x, y]) => binary(x, y, '+', (a, b) => a + b)),
      fc.tuple(number, number).map(([x, y]) => binary(x, y, '-', (a, b) => a - b)),
      fc.tuple(number, number).map(([x, y]) => binary(x, y, '*', (a, b) => a * b)),
      fc.tuple(number, number).map(([x, y]) => binary(x, y, '/', (a, b) => (b === 0 ? null : a / b))),
      fc.tuple(number, number).map(([x, y]) => binary(x, y, '%', remainder)),
      number.map((x) => call('round', [x], round)),
      number.map((x) => call('Floor', [x], Math.floor)),
      number.map((x) => call('ceiling', [x], Math.ceil)),
      number.map((x) => call('abs', [x], Math.abs)),
      number.map((x) => call('sqrt', [x], (value: number) => (value < 0 ? null : Math.sqrt(value)))),
      text.map((x) => call('length', [x], (value: string) => characters(value).length)),
      fc.tuple(text, text).map(([x, y]) => call('position', [x, y], (a: string, b: string) => a.indexOf(b) + 1)),
      text.map((x): Part<number> => ({ source: `CAST(${x.source} AS DOUBLE)`, of: lift([x], numberOf) })),
      time.map((x) => call('year', [x], (ms: number) => new Date(ms).getUTCFullYear())),
      time.map((x) => call('unix_timestamp', [x], (ms: number) => ms / 1000)),
      fc
        .tuple(time, time)
        .map(([x, y]) => call('datediff', [x, y], (a: number, b: number) => Math.floor(a / DAY_MS) - Math.floor(b / DAY_MS))),
      fc.tuple(condition, number, number).map(([when, yes, no]) => choice(when, yes, no)),
      fc.tuple(number, number).map(([x, y]) => first(x, y)),
    ),
    texts: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constantFrom<Part<string>>({ source: '`t`', of: (row) => row.t }, { source: 'u', of: (row) => row.u }),
      textLiteral,
      text.map((x) => call('upper', [x], (value: string) => value.toUpperCase())),
      text.map((x) => call('lcase', [x], (value: string) => value.toLowerCase())),
      text.map((x) => call('trim', [x], (value: string) => value.replace(/^ +| +$/g, ''))),
      fc.tuple(text, text).map(([x, y]) => call('concat', [x, y], (a: string, b: string) => a + b)),
      fc
        .tuple(text, text)
        .map(([x, y]): Part<string> => ({ source: `(${x.source} || ${y.source})`, of: lift([x, y], (a: string, b: string) => a + b) })),
      fc
        .tuple(text, fc.integer({ min: -1, max: 6 }))
        .map(([x, count]) =>
          call('left', [x, { source: String(count), of: () => count }], (value: string, size: number) => value.slice(0, Math.max(0, size))),
        ),
      fc.tuple(text, fc.integer({ min: 0, max: 5 }), fc.integer({ min: -1, max: 5 })).map(([x, from, count]) =>
        call(
          'substring',
          [x, { source: String(from), of: () => from }, { source: String(count), of: () => count }],
          (value: string, start: number, size: number) =>
            characters(value)
              .slice(Math.max(1, clamp(start)) - 1, Math.max(1, clamp(start)) - 1 + Math.max(0, clamp(size)))
              .join(''),
        ),
      ),
      fc
        .tuple(text, text, text)
        .map(([x, y, z]) =>
          call('replace', [x, y, z], (value: string, from: string, to: string) => (from === '' ? value : value.replaceAll(from, () => to))),
        ),
      fc.constantFrom<Part<string>>(
        { source: 'cast(n as string)', of: (row) => (row.n === null ? null : String(row.n)) },
        { source: 'CAST(x AS STRING)', of: (row) => (row.x === null ? null : textOfNumber(row.x)) },
      ),
      fc.tuple(condition, text, text).map(([when, yes, no]) => choice(when, yes, no)),
    ),
    times: fc.oneof(
      { maxDepth: 2, withCrossShrink: true },
      fc.constantFrom(
        column('d', (row) => (row.d === null ? null : Date.parse(`${row.d}T00:00Z`))),
        column('ts', (row) => (row.ts === null ? null : Date.parse(`${row.ts.replace(' ', 'T')}Z`))),
        column('now()', () => NOW_MS),
      ),
      text.map((x): Part<number> => ({ source: `CAST(${x.source} AS TIMESTAMP)`, of: lift([x], momentOf) })),
    ),
    conditions: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.constant<Part<boolean>>({ source: 'b', of: (row) => row.b }),
      fc.tuple(number, number, fc.constantFrom(...COMPARISONS)).map(([x, y, how]) => comparison(x, y, how)),
      fc.tuple(text, text, fc.constantFrom(...COMPARISONS)).map(([x, y, how]) => comparison(x, y, how)),
      fc.tuple(time, time, fc.constantFrom(...COMPARISONS)).map(([x, y, how]) => comparison(x, y, how)),
      fc.tuple(condition, condition).map(([x, y]) => conjunction(x, y)),
      fc.tuple(condition, condition).map(([x, y]) => disjunction(x, y)),
      condition.map(negation),
      text.map((x): Part<boolean> => ({ source: `${x.source} IS NULL`, of: (row) => x.of(row) === null })),
      fc.tuple(text, text).map(([x, y]) => call('contains', [x, y], (a: string, b: string) => a.includes(b))),
      fc.tuple(text, text).map(([x, y]) => call('starts_with', [x, y], (a: string, b: string) => a.startsWith(b))),
      fc.tuple(text, text).map(([x, y]) => call('ends_with', [x, y], (a: string, b: string) => a.endsWith(b))),
      text.map(
        (x): Part<boolean> => ({ source: `${x.source} LIKE '%a_'`, of: lift([x], (value: string) => /^[\s\S]*a[\s\S]$/u.test(value)) }),
      ),
      fc.tuple(number, number, number).map(
        ([x, low, high]): Part<boolean> => ({
          source: `${x.source} BETWEEN ${low.source} AND ${high.source}`,
          of: conjunction(comparison(x, low, ['>=', (sign) => sign >= 0]), comparison(x, high, ['<=', (sign) => sign <= 0])).of,
        }),
      ),
    ),
  };
});
