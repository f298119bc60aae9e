// SPDX-License-Identifier: Apache-2.0
/**
 * The grammar of rules (SPEC.md):
 *
 *   rule        = { WITH expression AS name } VALIDATE expression EXPECT any
 *   any         = all { OR all }           all = negation { AND negation }
 *   negation    = NOT negation | "(" any ")" | basic
 *   basic       = [ VALUE [ NOT ] ] test | context [ NOT ] [ operator ] operand
 *   test        = IS_NUMBER | … | REGEX "(" text ")"
 */
import { ExpressionError } from '../expressions/expression-error.ts';
import { assertPortable } from '../expressions/regular-expression.ts';
import { comparisonOf, expectText, parseExpression, parseSum } from '../expressions/scalar-parser.ts';
import { type TokenReader, tokenReader } from '../expressions/token-reader.ts';
import type { Position } from '../expressions/tokens.ts';
import { parseOperand, parseOperands } from './operand-parser.ts';
import { CONTEXTS, type Context, type Expectation, type Rule, TESTS, type Test, type TextContext } from './rule-tree.ts';

/** More would be a program. */
const MAX_TRANSFORMATIONS = 20;

/** Throws an `ExpressionError` that says where the text leaves the language. */
export function parseRule(source: string): Rule {
  const reader = tokenReader(source);
  const transformations = parseTransformations(reader);
  if (!reader.takeWord('VALIDATE'))
    throw reader.unexpected(transformations.length === 0 ? 'WITH or VALIDATE' : 'another WITH, or VALIDATE');
  const validated = parseExpression(reader);
  if (!reader.takeWord('EXPECT')) throw reader.unexpected('EXPECT');
  const expected = source.slice(reader.peek().at.offset).trim();
  const expectation = parseAny(reader);
  reader.expectEnd('AND, OR or the end');
  return { transformations, validated, expectation, expected };
}

function parseTransformations(reader: TokenReader): Rule['transformations'] {
  const transformations: { name: string; at: Position; expression: Rule['validated'] }[] = [];
  // After the first, a comma may stand in place of WITH.
  while (reader.takeWord('WITH') || (transformations.length > 0 && reader.takeSymbol(','))) {
    if (transformations.length === MAX_TRANSFORMATIONS)
      throw reader.unexpected(`VALIDATE after at most ${MAX_TRANSFORMATIONS} transformations`);
    const expression = parseExpression(reader);
    if (!reader.takeWord('AS')) throw reader.unexpected('AS and a name');
    const { value: name, at } = reader.expectName('a name for the transformation');
    transformations.push({ name, at, expression });
  }
  return transformations;
}

function parseAny(reader: TokenReader): Expectation {
  return reader.nested(() => parseParts(reader, 'OR', 'any', () => parseParts(reader, 'AND', 'all', () => parseNegation(reader))));
}

function parseParts(reader: TokenReader, word: 'AND' | 'OR', kind: 'all' | 'any', parsePart: () => Expectation): Expectation {
  const { at } = reader.peek();
  const parts = [parsePart()];
  while (reader.takeWord(word)) parts.push(parsePart());
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { kind, at, parts };
}

function parseNegation(reader: TokenReader): Expectation {
  const { at } = reader.peek();
  if (reader.takeWord('NOT')) return reader.nested(() => ({ kind: 'not', at, expectation: parseNegation(reader) }));
  if (reader.takeSymbol('(')) {
    const inner = parseAny(reader);
    if (!reader.takeSymbol(')')) throw reader.unexpected('AND, OR or ")"');
    return inner;
  }
  return parseBasic(reader);
}

function parseBasic(reader: TokenReader): Expectation {
  const { at } = reader.peek();
  const named = takeOneOf(reader, CONTEXTS);
  if (named === undefined) {
    if (!isTestNext(reader)) throw reader.unexpected('a context such as VALUE or LENGTH, a test such as IS_NUMBER, NOT or "("');
    return parseTest(reader, 'VALUE', at);
  }
  const isNegated = reader.takeWord('NOT');
  if (!isTestNext(reader)) return parseComparedWith(reader, named, isNegated);
  const test = parseTest(reader, named, at);
  return isNegated ? { kind: 'not', at, expectation: test } : test;
}

function isTestNext(reader: TokenReader): boolean {
  return reader.isWord('REGEX') || TESTS.some((test) => reader.isWord(test));
}

function parseTest(reader: TokenReader, context: Context, at: Position): Expectation {
  if (reader.isWord('REGEX')) {
    if (!isTextContext(context)) throw reader.unexpected(`a comparison of ${context}, which is no text`);
    reader.next();
    return parseRegex(reader, context, at);
  }
  if (context !== 'VALUE') throw reader.unexpected(`a comparison; tests such as this look at VALUE, not at ${context}`);
  const test = takeOneOf<Test>(reader, TESTS);
  if (test === undefined) throw reader.unexpected('a test such as IS_NUMBER');
  return { kind: 'test', at, test };
}

function isTextContext(context: Context): context is TextContext {
  return context === 'VALUE' || context === 'EXPANDED_PATTERN' || context === 'COMPRESSED_PATTERN';
}

function parseRegex(reader: TokenReader, context: TextContext, at: Position): Expectation {
  reader.expectSymbol('(');
  const { at: patternAt } = reader.peek();
  const pattern = expectText(reader, 'a regular expression in quotes');
  assertPortable(pattern, patternAt);
  reader.expectSymbol(')');
  return { kind: 'regex', at, context, pattern };
}

/** The operator with what follows it; NOT before the operator turns it around. */
function parseComparedWith(reader: TokenReader, context: Context, isNegated: boolean): Expectation {
  const { at } = reader.peek();
  if (reader.takeWord('NOT_IN')) return parseList(reader, { at, context, outside: !isNegated });
  if (reader.takeWord('IN')) return parseList(reader, { at, context, outside: isNegated });
  if (reader.takeWord('IN_RANGE')) return parseRange(reader, { at, context, outside: isNegated });
  if (reader.takeWord('OUT_OF_RANGE')) return parseRange(reader, { at, context, outside: !isNegated });
  const operator = comparisonOf(reader.peek());
  if (operator === undefined) {
    const name = takeLoneName(reader);
    if (name !== undefined) return { kind: 'variable', at, context, outside: isNegated, asked: 'any', name };
  } else {
    if (isNegated) throw reader.unexpected('IN, IN_RANGE, a value or a test after NOT');
    reader.next();
  }
  return { kind: 'comparison', at, context, operator: operator ?? (isNegated ? '<>' : '='), operand: parseOperand(reader, parseSum) };
}

type Outline = { readonly at: Position; readonly context: Context; readonly outside: boolean };

function parseList(reader: TokenReader, outline: Outline): Expectation {
  const name = takeLoneName(reader);
  if (name !== undefined) return { kind: 'variable', ...outline, asked: 'list', name };
  return { kind: 'list', ...outline, items: parseOperands(reader, 'a list such as (1, 2), or a variable') };
}

function parseRange(reader: TokenReader, outline: Outline): Expectation {
  const name = takeLoneName(reader);
  if (name !== undefined) return { kind: 'variable', ...outline, asked: 'range', name };
  const { at } = reader.peek();
  const [low, high, ...others] = parseOperands(reader, 'a range such as (1, 10), or a variable');
  if (low === undefined || high === undefined || others.length > 0) throw new ExpressionError(at, 'a range has exactly two ends');
  return { kind: 'range', ...outline, low, high };
}

/** A name that is a whole operand: what follows begins something else. */
function takeLoneName(reader: TokenReader): string | undefined {
  const { kind, value } = reader.peek();
  if (kind !== 'quoted' && (kind !== 'name' || value.startsWith('@'))) return undefined;
  const isLone = reader.peek(1).kind === 'end' || reader.isWord('AND', 1) || reader.isWord('OR', 1) || reader.isSymbol(')', 1);
  return isLone ? reader.expectName('a value or a variable').value : undefined;
}

function takeOneOf<Word extends string>(reader: TokenReader, words: readonly Word[]): Word | undefined {
  return words.find((word) => reader.takeWord(word));
}
