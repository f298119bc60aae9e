// SPDX-License-Identifier: Apache-2.0
/**
 * How one engine writes what every plan needs. The functions take SQL expressions and return SQL expressions; only `identifier` and `literal`
 * take text from outside, and escape it. An engine's own way of saying a thing stands here and nowhere else. The same rows give the same metrics
 * on every engine, so a dialect says what these words mean here, not what its engine takes them for.
 *
 * Where Spark SQL differs from the other engines:
 * - `$` also matches before a final line end: write `\z`. `\s` includes the vertical tab: the plan writes sets of its own.
 * - A regular expression such as `(?:[^a]|a)*` overflows the stack on a text of 20,000 characters: write `(?s:.)*`.
 * - `trim(x, y)` has its arguments the other way around: write `trim(BOTH y FROM x)`. `greatest` takes two values at least.
 * - Nulls sort first; nothing here may depend on where they sort.
 * - `EXTRACT(DOW …)` is 1 to 7, from Sunday on.
 * - `try_cast` to a number, a date or a timestamp takes spellings that the forms of `expressions/portable-forms.ts` do not know: match first, cast then.
 * - `CAST(double AS BIGINT)` truncates: only whole numbers are cast. `sum` of BIGINT overflows: cast to DECIMAL(38, 0) before.
 * - Doubles are written as `1.0E16`, with `NaN` and `Infinity`; metrics read them back and write them here.
 */
import type { Column } from '@sextant/observability-connectors';
import type { Frequencies } from './frequencies.ts';

export type Dialect = {
  readonly name: 'duckdb' | 'postgresql' | 'spark';
  /** Result columns that one statement may have. */
  readonly selectLimit: number;
  /** At the end of an inner SELECT: it keeps the engine from computing a column again wherever the outer one reads it. */
  readonly computedOnce: string;
  /** A name in quotes, with the quotes in it doubled. */
  readonly identifier: (name: string) => string;
  /** A string constant. */
  readonly literal: (value: string) => string;
  /** A finite double. */
  readonly number: (value: number) => string;
  /** The value as text, as metrics show it; nested values as JSON. */
  readonly text: (sql: string, column: Column) => string;
  /** The value in a form that can be grouped by; its text is the same. The zeros of either sign are one. */
  readonly groupable: (sql: string, column: Column) => string;
  /** Any scalar as text, in the engine's own form. */
  readonly castText: (sql: string) => string;
  /** The shortest text of a double that is no whole number of up to fifteen digits. */
  readonly textOfFraction: (doubleSql: string) => string;
  /** Any number as the nearest double. */
  readonly castDouble: (sql: string) => string;
  /** Whether values are binary fractions, whose text each engine writes in its own way. */
  readonly isFloating: (column: Column) => boolean;
  /** The value of a column of binary fractions that is shown as this number; it need not be finite. */
  readonly floating: (value: number, column: Column) => string;
  /** A number, a date (milliseconds since the epoch) as the nearest double; null where it is not finite. */
  readonly double: (sql: string, column: Column) => string;
  /** Whether the square of every double of this type is a finite double. */
  readonly isSquarable: (column: Column) => boolean;
  /** The value of a date, date-time or text column as a timestamp in UTC; null where it is none. */
  readonly timestamp: (sql: string, column: Column) => string;
  /** The number that a text writes as a double, null where it writes none; never an error. */
  readonly numberOf: (textSql: string) => string;
  /** The date or date-time (UTC) that a text writes as a timestamp, null where it writes none; never an error. */
  readonly timestampOf: (textSql: string) => string;
  /** A timestamp constant in UTC, as the engine or ISO 8601 writes it. */
  readonly timestampLiteral: (text: string) => string;
  /** Milliseconds since the epoch, as the nearest double. */
  readonly epochMs: (timestampSql: string) => string;
  /** From 1, Sunday, to 7. */
  readonly dayOfWeek: (timestampSql: string) => string;
  /** Whole days from the first to the second. */
  readonly daysBetween: (startSql: string, endSql: string) => string;
  /** A whole number as a double. */
  readonly floor: (doubleSql: string) => string;
  readonly ceil: (doubleSql: string) => string;
  /** Towards zero. */
  readonly trunc: (doubleSql: string) => string;
  /** The greatest of several values that are not null; null where all are. */
  readonly greatest: (sqls: readonly string[]) => string;
  readonly least: (sqls: readonly string[]) => string;
  /** Where a part of the text begins, from 1; 0 where it is nowhere. */
  readonly position: (textSql: string, partSql: string) => string;
  readonly startsWith: (textSql: string, startSql: string) => string;
  /** Characters, not bytes. */
  readonly length: (textSql: string) => string;
  /** Bytes of UTF-8. */
  readonly byteLength: (textSql: string) => string;
  /** Whether a part of the text matches; patterns use what RE2 and PostgreSQL share (no look-around, no back-references, `\d \w \s`). */
  readonly regexMatches: (textSql: string, pattern: string) => string;
  /** The first part of the text that matches. */
  readonly firstMatch: (textSql: string, pattern: string) => string;
  /** What stands for the ends of the text and of its words (ASCII letters, digits, `_`) inside a pattern. */
  readonly patternSigns: {
    readonly start: string;
    readonly end: string;
    /** The same where they stand first and last, as they mostly do. */
    readonly first: string;
    readonly last: string;
    /** Any character, line ends too. */
    readonly anything: string;
    readonly wordBoundary: string;
    readonly noWordBoundary: string;
  };
  /** All matches replaced by a plain text. */
  readonly regexReplace: (textSql: string, pattern: string, replacement: string) => string;
  /** Bracket expression members for letters and for digits of any script. */
  readonly letters: string;
  readonly digits: string;
  /** Several texts as one that differs when any of them does; null when any is null. */
  readonly tuple: (textSqls: readonly string[]) => string;
  /** How lists of values are made shorter before they are sorted; an engine that sorts any number of them within bounded memory has none. */
  readonly narrowing?: {
    /** A number from 0 to 1, another one in each row. */
    readonly chance: string;
    /** How many values of the rows that meet the condition lie above the bound before and up to each of the ascending bounds, as a JSON array; an aggregate. */
    readonly histogram: (doubleSql: string, bounds: readonly number[], where: string | undefined) => string;
  };
  /** The values at these shares of those in the rows that meet the condition, as a JSON array of doubles; an aggregate. */
  readonly quantiles: (doubleSql: string, shares: readonly number[], where: string) => string;
  /** The median of doubles, between the middle ones; an aggregate. */
  readonly median: (doubleSql: string) => string;
  /** Whether the check digit of a number of up to twenty digits fits; what is no digit counts for nothing. */
  readonly luhnHolds: (textSql: string) => string;
  /** One of these numbers by its place, from 0; null for null. */
  readonly pick: (placeSql: string, values: readonly (number | null)[]) => string;
  /** A double that is a whole number below 2^63 as an integer. */
  readonly wholeNumber: (doubleSql: string) => string;
  /** The sum of 64-bit integers, exactly; an aggregate. */
  readonly sumOfIntegers: (integerSql: string) => string;
  /** The MD5 sum (32 lower-case hexadecimal digits) of the texts joined by U+001F, where nulls are left out: the same on every engine. */
  readonly hash: (textSqls: readonly string[]) => string;
  /** The text in a form that orders by its bytes. */
  readonly byteOrder: (textSql: string) => string;
  readonly frequencies: Frequencies;
  readonly mostFrequent: (request: MostFrequent) => FrequentList;
};

/** Texts whose rows have been counted, one of each in a group. */
export type MostFrequent = {
  readonly relation: string;
  /** The columns that groups are made by. */
  readonly by: readonly string[];
  readonly value: string;
  readonly count: string;
  readonly limit: number;
  readonly shownCharacters: number;
};

export type FrequentList = {
  /** What to select from in place of the relation. */
  readonly relation: string;
  /** A JSON array of `{"v": text, "n": count}`, the most frequent first, equals in the order of their bytes; an aggregate. */
  readonly list: string;
};
