// SPDX-License-Identifier: Apache-2.0
/** Cuts the text of a rule or a metric into tokens: names, names in backticks, texts, numbers, durations, symbols. */
import { ExpressionError } from './expression-error.ts';

/** Lines and columns count from 1, the offset from 0. */
export type Position = { readonly line: number; readonly column: number; readonly offset: number };

export type Token = {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'duration' | 'symbol' | 'end';
  /** What the token means: quotes gone and doubled ones made single. */
  readonly value: string;
  /** What the author wrote. */
  readonly source: string;
  readonly at: Position;
};

/** Longer than any rule that a person would read; bounds everything that comes after. */
export const MAX_SOURCE_LENGTH = 10_000;

const SPACE = /[ \t\r\n]+/y;
const SHAPES: readonly { readonly kind: Token['kind']; readonly shape: RegExp }[] = [
  { kind: 'quoted', shape: /`(?:[^`]|``)+`/y },
  { kind: 'text', shape: /'(?:[^']|'')*'/y },
  { kind: 'text', shape: /"(?:[^"]|"")*"/y },
  { kind: 'duration', shape: /[0-9]+[smhdw](?![\p{L}\p{N}_])/uy },
  { kind: 'number', shape: /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?![\p{L}\p{N}_])/uy },
  { kind: 'name', shape: /@?[\p{L}_][\p{L}\p{N}_]*/uy },
  { kind: 'symbol', shape: /<>|!=|<=|>=|\|\||[-+*/%=<>(),[\]]/y },
];

/** All tokens, the last of kind `end`. Throws an `ExpressionError`. */
export function tokenize(source: string): readonly Token[] {
  const start = { line: 1, column: 1, offset: 0 };
  if (source.length > MAX_SOURCE_LENGTH) {
    throw new ExpressionError(start, `the text has ${source.length} characters; at most ${MAX_SOURCE_LENGTH} are allowed`);
  }
  const tokens: Token[] = [];
  const positionOf = positionTracker(source);
  let offset = 0;
  while (offset < source.length) {
    const space = matchAt(SPACE, source, offset);
    if (space !== undefined) {
      offset += space.length;
      continue;
    }
    const token = tokenAt(source, offset, positionOf(offset));
    tokens.push(token);
    offset += token.source.length;
  }
  tokens.push({ kind: 'end', value: '', source: '', at: positionOf(offset) });
  return tokens;
}

function tokenAt(source: string, offset: number, at: Position): Token {
  for (const { kind, shape } of SHAPES) {
    const text = matchAt(shape, source, offset);
    if (text === undefined) continue;
    // PostgreSQL cannot hold the character, so no value can equal it.
    if (text.includes('\0')) throw new ExpressionError(at, 'found the character U+0000, which no text may hold');
    if (!text.isWellFormed()) throw new ExpressionError(at, 'found half of a surrogate pair, which no text may hold');
    return { kind, value: meaningOf(kind, text), source: text, at };
  }
  const found = String.fromCodePoint(source.codePointAt(offset) ?? 0);
  const problem = `'"\``.includes(found)
    ? `found ${found} that is never closed`
    : `found ${JSON.stringify(found)}, which has no meaning here`;
  throw new ExpressionError(at, problem);
}

function meaningOf(kind: Token['kind'], source: string): string {
  if (kind !== 'text' && kind !== 'quoted') return source;
  const quote = source.charAt(0);
  return source.slice(1, -1).replaceAll(quote + quote, quote);
}

function matchAt(shape: RegExp, source: string, offset: number): string | undefined {
  shape.lastIndex = offset;
  return shape.exec(source)?.[0];
}

/** Positions for growing offsets, in one walk over the text. */
function positionTracker(source: string): (offset: number) => Position {
  let line = 1;
  let lineStart = 0;
  let seen = 0;
  return (offset) => {
    for (; seen < offset; seen += 1) {
      if (source[seen] === '\n') {
        line += 1;
        lineStart = seen + 1;
      }
    }
    return { line, column: offset - lineStart + 1, offset };
  };
}
