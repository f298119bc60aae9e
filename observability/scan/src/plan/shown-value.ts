// SPDX-License-Identifier: Apache-2.0
/**
 * Values as people see and name them. The digits of binary fractions are the engine's, which differ in nothing but their form; the form is
 * JavaScript's, so that a value has one name whatever measured it.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';

/** How engines write what is no finite number. */
const SPECIAL = /^([+-]?)(nan|inf|infinity)$/i;

/** The text of a binary fraction by the text that the engine writes. */
export function shownFloating(text: string): string {
  return String(numberOf(text) ?? text);
}

/** Of a column, the text of a value by the text that the engine writes. */
export function shownText(column: Column, dialect: Dialect): (text: string) => string {
  return dialect.isFloating(column) ? shownFloating : (text) => text;
}

/** A condition that a column has one of the values that are shown like this. */
export function hasValue(column: Column, texts: readonly string[], dialect: Dialect): string {
  const sql = dialect.identifier(column.name);
  if (!dialect.isFloating(column)) return isAnyOf(dialect.text(sql, column), texts.map(dialect.literal));
  const numbers = texts.flatMap((text) => numberOf(text) ?? []);
  return numbers.length === 0
    ? '(FALSE)'
    : isAnyOf(
        sql,
        numbers.map((number) => dialect.floating(number, column)),
      );
}

function isAnyOf(sql: string, values: readonly string[]): string {
  return values.length === 1 ? `${sql} = ${values[0]}` : `${sql} IN (${values.join(', ')})`;
}

/** Undefined for a text that writes no number. */
function numberOf(text: string): number | undefined {
  const trimmed = text.trim();
  const [, sign, word = ''] = SPECIAL.exec(trimmed) ?? [];
  if (word.toLowerCase() === 'nan') return Number.NaN;
  if (word !== '') return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const value = trimmed === '' ? Number.NaN : Number(trimmed);
  return Number.isNaN(value) ? undefined : value;
}
