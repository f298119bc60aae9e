/**
 * How one engine writes what every plan needs. The functions take SQL expressions and return SQL expressions; only `identifier` and `literal`
 * take text from outside, and escape it. An engine's own way of saying a thing stands here and nowhere else.
 */
import type { Column } from '@sextant/observability-connectors';

export type Dialect = {
  readonly name: 'duckdb' | 'postgresql';
  /** Result columns that one statement may have. */
  readonly selectLimit: number;
  /** A name in quotes, with the quotes in it doubled. */
  readonly identifier: (name: string) => string;
  /** A string constant. */
  readonly literal: (value: string) => string;
  /** The value as text, as metrics show it; nested values as JSON. */
  readonly text: (sql: string, column: Column) => string;
  /** The value in a form that can be grouped by; its text is the same. */
  readonly groupable: (sql: string, column: Column) => string;
  /** Any scalar as text, in the engine's own form. */
  readonly castText: (sql: string) => string;
  /** A number, a date (milliseconds since the epoch) as a double; null where it is not finite. */
  readonly double: (sql: string, column: Column) => string;
  /** Whether the square of every double of this type is a finite double. */
  readonly isSquarable: (column: Column) => boolean;
  /** The value of a date, date-time or text column as a timestamp in UTC; null where it is none. */
  readonly timestamp: (sql: string, column: Column) => string;
  /** The number that a text writes as a double, null where it writes none; never an error. */
  readonly numberOf: (textSql: string) => string;
  /** The date or date-time (UTC) that a text writes as a timestamp, null where it writes none; never an error. */
  readonly timestampOf: (textSql: string) => string;
  /** Milliseconds since the epoch, as a double. */
  readonly epochMs: (timestampSql: string) => string;
  /** Characters, not bytes. */
  readonly length: (textSql: string) => string;
  /** Bytes of UTF-8. */
  readonly byteLength: (textSql: string) => string;
  /** Whether a part of the text matches; patterns use what RE2 and PostgreSQL share (no look-around, no back-references, `\d \w \s`). */
  readonly regexMatches: (textSql: string, pattern: string) => string;
  /** All matches replaced by a plain text. */
  readonly regexReplace: (textSql: string, pattern: string, replacement: string) => string;
  /** Bracket expression members for letters and for digits of any script. */
  readonly letters: string;
  readonly digits: string;
  /** Several texts as one that differs when any of them does; null when any is null. */
  readonly tuple: (textSqls: readonly string[]) => string;
  /**
   * Quantiles as a JSON array of doubles in the order of `shares`: exact ones lie between their neighbours and hold all values in memory,
   * approximate ones hold few. Where an engine has no approximate ones they are exact.
   */
  readonly quantiles: (doubleSql: string, shares: readonly number[], accuracy: 'exact' | 'approximate') => string;
  /** The text in a form that orders by its bytes. */
  readonly byteOrder: (textSql: string) => string;
  /** The first `limit` of ranked values as a JSON array of `{"v": value, "n": count}`, in the order of their rank; an aggregate. */
  readonly rankedList: (columns: {
    readonly value: string;
    readonly count: string;
    readonly rank: string;
    readonly limit: number;
  }) => string;
  /** Whether a row of the relation with this alias is in the sample. */
  readonly sampled: (rowAlias: string, percent: number) => string;
};
