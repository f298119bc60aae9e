// SPDX-License-Identifier: Apache-2.0
import type { Dialect } from '../dialect/dialect.ts';
import { portablePattern } from '../expressions/regular-expression.ts';
import { PII_PATTERNS, type PiiKind, type PiiPattern } from './patterns.ts';

/** Whether a text holds personal data of one of the kinds: SQL that is true or false, null for a null text. */
export function containsPii(dialect: Dialect, textSql: string, kinds: readonly PiiKind[] = PII_PATTERNS.map(({ kind }) => kind)): string {
  const soonest = PII_PATTERNS.filter(({ kind }) => kinds.includes(kind)).toSorted((one, other) => effort(one) - effort(other));
  const conditions = soonest.map((pattern) => `WHEN ${containsKind(dialect, textSql, pattern)} THEN TRUE`);
  // Engines evaluate the branches of CASE until one holds, and all operands of OR.
  return `(CASE WHEN ${textSql} IS NULL THEN NULL ${conditions.join(' ')} ELSE FALSE END)`;
}

/**
 * The kinds that texts may hold, by their signs: to compile the regular expression of each takes a small table as long as all else of the statement.
 */
export function kindsAmong(texts: readonly string[]): readonly PiiKind[] {
  const mayHold = ({ signs }: PiiPattern): boolean =>
    texts.some((text) => (signs.length === 0 ? /[0-9]/.test(text) : signs.some((sign) => text.includes(sign))));
  return PII_PATTERNS.filter(mayHold).map(({ kind }) => kind);
}

/** The fewer signs there are to look for, the sooner a text is done with. */
function effort({ signs }: PiiPattern): number {
  return signs.length === 0 ? Number.POSITIVE_INFINITY : signs.length;
}

function containsKind(dialect: Dialect, textSql: string, { kind, core, around, signs }: PiiPattern): string {
  const bounded = portablePattern(dialect, `(?:^|[^${around}])(?:${core})(?:$|[^${around}])`);
  const matches = dialect.regexMatches(textSql, bounded);
  // Where several cards stand in one text, the first is checked.
  const isValid = kind === 'CREDIT_CARD' ? dialect.luhnHolds(dialect.firstMatch(textSql, bounded)) : undefined;
  const found = isValid === undefined ? matches : `CASE WHEN ${matches} THEN ${isValid} ELSE FALSE END`;
  const mayHold = signs.map((sign) => `${dialect.position(textSql, dialect.literal(sign))} > 0`);
  return signs.length === 0 ? found : `CASE WHEN ${mayHold.join(' OR ')} THEN ${found} ELSE FALSE END`;
}
