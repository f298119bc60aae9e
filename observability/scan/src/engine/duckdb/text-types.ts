// SPDX-License-Identifier: Apache-2.0
/** The types that values of text files have here, and how a text becomes one: DuckDB's casts take more than is meant. */
import type { Reading } from '@sextant/contracts-observability';
import type { Column } from '@sextant/observability-connectors';
import { duckdbDialect } from '../../dialect/duckdb.ts';

export type TextType = 'VARCHAR' | 'BOOLEAN' | 'BIGINT' | 'HUGEINT' | 'DOUBLE' | 'DATE' | 'TIMESTAMP';

/** A column as it is to be read. */
export type TextColumn = {
  readonly name: string;
  readonly type: TextType;
  /** Declared types stay; others are only likely, and give way to what the values are. */
  readonly isDeclared: boolean;
  /** No value of it was seen yet. */
  readonly isEmpty?: boolean;
};

export type Conventions = Pick<Reading, 'decimal_separator' | 'date_format'>;

export function textTypeOf({ data_type: type, source_type: source }: Pick<Column, 'data_type' | 'source_type'>): TextType {
  switch (type) {
    case 'INTEGER':
      return source === 'HUGEINT' ? 'HUGEINT' : 'BIGINT';
    case 'DECIMAL':
      return 'DOUBLE';
    case 'BOOLEAN':
    case 'DATE':
    case 'TIMESTAMP':
      return type;
    case 'STRING':
    case 'OTHER':
      return 'VARCHAR';
  }
}

const { literal } = duckdbDialect;

type Words = readonly (readonly [word: string, value: boolean])[];
const LIKELY_WORDS: Words = [
  ['true', true],
  ['false', false],
];
/** Of a column that somebody declared: which of two values is meant is plain then. */
const DECLARED_WORDS: Words = [
  ...LIKELY_WORDS,
  ['yes', true],
  ['no', false],
  ['y', true],
  ['n', false],
  ['t', true],
  ['f', false],
  ['1', true],
  ['0', false],
];

/** The value of a text, null where it writes none of the type. */
export function valueOfText(
  text: string,
  { type, isDeclared }: Pick<TextColumn, 'type' | 'isDeclared'>,
  conventions: Conventions = {},
): string {
  const cast = `TRY_CAST(${text} AS ${type})`;
  switch (type) {
    case 'VARCHAR':
      return text;
    case 'BOOLEAN': {
      const words = isDeclared ? DECLARED_WORDS : LIKELY_WORDS;
      return `CASE lower(trim(${text})) ${words.map(([word, value]) => `WHEN ${literal(word)} THEN ${value}`).join(' ')} END`;
    }
    case 'BIGINT':
    case 'HUGEINT': {
      // Most are written as DuckDB writes them, which costs less than to match them. Only who declared a column of integers takes 007 for 7.
      const form = isDeclared ? '\\s*[+-]?[0-9]+\\s*' : '\\s*-?(0|[1-9][0-9]*)\\s*';
      return `CASE WHEN CAST(${cast} AS VARCHAR) = ${text} OR regexp_full_match(${text}, ${literal(form)}) THEN ${cast} END`;
    }
    case 'DOUBLE': {
      const isComma = conventions.decimal_separator === ',';
      const number = `TRY_CAST(${isComma ? `replace(${text}, ',', '.')` : text} AS DOUBLE)`;
      // DuckDB takes 1_0 for 10, and words for what is no number.
      return `CASE WHEN isfinite(${number}) AND NOT contains(${text}, '_')${isComma ? ` AND NOT contains(${text}, '.')` : ''} THEN ${number} END`;
    }
    case 'DATE': {
      const iso = `CASE WHEN length(trim(${text})) <= 10 AND regexp_matches(${text}, '^\\s*[0-9]{4}[-/]') THEN ${cast} END`;
      const { date_format: format = '%Y-%m-%d' } = conventions;
      if (format === '%Y-%m-%d') return `CASE WHEN length(trim(${text})) <= 10 AND ${isNoWord(text, cast)} THEN ${cast} END`;
      return `coalesce(CAST(try_strptime(trim(${text}), ${literal(format)}) AS DATE), ${iso})`;
    }
    case 'TIMESTAMP':
      return `CASE WHEN ${isNoWord(text, cast)} THEN ${cast} END`;
  }
}

/** DuckDB takes `epoch` and `infinity` for times; a digit sorts before a colon, and a letter behind it. */
function isNoWord(text: string, cast: string): string {
  return `trim(${text}) < ':' AND isfinite(${cast})`;
}
