/**
 * How one engine writes what every plan needs. The functions take SQL expressions and return SQL expressions; only `identifier` and `literal`
 * take text from outside, and escape it. An engine's own way of saying a thing stands here and nowhere else.
 */
import type { Column } from '@sextant/observability-connectors';

export interface Dialect {
  readonly name: 'duckdb' | 'postgresql';
  /** A name in quotes, with the quotes in it doubled. */
  identifier(name: string): string;
  /** A string constant. */
  literal(value: string): string;
  /** The value as text, as metrics show it; nested values as JSON. */
  text(sql: string, column: Column): string;
  /** Any scalar as text, in the engine's own form. */
  castText(sql: string): string;
  /** The number that a text writes as a double, null where it writes none; never an error. */
  numberOf(textSql: string): string;
  /** The date or date-time (UTC) that a text writes as a timestamp, null where it writes none; never an error. */
  timestampOf(textSql: string): string;
  /** The timestamp as text: ISO 8601, UTC, milliseconds. */
  isoTime(timestampSql: string): string;
  /** Characters, not bytes. */
  length(textSql: string): string;
  /** Whether a part of the text matches; patterns use what RE2 and PostgreSQL share (no look-around, no back-references, `\d \w \s`). */
  regexMatches(textSql: string, pattern: string): string;
  /** All matches replaced by a plain text. */
  regexReplace(textSql: string, pattern: string, replacement: string): string;
  /** Bracket expression members for letters and for digits of any script. */
  readonly letters: string;
  readonly digits: string;
  /** Whether a row of a relation falls into the first `percent` of a hash of the row. */
  sampled(rowAlias: string, percent: number): string;
}
