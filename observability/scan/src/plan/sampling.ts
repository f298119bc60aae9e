// SPDX-License-Identifier: Apache-2.0
/**
 * Rows by a hash of what they hold: whoever asks twice gets the same rows, on every engine, whatever the order in which it reads them. Rows whose
 * hashed values are the same are chosen together.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';

/** Hexadecimal digits of the hash that say whether a row is chosen. */
const DIGITS = 8;

export type HashOptions = {
  readonly columns: readonly Column[];
  readonly dialect: Dialect;
  /** Other rows for another asset. */
  readonly seed: string;
};

/** The hash of a row by these columns, as text. */
export function hashOfRow({ columns, dialect, seed }: HashOptions): string {
  const texts = columns.map((column) => dialect.text(dialect.identifier(column.name), column));
  // Nothing distinguishes a null from an empty text; that chooses them together, no more.
  const present = texts.map((text) => `coalesce(${text}, ${dialect.literal('')})`);
  return dialect.byteOrder(dialect.hash([dialect.literal(seed), ...present]));
}

/** A condition that so many per cent of the rows meet. */
export function isSampled(hash: string, percent: number, dialect: Dialect): string {
  const bound = Math.min(16 ** DIGITS - 1, Math.round((percent / 100) * 16 ** DIGITS));
  return `${hash} < ${dialect.literal(bound.toString(16).padStart(DIGITS, '0'))}`;
}

/** The order of the hash, in which only rows that hold the same are equal. */
export function orderOfRows(options: HashOptions): readonly string[] {
  const { columns, dialect } = options;
  const hashed = hashedColumns(columns, dialect);
  const others = columns.filter((column) => !hashed.includes(column));
  const keys = others.map((column) => {
    const sql = dialect.identifier(column.name);
    return dialect.isFloating(column)
      ? `coalesce(${dialect.double(sql, column)}, 0)`
      : dialect.byteOrder(`coalesce(${dialect.text(sql, column)}, ${dialect.literal('')})`);
  });
  return [hashOfRow({ ...options, columns: hashed }), ...keys];
}

/** Columns whose text is the same on every engine; all where none is. */
export function hashedColumns(columns: readonly Column[], dialect: Dialect): readonly Column[] {
  const portable = columns.filter((column) => column.data_type !== 'OTHER' && !dialect.isFloating(column));
  return portable.length === 0 ? columns : portable;
}
