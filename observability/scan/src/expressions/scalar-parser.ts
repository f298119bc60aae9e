// SPDX-License-Identifier: Apache-2.0
/**
 * The scalar language that rules and metrics share, from the loosest binding to the tightest:
 * OR, AND, NOT, comparisons (`=`, IN, BETWEEN, LIKE, IS NULL), `+ - ||`, `* / %`, sign, and what stands for itself.
 */
import { ExpressionError } from './expression-error.ts';
import { isScalarFunction } from './functions.ts';
import { assertPortable, likePattern } from './regular-expression.ts';
import {
  AGGREGATES,
  type Aggregate,
  type ArithmeticOperator,
  type CastTarget,
  type ComparisonOperator,
  type Expression,
} from './syntax-tree.ts';
import { assertChainLength, isReserved, type TokenReader } from './token-reader.ts';
import type { Position, Token } from './tokens.ts';

/** A whole condition or value: everything the language has. */
export function parseExpression(reader: TokenReader): Expression {
  return reader.nested(() => parseLogic(reader, 'OR', () => parseLogic(reader, 'AND', () => parseNegation(reader))));
}

function parseLogic(reader: TokenReader, operator: 'AND' | 'OR', parseOperand: () => Expression): Expression {
  const { at } = reader.peek();
  const operands = [parseOperand()];
  while (reader.takeWord(operator)) operands.push(parseOperand());
  const [only] = operands;
  return operands.length === 1 && only !== undefined ? only : { kind: 'logic', at, operator, operands };
}

function parseNegation(reader: TokenReader): Expression {
  const { at } = reader.peek();
  if (!reader.takeWord('NOT')) return parseComparison(reader);
  return reader.nested(() => ({ kind: 'not', at, operand: parseNegation(reader) }));
}

const COMPARISONS: { readonly [symbol: string]: ComparisonOperator } = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** The comparison that a symbol stands for; both spellings of unequal are one. */
export function comparisonOf(token: Token): ComparisonOperator | undefined {
  return token.kind === 'symbol' ? COMPARISONS[token.value] : undefined;
}

function parseComparison(reader: TokenReader): Expression {
  const left = parseSum(reader);
  const operator = comparisonOf(reader.peek());
  if (operator !== undefined) {
    reader.next();
    return { kind: 'comparison', at: left.at, operator, left, right: parseSum(reader) };
  }
  if (reader.takeWord('IS')) {
    const negated = reader.takeWord('NOT');
    reader.expectWord('NULL');
    return { kind: 'is-null', at: left.at, operand: left, negated };
  }
  const negated = isNegatedPredicate(reader) && reader.takeWord('NOT');
  if (reader.takeWord('IN')) return { kind: 'in', at: left.at, operand: left, items: parseParameters(reader), negated };
  if (reader.takeWord('BETWEEN')) {
    const low = parseSum(reader);
    reader.expectWord('AND');
    return { kind: 'between', at: left.at, operand: left, low, high: parseSum(reader), negated };
  }
  if (reader.takeWord('LIKE')) return { kind: 'like', at: left.at, operand: left, pattern: parseLikePattern(reader), negated };
  return left;
}

function isNegatedPredicate(reader: TokenReader): boolean {
  return reader.isWord('NOT') && (reader.isWord('IN', 1) || reader.isWord('BETWEEN', 1) || reader.isWord('LIKE', 1));
}

function parseLikePattern(reader: TokenReader): string {
  const { at } = reader.peek();
  const pattern = expectText(reader, 'a pattern in quotes');
  assertPortable(likePattern(pattern), at);
  return pattern;
}

/** A value without a comparison: what may stand on either side of one. */
export function parseSum(reader: TokenReader): Expression {
  let left = parseProduct(reader);
  for (let length = 1; ; length += 1) {
    const token = reader.peek();
    if (reader.takeSymbol('||')) left = { kind: 'concatenation', at: left.at, left, right: parseProduct(reader) };
    else if (reader.isSymbol('+') || reader.isSymbol('-')) left = arithmetic(reader, left, parseProduct);
    else return left;
    assertChainLength(length, token);
  }
}

function parseProduct(reader: TokenReader): Expression {
  let left = parseSigned(reader);
  for (let length = 1; ; length += 1) {
    const token = reader.peek();
    if (!(reader.isSymbol('*') || reader.isSymbol('/') || reader.isSymbol('%'))) return left;
    left = arithmetic(reader, left, parseSigned);
    assertChainLength(length, token);
  }
}

function arithmetic(reader: TokenReader, left: Expression, parseRight: (reader: TokenReader) => Expression): Expression {
  // The callers have looked: the next token is one of the five symbols.
  const operator = reader.next().value as ArithmeticOperator;
  return { kind: 'arithmetic', at: left.at, operator, left, right: parseRight(reader) };
}

function parseSigned(reader: TokenReader): Expression {
  const { at } = reader.peek();
  if (reader.takeSymbol('-')) return reader.nested(() => ({ kind: 'negate', at, operand: parseSigned(reader) }));
  if (reader.takeSymbol('+')) return reader.nested(() => parseSigned(reader));
  return parsePrimary(reader);
}

function parsePrimary(reader: TokenReader): Expression {
  const token = reader.peek();
  const { at } = token;
  if (token.kind === 'text') return { kind: 'text', at, value: reader.next().value };
  if (token.kind === 'number') return { kind: 'number', at, value: finiteNumber(reader.next()) };
  if (token.kind === 'quoted') return { kind: 'name', at, name: reader.next().value };
  if (reader.takeWord('NULL')) return { kind: 'null', at };
  if (reader.takeWord('TRUE')) return { kind: 'boolean', at, value: true };
  if (reader.takeWord('FALSE')) return { kind: 'boolean', at, value: false };
  if (reader.takeWord('CASE')) return parseCase(reader, token);
  if (reader.takeWord('CAST')) return parseCast(reader, token);
  if (reader.takeSymbol('(')) {
    const inner = parseExpression(reader);
    reader.expectSymbol(')');
    return inner;
  }
  const isBareName = token.kind === 'name' && !isReserved(token.value) && !token.value.startsWith('@');
  // DISTINCT is a word of `count(distinct x)`, and an aggregate of its own.
  if (isBareName || (reader.isWord('DISTINCT') && reader.isSymbol('(', 1))) return parseNameOrCall(reader);
  throw reader.unexpected('a value, an attribute or a function');
}

function parseNameOrCall(reader: TokenReader): Expression {
  const { value, at } = reader.next();
  if (!reader.isSymbol('(')) return { kind: 'name', at, name: value };
  const name = value.toLowerCase();
  const aggregate = AGGREGATES.find((candidate) => candidate === name);
  if (aggregate !== undefined) return parseAggregate(reader, aggregate, at);
  if (!isScalarFunction(name)) throw new ExpressionError(at, `the function ${value} is not allowed here`);
  return { kind: 'call', at, name, parameters: parseParameters(reader) };
}

function parseAggregate(reader: TokenReader, aggregate: Aggregate, at: Position): Expression {
  reader.expectSymbol('(');
  const isStar = aggregate === 'count' && reader.takeSymbol('*');
  const isDistinct = !isStar && aggregate === 'count' && reader.takeWord('DISTINCT');
  const operand = isStar ? null : parseExpression(reader);
  reader.expectSymbol(')');
  return { kind: 'aggregate', at, aggregate: isDistinct ? 'distinct' : aggregate, operand };
}

/** Expressions in parentheses, separated by commas; maybe none. */
export function parseParameters(reader: TokenReader): readonly Expression[] {
  reader.expectSymbol('(');
  if (reader.takeSymbol(')')) return [];
  const parameters = [parseExpression(reader)];
  while (reader.takeSymbol(',')) parameters.push(parseExpression(reader));
  if (!reader.takeSymbol(')')) throw reader.unexpected('"," or ")"');
  return parameters;
}

function parseCase(reader: TokenReader, { at }: Token): Expression {
  const subject = reader.isWord('WHEN') ? null : parseExpression(reader);
  const branches: { when: Expression; result: Expression }[] = [];
  while (reader.takeWord('WHEN')) {
    const when = parseExpression(reader);
    reader.expectWord('THEN');
    const condition: Expression = subject === null ? when : { kind: 'comparison', at: when.at, operator: '=', left: subject, right: when };
    branches.push({ when: condition, result: parseExpression(reader) });
  }
  if (branches.length === 0) throw reader.unexpected('WHEN');
  const otherwise = reader.takeWord('ELSE') ? parseExpression(reader) : null;
  if (!reader.takeWord('END')) throw reader.unexpected('WHEN, ELSE or END');
  return { kind: 'case', at, branches, otherwise };
}

const CAST_TARGETS: { readonly [word: string]: CastTarget } = {
  STRING: 'text',
  VARCHAR: 'text',
  TEXT: 'text',
  NUMBER: 'number',
  DOUBLE: 'number',
  DATE: 'date',
  TIMESTAMP: 'timestamp',
  BOOLEAN: 'boolean',
};

function parseCast(reader: TokenReader, { at }: Token): Expression {
  reader.expectSymbol('(');
  const operand = parseExpression(reader);
  reader.expectWord('AS');
  const target = reader.peek().kind === 'name' ? CAST_TARGETS[reader.peek().value.toUpperCase()] : undefined;
  if (target === undefined) throw reader.unexpected('STRING, DOUBLE, DATE, TIMESTAMP or BOOLEAN');
  reader.next();
  reader.expectSymbol(')');
  return { kind: 'cast', at, operand, target };
}

/** A text in quotes, where the language takes nothing that is computed. */
export function expectText(reader: TokenReader, what: string): string {
  if (reader.peek().kind !== 'text') throw reader.unexpected(what);
  return reader.next().value;
}

/** The number that a token writes; texts of digits can be too large for one. */
export function finiteNumber(token: Token): number {
  const value = Number(token.value);
  if (!Number.isFinite(value)) throw new ExpressionError(token.at, `${token.source} is larger than any number here may be`);
  return value;
}
