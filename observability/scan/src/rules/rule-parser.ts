/**
 * The grammar of rules (SPEC.md):
 *
 *   rule        = { WITH expression AS name } VALIDATE expression EXPECT any
 *   any         = all { OR all }           all = negation { AND negation }
 *   negation    = NOT negation | "(" any ")" | basic
 *   basic       = test | [ context ] [ NOT ] ( test | REGEX "(" text ")" | [ operator ] operand )
 */
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
  if (!reader.takeWord('VALIDATE')) throw reader.unexpected(transformations.length === 0 ? 'WITH or VALIDATE' : 'another WITH, or VALIDATE');
  const validated = parseExpression(reader);
  if (!reader.takeWord('EXPECT')) throw reader.unexpected('EXPECT');
  const expectation = parseAny(reader);
  reader.expectEnd('AND, OR or the end');
  return { transformations, validated, expectation };
}

function parseTransformations(reader: TokenReader): Rule['transformations'] {
  const transformations: { name: string; at: Position; expression: Rule['validated'] }[] = [];
  // After the first, a comma may stand in place of WITH.
  while (reader.takeWord('WITH') || (transformations.length > 0 && reader.takeSymbol(','))) {
    if (transformations.length === MAX_TRANSFORMATIONS) throw reader.unexpected(`VALIDATE after at most ${MAX_TRANSFORMATIONS} transformations`);
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
  const context = named ?? 'VALUE';
  if (named !== undefined && reader.isWord('NOT')) {
    reader.next();
    return { kind: 'not', at, expectation: parseAsked(reader, context, at) };
  }
  if (named === undefined && !isTestNext(reader)) throw reader.unexpected('a context such as VALUE or LENGTH, a test such as IS_NUMBER, NOT or "("');
  return parseAsked(reader, context, at);
}

function isTestNext(reader: TokenReader): boolean {
  return reader.isWord('REGEX') || TESTS.some((test) => reader.isWord(test));
}

function parseAsked(reader: TokenReader, context: Context, at: Position): Expectation {
  const test = context === 'VALUE' ? takeOneOf<Test>(reader, TESTS) : undefined;
  if (test !== undefined) return { kind: 'test', at, test };
  if (isTextContext(context) && reader.takeWord('REGEX')) return parseRegex(reader, context, at);
  if (reader.takeWord('NOT_IN')) return { kind: 'not', at, expectation: parseList(reader, context, at) };
  if (reader.takeWord('IN')) return parseList(reader, context, at);
  if (reader.takeWord('IN_RANGE')) return parseRange(reader, context, at);
  if (reader.takeWord('OUT_OF_RANGE')) return { kind: 'not', at, expectation: parseRange(reader, context, at) };
  return parseComparison(reader, context, at);
}

function isTextContext(context: Context): context is TextContext {
  return context === 'VALUE' || context === 'EXPANDED_PATTERN' || context === 'COMPRESSED_PATTERN';
}

function parseRegex(reader: TokenReader, context: TextContext, at: Position): Expectation {
  reader.expectSymbol('(');
  const pattern = expectText(reader, 'a regular expression in quotes');
  reader.expectSymbol(')');
  return { kind: 'regex', at, context, pattern };
}

function parseComparison(reader: TokenReader, context: Context, at: Position): Expectation {
  const operator = comparisonOf(reader.peek());
  if (operator !== undefined) {
    reader.next();
    return { kind: 'comparison', at, context, operator, operand: parseOperand(reader, parseSum) };
  }
  const name = takeLoneName(reader);
  if (name !== undefined) return { kind: 'variable', at, context, asked: 'any', name };
  return { kind: 'comparison', at, context, operator: '=', operand: parseOperand(reader, parseSum) };
}

function parseList(reader: TokenReader, context: Context, at: Position): Expectation {
  const name = takeLoneName(reader);
  if (name !== undefined) return { kind: 'variable', at, context, asked: 'list', name };
  return { kind: 'list', at, context, items: parseOperands(reader, 'a list such as (1, 2), or a variable') };
}

function parseRange(reader: TokenReader, context: Context, at: Position): Expectation {
  const name = takeLoneName(reader);
  if (name !== undefined) return { kind: 'variable', at, context, asked: 'range', name };
  const [low, high, ...others] = parseOperands(reader, 'a range such as (1, 10), or a variable');
  if (low === undefined || high === undefined || others.length > 0) throw reader.unexpected('a range of exactly two ends before this');
  return { kind: 'range', at, context, low, high };
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
