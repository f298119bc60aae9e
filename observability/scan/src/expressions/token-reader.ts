// SPDX-License-Identifier: Apache-2.0
import { ExpressionError } from './expression-error.ts';
import { type Token, tokenize } from './tokens.ts';

/** Words that mean something of their own; an attribute of such a name is written in backticks. */
const RESERVED: ReadonlySet<string> = new Set(
  'AND OR NOT IN IS LIKE BETWEEN CASE WHEN THEN ELSE END AS NULL TRUE FALSE CAST DISTINCT GROUP BY WITH VALIDATE EXPECT'.split(' '),
);

/** How deep expressions may nest: far above what people write, far below what overflows our stack or an engine's. */
const MAX_DEPTH = 100;

/** A cursor over tokens with the questions that a recursive descent asks. Keywords are compared without regard to case. */
export type TokenReader = {
  readonly peek: (ahead?: number) => Token;
  readonly next: () => Token;
  readonly isWord: (word: string, ahead?: number) => boolean;
  readonly isSymbol: (symbol: string, ahead?: number) => boolean;
  /** Consumes the word if it comes next. */
  readonly takeWord: (word: string) => boolean;
  readonly takeSymbol: (symbol: string) => boolean;
  readonly expectWord: (word: string) => Token;
  readonly expectSymbol: (symbol: string) => Token;
  /** A name of the author's own: bare and not reserved, or in backticks. */
  readonly expectName: (what: string) => Token;
  readonly expectEnd: (expected: string) => void;
  /** Runs one level deeper; refuses beyond the bound. */
  readonly nested: <Result>(parse: () => Result) => Result;
  /** What came instead, as an error to throw. */
  readonly unexpected: (expected: string) => ExpressionError;
};

export function tokenReader(source: string): TokenReader {
  const tokens = tokenize(source);
  let position = 0;
  let depth = 0;

  const peek = (ahead = 0): Token => {
    const token = tokens[Math.min(position + ahead, tokens.length - 1)];
    if (token === undefined) throw new RangeError('tokenize always ends with a token');
    return token;
  };
  const next = () => {
    const token = peek();
    position += 1;
    return token;
  };
  const isWord = (word: string, ahead = 0) => peek(ahead).kind === 'name' && peek(ahead).value.toUpperCase() === word;
  const isSymbol = (symbol: string, ahead = 0) => peek(ahead).kind === 'symbol' && peek(ahead).value === symbol;
  const unexpected = (expected: string) => new ExpressionError(peek().at, `found ${describe(peek())}, expected ${expected}`);
  const takeWhen = (isNext: boolean) => {
    if (isNext) position += 1;
    return isNext;
  };

  return {
    peek,
    next,
    isWord,
    isSymbol,
    unexpected,
    takeWord: (word) => takeWhen(isWord(word)),
    takeSymbol: (symbol) => takeWhen(isSymbol(symbol)),
    expectWord: (word) => {
      if (!isWord(word)) throw unexpected(word);
      return next();
    },
    expectSymbol: (symbol) => {
      if (!isSymbol(symbol)) throw unexpected(`"${symbol}"`);
      return next();
    },
    expectName: (what) => {
      const { kind, value } = peek();
      const isOwn = kind === 'quoted' || (kind === 'name' && !value.startsWith('@') && !isReserved(value));
      if (!isOwn) throw unexpected(what);
      return next();
    },
    expectEnd: (expected) => {
      if (peek().kind !== 'end') throw unexpected(expected);
    },
    nested: (parse) => {
      depth += 1;
      if (depth > MAX_DEPTH) throw new ExpressionError(peek().at, `the expression nests deeper than ${MAX_DEPTH} levels`);
      const result = parse();
      depth -= 1;
      return result;
    },
  };
}

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toUpperCase());
}

/** The bound on nesting, for chains such as `a + b + c`, whose tree is as deep as they are long. */
export function assertChainLength(length: number, token: Token): void {
  if (length > MAX_DEPTH)
    throw new ExpressionError(token.at, `more than ${MAX_DEPTH} operators follow each other; use parentheses or fewer`);
}

const LONGEST_QUOTE = 40;

function describe(token: Token): string {
  if (token.kind === 'end') return 'the end';
  const { source } = token;
  return source.length > LONGEST_QUOTE ? `${source.slice(0, LONGEST_QUOTE)}…` : source;
}
