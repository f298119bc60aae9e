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
  return `(CASE WHEN ${found} THEN ${luhnHolds(dialect, firstMatch(dialect, textSql, bounded))} WHEN ${textSql} IS NOT NULL THEN FALSE END)`;
}

/** The first part of the text that matches: where several cards stand in one text, the first is checked. */
function firstMatch(dialect: Dialect, textSql: string, pattern: string): string {
  const literal = dialect.literal(portablePattern(dialect, pattern));
  return dialect.name === 'duckdb' ? `regexp_extract(${textSql}, ${literal})` : `substring(${textSql} FROM ${literal})`;
}

/**
 * The check of ISO/IEC 7812-1, annex B: from the right, every second digit is doubled, the digits of all are added, and the sum is a
 * multiple of ten. Padded to twenty, the doubled ones are the first of each pair; doubling is a substitution (`6` gives `1+2`, as `3` would).
 */
function luhnHolds(dialect: Dialect, textSql: string): string {
  const padded = `lpad(regexp_replace(${textSql}, '[^0-9]', '', 'g'), 20, '0')`;
  const pairs = (half: 1 | 2) => `regexp_replace(${padded}, '([0-9])([0-9])', '\\${half}', 'g')`;
  const digits = `translate(${pairs(1)}, '0123456789', '0246813579') || ${pairs(2)}`;
  const sum =
    dialect.name === 'duckdb'
      ? `list_sum(CAST(string_split(${digits}, '') AS INTEGER[]))`
      : `(SELECT sum(CAST(digit AS integer)) FROM regexp_split_to_table(${digits}, '') AS digit)`;
  return `(${sum} % 10 = 0)`;
}
