// SPDX-License-Identifier: Apache-2.0
/** The tests that need no value to compare with (IS_NUMBER, CONTAINS_PII, …), as SQL that may be null for a null value. */
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { writesDate, writesDateTime, writesNumber } from '../expressions/portable-forms.ts';
import { portablePattern } from '../expressions/regular-expression.ts';
import type { Position } from '../expressions/tokens.ts';
import { asText, nameOfType, type TypedSql } from '../expressions/typed-sql.ts';
import { WHOLE_EMAIL } from '../pii/patterns.ts';
import { containsPii } from '../pii/pii-condition.ts';
import { SPACES } from './contexts.ts';
import type { Test } from './rule-tree.ts';

export function compileTest(test: Test, value: TypedSql, dialect: Dialect, at: Position): string {
  const text = asText(dialect, value);
  switch (test) {
    case 'IS_NULL':
      return `${value.sql} IS NULL`;
    case 'IS_TRUE':
      return truth(value, true, at);
    case 'IS_FALSE':
      return truth(value, false, at);
    case 'IS_DATE':
      return writesDate(dialect, text);
    case 'IS_DATE_TIME':
      return writesDateTime(dialect, text);
    case 'IS_NUMBER':
      return writesNumber(dialect, text);
    case 'IS_ALPHA':
      return dialect.regexMatches(text, `^[${dialect.letters}]+$`);
    case 'IS_EMAIL':
      return dialect.regexMatches(text, portablePattern(dialect, WHOLE_EMAIL));
    case 'IS_TRIMMED_STRING':
      return `NOT ${dialect.regexMatches(text, `^[${SPACES}]|[${SPACES}]$`)}`;
    case 'CONTAINS_PII':
      return containsPii(dialect, text);
    case 'CONTAINS_PII_CREDIT_CARD':
      return containsPii(dialect, text, ['CREDIT_CARD']);
    case 'CONTAINS_PII_IP_ADDRESS':
      return containsPii(dialect, text, ['IP_ADDRESS']);
    case 'CONTAINS_PII_PHONE_NUMBER':
      return containsPii(dialect, text, ['PHONE_NUMBER']);
    case 'CONTAINS_PII_SSN':
      return containsPii(dialect, text, ['SSN']);
  }
}

/** A condition itself, the texts `true` and `false` in any case, the numbers 1 and 0. */
function truth({ sql, type }: TypedSql, expected: boolean, at: Position): string {
  switch (type) {
    case 'boolean':
      return expected ? sql : `NOT ${sql}`;
    case 'text':
      return `lower(${sql}) = '${expected}'`;
    case 'number':
      return `${sql} = ${expected ? 1 : 0}`;
    case 'null':
      return 'FALSE';
    case 'date':
    case 'timestamp':
      throw new ExpressionError(at, `expected a condition, a text or a number, but the value is ${nameOfType(type)}`);
  }
}
