// SPDX-License-Identifier: Apache-2.0
/**
 * The functions that may be called: no other name reaches an engine. Each is written so that both engines agree and that none fails on
 * a value (a square root of a negative number is null), because one bad row must not end a scan.
 */
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from './expression-error.ts';
import type { Position } from './tokens.ts';
import {
  asDate,
  asNumber,
  asText,
  asTimestamp,
  finiteDate,
  msOfDate,
  nameOfType,
  type ScalarType,
  type TypedSql,
  typedTimestamp,
  unify,
} from './typed-sql.ts';

/** What a function may use: the engine, the time of the scan, and where the call stands. */
export type CallContext = { readonly dialect: Dialect; readonly nowMs: number; readonly at: Position };

/** A day stays a date, which may lie beyond all timestamps; all else that is a time is a timestamp. */
type Parameter = 'text' | 'number' | 'timestamp' | 'date' | 'day or time';

type ScalarFunction = {
  readonly parameters: readonly Parameter[];
  /** How many of the last parameters may be left out. */
  readonly optional?: number;
  readonly result: ScalarType;
  readonly sql: (parameters: readonly string[], context: CallContext) => string;
};

/** For functions that ask what type they are given. */
type GeneralFunction = {
  readonly least: number;
  readonly most: number;
  readonly apply: (parameters: readonly TypedSql[], context: CallContext) => TypedSql;
};

const MOST_PARAMETERS = 100;

/** Positions and counts as an engine's integer; whatever is beyond a million is a million. */
function integer(dialect: Dialect, sql: string): string {
  return `CAST(CASE WHEN ${sql} > 1e6 THEN 1e6 WHEN ${sql} < -1e6 THEN -1e6 ELSE ${dialect.trunc(sql)} END AS INTEGER)`;
}

function atLeast(dialect: Dialect, minimum: number, sql: string): string {
  return `CASE WHEN ${sql} < ${minimum} THEN ${minimum} ELSE ${integer(dialect, sql)} END`;
}

function numeric(sql: (x: string, dialect: Dialect) => string): ScalarFunction {
  return { parameters: ['number'], result: 'number', sql: ([x = ''], { dialect }) => sql(x, dialect) };
}

/** Half away from zero, which is what people expect; PostgreSQL alone rounds doubles half to even. */
function rounded(dialect: Dialect, x: string): string {
  return `(sign(${x}) * ${dialect.floor(`abs(${x}) + 0.5e0`)})`;
}

/** `exp` of more than 709 is no double any more, and of less than -745 it is zero; PostgreSQL refuses both. */
function power(dialect: Dialect, base: string, exponent: string): string {
  const guarded = (magnitude: string) => `CASE WHEN abs(${exponent} * ln(${magnitude})) < 700 THEN power(${base}, ${exponent}) END`;
  return `(CASE WHEN ${base} > 0 THEN ${guarded(base)} WHEN ${base} = 0 AND ${exponent} = 0 THEN ${dialect.number(1)} WHEN ${base} = 0 AND ${exponent} > 0 THEN ${dialect.number(0)} WHEN ${base} < 0 AND ${exponent} = ${dialect.trunc(exponent)} THEN ${guarded(`-${base}`)} END)`;
}

function part(field: string, parameter: 'timestamp' | 'day or time' = 'day or time'): ScalarFunction {
  return {
    parameters: [parameter],
    result: 'number',
    sql: ([x], { dialect }) => dialect.castDouble(`floor(EXTRACT(${field} FROM ${x}))`),
  };
}

/** Far beyond any calendar in use, and within what both engines' dates hold. */
const MOST_DAYS = 1_000_000;

function shiftedDate(sign: '+' | '-'): ScalarFunction {
  return {
    parameters: ['date', 'number'],
    result: 'date',
    sql: ([date, days = ''], { dialect }) =>
      `CASE WHEN abs(${days}) <= ${MOST_DAYS} THEN ${date} ${sign} CAST(${dialect.trunc(days)} AS INTEGER) END`,
  };
}

const MATHEMATICS: { readonly [name: string]: ScalarFunction } = {
  abs: numeric((x) => `abs(${x})`),
  ceil: numeric((x, dialect) => dialect.ceil(x)),
  floor: numeric((x, dialect) => dialect.floor(x)),
  trunc: numeric((x, dialect) => dialect.trunc(x)),
  sign: numeric((x, dialect) => dialect.castDouble(`sign(${x})`)),
  sqrt: numeric((x) => `(CASE WHEN ${x} >= 0 THEN sqrt(${x}) END)`),
  exp: numeric((x) => `(CASE WHEN abs(${x}) < 700 THEN exp(${x}) END)`),
  ln: numeric((x) => `(CASE WHEN ${x} > 0 THEN ln(${x}) END)`),
  log10: numeric((x, dialect) => `(CASE WHEN ${x} > 0 THEN ln(${x}) / ln(${dialect.number(10)}) END)`),
  power: { parameters: ['number', 'number'], result: 'number', sql: ([x = '', y = ''], { dialect }) => power(dialect, x, y) },
  mod: { parameters: ['number', 'number'], result: 'number', sql: ([x = '', y = ''], { dialect }) => remainder(dialect, x, y) },
  round: {
    parameters: ['number', 'number'],
    optional: 1,
    result: 'number',
    sql: ([x = '', places], { dialect }) => {
      if (places === undefined) return rounded(dialect, x);
      const factor = powerOfTen(dialect, places);
      return `(${rounded(dialect, `(${x} * ${factor})`)} / ${factor})`;
    },
  },
};

function powerOfTen(dialect: Dialect, places: string): string {
  return `power(${dialect.number(10)}, CASE WHEN ${places} > 15 THEN 15 WHEN ${places} < -15 THEN -15 ELSE ${dialect.trunc(places)} END)`;
}

/** What is left of a truncated division, with the sign of the first; null for a division by zero. */
export function remainder(dialect: Dialect, x: string, y: string): string {
  return `(${x} - ${y} * ${dialect.trunc(`${x} / NULLIF(${y}, 0)`)})`;
}

const TEXTS: { readonly [name: string]: ScalarFunction } = {
  length: { parameters: ['text'], result: 'number', sql: ([x = ''], { dialect }) => dialect.castDouble(dialect.length(x)) },
  upper: { parameters: ['text'], result: 'text', sql: ([x]) => `upper(${x})` },
  lower: { parameters: ['text'], result: 'text', sql: ([x]) => `lower(${x})` },
  trim: { parameters: ['text'], result: 'text', sql: ([x]) => `trim(BOTH ' ' FROM ${x})` },
  ltrim: { parameters: ['text'], result: 'text', sql: ([x]) => `trim(LEADING ' ' FROM ${x})` },
  rtrim: { parameters: ['text'], result: 'text', sql: ([x]) => `trim(TRAILING ' ' FROM ${x})` },
  left: {
    parameters: ['text', 'number'],
    result: 'text',
    sql: ([x, count = ''], { dialect }) => `left(${x}, ${atLeast(dialect, 0, count)})`,
  },
  right: {
    parameters: ['text', 'number'],
    result: 'text',
    sql: ([x, count = ''], { dialect }) => `right(${x}, ${atLeast(dialect, 0, count)})`,
  },
  substring: {
    parameters: ['text', 'number', 'number'],
    optional: 1,
    result: 'text',
    sql: ([x, start = '', count], { dialect }) =>
      `substr(${[x, atLeast(dialect, 1, start), ...(count === undefined ? [] : [atLeast(dialect, 0, count)])].join(', ')})`,
  },
  replace: { parameters: ['text', 'text', 'text'], result: 'text', sql: ([x, from, to]) => `replace(${x}, ${from}, ${to})` },
  position: {
    parameters: ['text', 'text'],
    result: 'number',
    sql: ([x = '', part = ''], { dialect }) => dialect.castDouble(dialect.position(x, part)),
  },
  contains: {
    parameters: ['text', 'text'],
    result: 'boolean',
    sql: ([x = '', part = ''], { dialect }) => `(${dialect.position(x, part)} > 0)`,
  },
  starts_with: {
    parameters: ['text', 'text'],
    result: 'boolean',
    sql: ([x = '', start = ''], { dialect }) => dialect.startsWith(x, start),
  },
  ends_with: {
    parameters: ['text', 'text'],
    result: 'boolean',
    sql: ([x, end]) => `(right(${x}, CAST(length(${end}) AS INTEGER)) = ${end})`,
  },
};

const TIMES: { readonly [name: string]: ScalarFunction } = {
  now: { parameters: [], result: 'timestamp', sql: (_, { nowMs }) => typedTimestamp(nowMs).sql },
  to_date: { parameters: ['date'], result: 'date', sql: ([x = '']) => x },
  year: part('YEAR'),
  quarter: part('QUARTER'),
  month: part('MONTH'),
  day: part('DAY'),
  hour: part('HOUR', 'timestamp'),
  minute: part('MINUTE', 'timestamp'),
  second: part('SECOND', 'timestamp'),
  /** From 1, Sunday, to 7, as in Spark SQL. */
  dayofweek: { parameters: ['day or time'], result: 'number', sql: ([x = ''], { dialect }) => dialect.castDouble(dialect.dayOfWeek(x)) },
  /** Whole days from the second to the first, as in Spark SQL. */
  datediff: {
    parameters: ['date', 'date'],
    result: 'number',
    sql: ([end = '', start = ''], { dialect }) => dialect.castDouble(dialect.daysBetween(start, end)),
  },
  date_add: shiftedDate('+'),
  date_sub: shiftedDate('-'),
};

function epochMs(value: TypedSql, { dialect, at }: CallContext): string {
  return value.type === 'date' ? `(${msOfDate(dialect, value.sql)})` : dialect.epochMs(asTimestamp(dialect, value, at));
}

const BY_TYPE: { readonly [name: string]: GeneralFunction } = {
  coalesce: {
    least: 1,
    most: MOST_PARAMETERS,
    apply: (values, context) => together(values, context, (sqls) => `COALESCE(${sqls.join(', ')})`),
  },
  nullif: { least: 2, most: 2, apply: (values, context) => together(values, context, ([x, y]) => `NULLIF(${x}, ${y})`) },
  greatest: { least: 1, most: MOST_PARAMETERS, apply: (values, context) => extreme('greatest', values, context) },
  least: { least: 1, most: MOST_PARAMETERS, apply: (values, context) => extreme('least', values, context) },
  unix_timestamp: {
    least: 1,
    most: 1,
    apply: (values, context) => ({ type: 'number', sql: values.map((value) => `(${epochMs(value, context)} / 1000)`).join('') }),
  },
  concat: {
    least: 1,
    most: MOST_PARAMETERS,
    apply: (values, { dialect }) => ({ sql: `(${values.map((value) => asText(dialect, value)).join(' || ')})`, type: 'text' }),
  },
};

function together(values: readonly TypedSql[], { dialect, at }: CallContext, sql: (sqls: readonly string[]) => string): TypedSql {
  const { type, sqls } = unify(dialect, values, at);
  return { type, sql: sql(sqls) };
}

/** Nulls are passed over, as both engines do. Texts have no greatest one: their order would be the database's. */
function extreme(name: 'greatest' | 'least', values: readonly TypedSql[], context: CallContext): TypedSql {
  const { type, sql } = together(values, context, (sqls) => context.dialect[name](sqls));
  if (type === 'text') throw new ExpressionError(context.at, `${name} takes numbers or times, but this is a text`);
  return { type, sql };
}

const ALIASES: { readonly [name: string]: string } = {
  ceiling: 'ceil',
  pow: 'power',
  log: 'ln',
  char_length: 'length',
  ucase: 'upper',
  lcase: 'lower',
  substr: 'substring',
  instr: 'position',
  startswith: 'starts_with',
  endswith: 'ends_with',
  ifnull: 'coalesce',
  nvl: 'coalesce',
  current_timestamp: 'now',
  dayofmonth: 'day',
};

const SCALARS = new Map(Object.entries({ ...MATHEMATICS, ...TEXTS, ...TIMES }));
const GENERALS = new Map(Object.entries(BY_TYPE));
const OTHER_NAMES = new Map(Object.entries(ALIASES));

/** Every name that can be called. */
export const FUNCTION_NAMES: ReadonlySet<string> = new Set([...SCALARS.keys(), ...GENERALS.keys(), ...OTHER_NAMES.keys()]);

export function isScalarFunction(name: string): boolean {
  return FUNCTION_NAMES.has(name);
}

/** The call as SQL. Throws an `ExpressionError` for a wrong number or type of parameters. */
export function compileCall(calledAs: string, values: readonly TypedSql[], context: CallContext): TypedSql {
  const name = OTHER_NAMES.get(calledAs) ?? calledAs;
  const general = GENERALS.get(name);
  if (general !== undefined) {
    assertCount(calledAs, values.length, general, context.at);
    return general.apply(values, context);
  }
  const scalar = SCALARS.get(name);
  if (scalar === undefined) throw new ExpressionError(context.at, `the function ${calledAs} is not allowed here`);
  const most = scalar.parameters.length;
  assertCount(calledAs, values.length, { least: most - (scalar.optional ?? 0), most }, context.at);
  const parameters = values.map((value, index) => convert(value, scalar.parameters[index] ?? 'text', name, context));
  return { type: scalar.result, sql: scalar.sql(parameters, context) };
}

function assertCount(name: string, count: number, { least, most }: { readonly least: number; readonly most: number }, at: Position): void {
  if (count >= least && count <= most) return;
  const expected = least === most ? `${least}` : `${least} to ${most}`;
  throw new ExpressionError(at, `${name} takes ${expected} values, but has ${count}`);
}

function convert(value: TypedSql, parameter: Parameter, name: string, { dialect, at }: CallContext): string {
  switch (parameter) {
    case 'text':
      if (value.type === 'boolean') throw new ExpressionError(at, `${name} takes a text, but this is ${nameOfType(value.type)}`);
      return asText(dialect, value);
    case 'number':
      return asNumber(dialect, value, at);
    case 'timestamp':
      return asTimestamp(dialect, value, at);
    case 'date':
      return value.type === 'date' ? finiteDate(dialect, value.sql) : asDate(dialect, value, at);
    case 'day or time':
      return value.type === 'date' ? finiteDate(dialect, value.sql) : asTimestamp(dialect, value, at);
  }
}
