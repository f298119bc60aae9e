// SPDX-License-Identifier: Apache-2.0
/**
 * Regular expressions that mean the same on every engine. What people write is parsed here and written again with nothing left to an
 * engine's opinion: `.` and `\d \w \s` become explicit sets (PostgreSQL's would follow the database's locale), `(?i)` becomes both cases of
 * each ASCII letter, groups do not capture. What RE2 (DuckDB) or PostgreSQL lacks is refused: look-around, back-references, `\p`.
 * RE2: https://github.com/google/re2/wiki/Syntax, PostgreSQL: https://www.postgresql.org/docs/current/functions-matching.html
 */
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from './expression-error.ts';
import { ANYTHING, type PatternNode, parsePattern, type Range, RegularExpressionError } from './regular-expression-parser.ts';
import type { Position } from './tokens.ts';

/** The pattern for an engine: it matches anywhere in a text unless `^` or `$` say otherwise. Throws a `RegularExpressionError`. */
export function portablePattern(dialect: Dialect, source: string): string {
  return writeWhole(parsePattern(source), dialect);
}

/** Refuses, at the place where it stands in a rule, a pattern that not every engine could run. */
export function assertPortable(source: string, at: Position): void {
  try {
    parsePattern(source);
  } catch (error) {
    throw error instanceof RegularExpressionError ? new ExpressionError(at, error.message) : error;
  }
}

/** A LIKE pattern as a regular expression over the whole text; `%` is any text, `_` any character, `\` takes the next as it is. */
export function likePattern(pattern: string): string {
  let written = '^';
  const characters = Array.from(pattern);
  for (let index = 0; index < characters.length; index += 1) {
    const character = characters[index] ?? '';
    if (character === '\\' && index + 1 < characters.length) {
      index += 1;
      written += escaped(characters[index] ?? '');
    } else if (character === '%') written += `${ANYTHING}*`;
    else written += character === '_' ? ANYTHING : escaped(character);
  }
  return `${written}$`;
}

function writeWhole(node: PatternNode, dialect: Dialect): string {
  if (node.kind !== 'sequence') return write(node, dialect);
  const last = node.items.length - 1;
  const written = node.items.map((item, index) => {
    if (item.kind === 'start' && index === 0) return dialect.patternSigns.first;
    return item.kind === 'end' && index === last ? dialect.patternSigns.last : write(item, dialect);
  });
  return written.join('');
}

function write(node: PatternNode, dialect: Dialect): string {
  switch (node.kind) {
    case 'set':
      return writeSet(node.ranges, node.negated);
    case 'anything':
      return dialect.patternSigns.anything;
    case 'start':
      return dialect.patternSigns.start;
    case 'end':
      return dialect.patternSigns.end;
    case 'word-boundary':
      return dialect.patternSigns.wordBoundary;
    case 'no-word-boundary':
      return dialect.patternSigns.noWordBoundary;
    case 'sequence':
      return node.items.map((item) => write(item, dialect)).join('');
    case 'choice':
      return `(?:${node.branches.map((branch) => write(branch, dialect)).join('|')})`;
    case 'repeat': {
      const item = write(node.item, dialect);
      return `${node.item.kind === 'sequence' ? `(?:${item})` : item}${repeatSign(node.least, node.most)}`;
    }
  }
}

function repeatSign(least: number, most: number | null): string {
  return `{${least},${most ?? ''}}`;
}

function writeSet(ranges: readonly Range[], negated: boolean): string {
  const [only] = ranges;
  if (!negated && ranges.length === 1 && only !== undefined && only[0] === only[1]) return escaped(only[0]);
  const members = ranges.map(([first, last]) => (first === last ? escaped(first) : `${escaped(first)}-${escaped(last)}`));
  return `[${negated ? '^' : ''}${members.join('')}]`;
}

/** ASCII punctuation after a backslash is itself on both engines, in sets too; everything else is itself as it stands. */
function escaped(character: string): string {
  return /^[!-/:-@[-`{-~]$/.test(character) ? `\\${character}` : character;
}
