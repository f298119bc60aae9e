// SPDX-License-Identifier: Apache-2.0
/** What stands to the right in an expectation, and moments relative to the scan: `@now`, `@now - 1h`, `-2d`. */
import { ExpressionError } from '../expressions/expression-error.ts';
import { parseExpression } from '../expressions/scalar-parser.ts';
import type { Expression } from '../expressions/syntax-tree.ts';
import { type TokenReader, tokenReader } from '../expressions/token-reader.ts';
import type { Position, Token } from '../expressions/tokens.ts';
import type { Operand } from './rule-tree.ts';

const SECOND_MS = 1000;
const UNITS: { readonly [unit: string]: number } = {
  s: SECOND_MS,
  m: 60 * SECOND_MS,
  h: 3600 * SECOND_MS,
  d: 24 * 3600 * SECOND_MS,
  w: 7 * 24 * 3600 * SECOND_MS,
};
/** A thousand years: what lies beyond is a mistake. */
const MAX_OFFSET_MS = 365_250 * 24 * 3600 * SECOND_MS;

export function parseOperand(reader: TokenReader, parse: (reader: TokenReader) => Expression): Operand {
  return parseMoment(reader) ?? { kind: 'expression', expression: parse(reader) };
}

/** Operands between `(` and `)` or `[` and `]`, at least one. */
export function parseOperands(reader: TokenReader, expected: string): readonly Operand[] {
  const isBracket = reader.takeSymbol('[');
  if (!isBracket && !reader.takeSymbol('(')) throw reader.unexpected(expected);
  const operands = [parseOperand(reader, parseExpression)];
  while (reader.takeSymbol(',')) operands.push(parseOperand(reader, parseExpression));
  const close = isBracket ? ']' : ')';
  if (!reader.takeSymbol(close)) throw reader.unexpected(`"," or "${close}"`);
  return operands;
}

function parseMoment(reader: TokenReader): Operand | undefined {
  const { at, kind, value } = reader.peek();
  if (kind === 'name' && value.startsWith('@')) {
    if (!reader.takeWord('@NOW')) throw reader.unexpected('@now, the only name with an @');
    return { kind: 'moment', at, offsetMs: takeOffset(reader) ?? 0 };
  }
  const offsetMs = takeOffset(reader);
  return offsetMs === undefined ? undefined : { kind: 'moment', at, offsetMs };
}

const MOMENT = /^\s*(?:@now\s*)?(?:[+-]\s*[0-9]{1,12}[smhdw])?\s*$/i;

/** How far from the scan's time the text of a variable lies; undefined where it writes no relative moment. */
export function momentOffsetMs(text: string, at: Position): number | undefined {
  if (text.trim() === '' || !MOMENT.test(text)) return undefined;
  const moment = parseMoment(tokenReader(text.toLowerCase()));
  if (moment?.kind !== 'moment') throw new ExpressionError(at, `${JSON.stringify(text)} is no moment such as @now or -2d`);
  return moment.offsetMs;
}

function takeOffset(reader: TokenReader): number | undefined {
  const isSigned = reader.isSymbol('-') || reader.isSymbol('+');
  const duration = reader.peek(isSigned ? 1 : 0);
  if (duration.kind !== 'duration') return undefined;
  const sign = isSigned && reader.next().value === '-' ? -1 : 1;
  return sign * durationMs(reader.next());
}

function durationMs({ value, at }: Token): number {
  const ms = Number(value.slice(0, -1)) * (UNITS[value.slice(-1)] ?? 0);
  if (ms > MAX_OFFSET_MS) throw new ExpressionError(at, `${value} is more than a thousand years`);
  return ms;
}
