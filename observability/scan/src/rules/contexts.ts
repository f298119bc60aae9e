// SPDX-License-Identifier: Apache-2.0
/** What of the validated value an expectation looks at, as SQL. */
import type { Dialect } from '../dialect/dialect.ts';
import type { Position } from '../expressions/tokens.ts';
import { asNumber, asText, asTimestamp, type TypedSql } from '../expressions/typed-sql.ts';
import type { Context } from './rule-tree.ts';

/** The validated value, with what counts as empty made null, and how often it occurs. */
export type Validated = { readonly value: TypedSql; readonly frequency: () => string };

export function compileContext(context: Context, { value, frequency }: Validated, dialect: Dialect, at: Position): TypedSql {
  switch (context) {
    case 'VALUE':
      return value;
    case 'NUMERIC_VALUE':
      return { sql: asNumber(dialect, rowValue(value), at), type: 'number' };
    case 'DATE_TIME_VALUE':
      return { sql: asTimestamp(dialect, rowValue(value), at), type: 'timestamp' };
    case 'LENGTH':
      return count(dialect, dialect.length(asText(dialect, value)));
    case 'SPACE_COUNT':
      return count(dialect, removedBy(dialect, asText(dialect, value), `[${SPACES}]`));
    case 'SPEC_CHAR_COUNT':
      return count(dialect, dialect.length(dialect.regexReplace(asText(dialect, value), `[${dialect.letters}0-9${SPACES}]`, '')));
    case 'FREQUENCY':
      return { sql: `(CASE WHEN ${value.sql} IS NOT NULL THEN ${dialect.castDouble(frequency())} END)`, type: 'number' };
    case 'EXPANDED_PATTERN':
      return pattern(dialect, value, '');
    case 'COMPRESSED_PATTERN':
      return pattern(dialect, value, '+');
  }
}

/** Spaces as `\s` has them everywhere: space, tab, line feed, form feed, carriage return. */
export const SPACES = ' \t\n\f\r';

/** A constant is read like the value of an attribute: what it does not write is null, not an error. */
function rowValue({ sql, type }: TypedSql): TypedSql {
  return { sql, type };
}

function count(dialect: Dialect, sql: string): TypedSql {
  return { sql: dialect.castDouble(sql), type: 'number' };
}

function removedBy(dialect: Dialect, text: string, set: string): string {
  return `(${dialect.length(text)} - ${dialect.length(dialect.regexReplace(text, set, ''))})`;
}

/** Letters first: the letters that stand for digits and spaces come later, and must not be taken for letters of the value. */
function pattern(dialect: Dialect, value: TypedSql, repeat: '' | '+'): TypedSql {
  const letters = dialect.regexReplace(asText(dialect, value), `[${dialect.letters}]${repeat}`, 'L');
  const digits = dialect.regexReplace(letters, `[0-9]${repeat}`, 'D');
  return { sql: dialect.regexReplace(digits, `[${SPACES}]${repeat}`, 'S'), type: 'text' };
}
