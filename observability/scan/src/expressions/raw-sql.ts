// SPDX-License-Identifier: Apache-2.0
/**
 * The shape of a tenant's own SQL: one statement that reads, of bounded length. This is no sandbox (the engine's is: no external
 * access, read-only, limits); it gives early and clear answers, and keeps a second statement from riding along.
 */
import { MAX_SOURCE_LENGTH } from './tokens.ts';

/** What is wrong with the text as one reading statement, in words for its author; undefined when nothing is. */
export function findRawSqlProblem(source: string): string | undefined {
  if (source.length > MAX_SOURCE_LENGTH) return `the statement has ${source.length} characters; at most ${MAX_SOURCE_LENGTH} are allowed`;
  if (source.includes('\0')) return 'the statement holds the character U+0000';
  const code = codeOf(source);
  if (code === undefined) return 'a quote or a comment in the statement is never closed';
  const statements = code.split(';').map((statement) => statement.trim());
  if (statements.slice(1).some((statement) => statement !== '')) return 'only one statement is allowed';
  const [word = ''] = /^[(\s]*[a-z]*/i.exec(statements[0] ?? '') ?? [];
  const isReading = ['SELECT', 'WITH'].includes(word.replaceAll(/[(\s]/g, '').toUpperCase());
  return isReading ? undefined : 'the statement must begin with SELECT or WITH';
}

/** The text with strings and quoted names emptied and comments gone; undefined when one of them never ends. */
function codeOf(source: string): string | undefined {
  let code = '';
  let offset = 0;
  while (offset < source.length) {
    const quiet = QUIET.find(({ start }) => matchAt(start, source, offset) !== undefined);
    if (quiet === undefined) {
      code += source[offset];
      offset += 1;
      continue;
    }
    const end = quiet.endAfter(source, offset);
    if (end === undefined) return undefined;
    code += quiet.standIn;
    offset = end;
  }
  return code;
}

type Quiet = {
  readonly start: RegExp;
  readonly standIn: string;
  /** The offset behind it, undefined when it is never closed. */
  readonly endAfter: (source: string, offset: number) => number | undefined;
};

const DOLLAR_TAG = /\$(?:[\p{L}_][\p{L}\p{N}_]*)?\$/uy;

/** The lexical forms of PostgreSQL, whose dialect DuckDB speaks: https://www.postgresql.org/docs/current/sql-syntax-lexical.html */
const QUIET: readonly Quiet[] = [
  { start: /--/y, standIn: ' ', endAfter: (source, offset) => endOfMatch(/[^\n]*/y, source, offset) },
  { start: /\/\*/y, standIn: ' ', endAfter: endOfComment },
  { start: /[eE]'/y, standIn: "''", endAfter: (source, offset) => endOfMatch(/[eE]'(?:[^'\\]|\\[\s\S]|'')*'/y, source, offset) },
  { start: /'/y, standIn: "''", endAfter: (source, offset) => endOfMatch(/'(?:[^']|'')*'/y, source, offset) },
  { start: /"/y, standIn: '""', endAfter: (source, offset) => endOfMatch(/"(?:[^"]|"")*"/y, source, offset) },
  { start: DOLLAR_TAG, standIn: "''", endAfter: endOfDollarQuote },
];

function matchAt(shape: RegExp, source: string, offset: number): string | undefined {
  shape.lastIndex = offset;
  return shape.exec(source)?.[0];
}

function endOfMatch(shape: RegExp, source: string, offset: number): number | undefined {
  const match = matchAt(shape, source, offset);
  return match === undefined ? undefined : offset + match.length;
}

function endOfDollarQuote(source: string, offset: number): number | undefined {
  const tag = matchAt(DOLLAR_TAG, source, offset) ?? '';
  const close = source.indexOf(tag, offset + tag.length);
  return close === -1 ? undefined : close + tag.length;
}

/** PostgreSQL's comments nest, DuckDB's do not: what one would take for code and the other for comment is refused. */
function endOfComment(source: string, offset: number): number | undefined {
  const close = source.indexOf('*/', offset + 2);
  const nested = source.indexOf('/*', offset + 2);
  return close === -1 || (nested !== -1 && nested < close) ? undefined : close + 2;
}
