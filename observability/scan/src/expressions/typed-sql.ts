// SPDX-License-Identifier: Apache-2.0
/**
 * SQL expressions with the light types of the language, and the ways from one type to another. Numbers are doubles: what is
 * computed, compared or counted here is rounded as IEEE 754 rounds it, the same on every engine. No conversion can fail while rows are
 * read: what cannot be converted is null.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from './expression-error.ts';
import { numberOfText, timestampOfText } from './portable-forms.ts';
import type { Position } from './tokens.ts';

export type ScalarType = 'text' | 'number' | 'boolean' | 'date' | 'timestamp' | 'null';

export type TypedSql = {
  readonly sql: string;
  readonly type: ScalarType;
  /** What a text constant says, so that it can be read as a number or a time where it meets one. */
  readonly constant?: string;
  /** For an integer of the source: itself, exact when shown as text. */
  readonly integer?: string;
};

const NAMES: { readonly [Type in ScalarType]: string } = {
  text: 'a text',
  number: 'a number',
  boolean: 'true or false',
  date: 'a date',
  timestamp: 'a date-time',
  null: 'null',
};

export function nameOfType(type: ScalarType): string {
  return NAMES[type];
}

export function typedText(dialect: Dialect, value: string): TypedSql {
  return { sql: dialect.literal(value), type: 'text', constant: value };
}

export function typedNumber(dialect: Dialect, value: number): TypedSql {
  return { sql: dialect.number(value), type: 'number' };
}

/** A moment as a UTC timestamp; null when it lies outside what both engines can hold. */
export function typedTimestamp(ms: number): TypedSql {
  return { sql: `CAST('${new Date(ms).toISOString().slice(0, -1)}' AS TIMESTAMP)`, type: 'timestamp' };
}

/** An attribute as it stands in the relation; a number that is not finite is null. */
export function typedColumn(dialect: Dialect, column: Column): TypedSql {
  const sql = dialect.identifier(column.name);
  switch (column.data_type) {
    case 'STRING':
      return { sql, type: 'text' };
    case 'INTEGER':
      return { sql: dialect.double(sql, column), type: 'number', integer: sql };
    case 'DECIMAL':
      return { sql: `(${dialect.double(sql, column)})`, type: 'number' };
    case 'BOOLEAN':
      return { sql, type: 'boolean' };
    case 'DATE':
      return { sql, type: 'date' };
    case 'TIMESTAMP':
      return { sql: `(${dialect.timestamp(sql, column)})`, type: 'timestamp' };
    case 'OTHER':
      return { sql: dialect.text(sql, column), type: 'text' };
  }
}

export function asNumber(dialect: Dialect, value: TypedSql, at: Position): string {
  if (value.type === 'number') return value.sql;
  if (value.type === 'null') return dialect.castDouble('NULL');
  if (value.type !== 'text') throw new ExpressionError(at, `expected a number, but this is ${nameOfType(value.type)}`);
  if (value.constant !== undefined) return typedNumber(dialect, numberFrom(value.constant, at)).sql;
  return numberOfText(dialect, value.sql);
}

const NUMBER = /^[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/;

/** The number that a text constant writes. */
function numberFrom(text: string, at: Position): number {
  const value = NUMBER.test(text.trim()) ? Number(text) : Number.NaN;
  if (!Number.isFinite(value)) throw new ExpressionError(at, `expected a number, but ${JSON.stringify(text)} is none`);
  return value;
}

/** Texts of decimals are the shortest that parse to the same number; whole numbers have no point. */
export function asText(dialect: Dialect, value: TypedSql): string {
  switch (value.type) {
    case 'text':
      return value.sql;
    case 'number':
      return value.integer === undefined ? textOfDouble(dialect, value.sql) : dialect.castText(value.integer);
    case 'boolean':
      return `CASE WHEN ${value.sql} THEN 'true' WHEN NOT ${value.sql} THEN 'false' END`;
    case 'date':
    case 'timestamp':
      return dialect.castText(value.sql);
    case 'null':
      return dialect.castText('NULL');
  }
}

/** Below 1e15 both engines agree on when to leave out the exponent, except for whole numbers, which one of them writes as `1.0`. */
function textOfDouble(dialect: Dialect, sql: string): string {
  const whole = dialect.castText(`CAST(${sql} AS BIGINT)`);
  return `CASE WHEN abs(${sql}) < 1e15 AND ${sql} = ${dialect.trunc(sql)} THEN ${whole} ELSE ${dialect.textOfFraction(sql)} END`;
}

/** A day of a calendar: engines know more of them than timestamps. */
const DAY: Column = { name: 'day', source_type: 'date', data_type: 'DATE' };

/** Milliseconds since 1970 of a date, however far it is. */
export function msOfDate(dialect: Dialect, date: string): string {
  return dialect.double(date, DAY);
}

/** Null where it is no day, as infinity. */
export function finiteDate(dialect: Dialect, date: string): string {
  return `(CASE WHEN ${msOfDate(dialect, date)} IS NOT NULL THEN ${date} END)`;
}

export function asTimestamp(dialect: Dialect, value: TypedSql, at: Position): string {
  switch (value.type) {
    case 'timestamp':
      return value.sql;
    case 'date':
      return `(${dialect.timestamp(value.sql, DAY)})`;
    case 'text':
      if (value.constant !== undefined) return typedTimestamp(timeFrom(value.constant, at)).sql;
      return timestampOfText(dialect, value.sql);
    case 'null':
      return 'CAST(NULL AS TIMESTAMP)';
    case 'number':
    case 'boolean':
      throw new ExpressionError(at, `expected a date or date-time, but this is ${nameOfType(value.type)}`);
  }
}

/** ISO 8601 without weeks and ordinals; without an offset it is UTC. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[ T](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?)(Z|[+-]\d{2}:\d{2})?)?$/;

/** The moment that a text constant writes, in milliseconds since 1970. */
function timeFrom(text: string, at: Position): number {
  const [, day = '', time = '00:00', offset = 'Z'] = TIME.exec(text) ?? [];
  const ms = Date.parse(`${day}T${time}${offset}`);
  // Date.parse takes 30 February for 1 March; the day written back must be the day written.
  const isReal = !Number.isNaN(ms) && new Date(Date.parse(`${day}T00:00Z`)).toISOString().startsWith(day) && !day.startsWith('0000');
  if (!isReal)
    throw new ExpressionError(
      at,
      `expected a date or date-time such as 2026-01-31 or 2026-01-31T08:00:00Z, but found ${JSON.stringify(text)}`,
    );
  return ms;
}

export function asBoolean(value: TypedSql, at: Position): string {
  if (value.type === 'boolean') return value.sql;
  if (value.type === 'null') return 'CAST(NULL AS BOOLEAN)';
  throw new ExpressionError(at, `expected a condition, but this is ${nameOfType(value.type)}`);
}

/** Values brought to one type, as the sides of a comparison or the branches of a CASE are. */
export type Unified = { readonly type: ScalarType; readonly sqls: readonly string[] };

/** A text beside a number is read as a number, a text beside a time as a time. */
export function unify(dialect: Dialect, values: readonly TypedSql[], at: Position): Unified {
  const types = new Set(values.map(({ type }) => type).filter((type) => type !== 'null'));
  if (types.has('boolean')) {
    assertOnly(types, ['boolean'], at);
    return { type: 'boolean', sqls: values.map((value) => asBoolean(value, at)) };
  }
  if (types.has('number')) {
    assertOnly(types, ['number', 'text'], at);
    return { type: 'number', sqls: values.map((value) => asNumber(dialect, value, at)) };
  }
  if (types.has('date') || types.has('timestamp')) {
    if (types.size === 1 && types.has('date')) return { type: 'date', sqls: values.map((value) => asDate(dialect, value, at)) };
    return { type: 'timestamp', sqls: values.map((value) => asTimestamp(dialect, value, at)) };
  }
  return { type: types.has('text') ? 'text' : 'null', sqls: values.map((value) => asText(dialect, value)) };
}

function assertOnly(types: ReadonlySet<ScalarType>, allowed: readonly ScalarType[], at: Position): void {
  const others = [...types].filter((type) => !allowed.includes(type));
  if (others.length === 0) return;
  throw new ExpressionError(at, `${[...types].map(nameOfType).join(' and ')} cannot be brought together; convert one of them`);
}

export function asDate(dialect: Dialect, value: TypedSql, at: Position): string {
  return value.type === 'date' ? value.sql : `CAST(${asTimestamp(dialect, value, at)} AS DATE)`;
}

/** Order of texts is that of their code points on every engine, whatever the collation of the database. */
export function ordered(dialect: Dialect, type: ScalarType, sql: string): string {
  return type === 'text' ? dialect.byteOrder(sql) : sql;
}
