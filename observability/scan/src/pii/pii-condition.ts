import type { Dialect } from '../dialect/dialect.ts';
import { portablePattern } from '../expressions/regular-expression.ts';
import { PII_PATTERNS, type PiiKind, type PiiPattern } from './patterns.ts';

/** Whether a text holds personal data of one of the kinds: SQL that is true or false, null for a null text. */
export function containsPii(dialect: Dialect, textSql: string, kinds: readonly PiiKind[] = PII_PATTERNS.map(({ kind }) => kind)): string {
  const conditions = PII_PATTERNS.filter(({ kind }) => kinds.includes(kind)).map((pattern) => containsKind(dialect, textSql, pattern));
  return `(${conditions.join(' OR ')})`;
}

function containsKind(dialect: Dialect, textSql: string, { kind, core, around }: PiiPattern): string {
  const bounded = `(?:^|[^${around}])(?:${core})(?:$|[^${around}])`;
  const found = dialect.regexMatches(textSql, portablePattern(dialect, bounded));
  if (kind !== 'CREDIT_CARD') return found;
  // Where several cards stand in one text, the first is checked.
  const card = dialect.firstMatch(textSql, portablePattern(dialect, bounded));
  return `(CASE WHEN ${found} THEN ${dialect.luhnHolds(card)} WHEN ${textSql} IS NOT NULL THEN FALSE END)`;
}
