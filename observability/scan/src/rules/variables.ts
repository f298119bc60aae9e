// SPDX-License-Identifier: Apache-2.0
/** Variables that an expectation is compared with: a list, a range, or one value. */
import type { RuleVariable } from '@sextant/contracts-observability';
import { ExpressionError } from '../expressions/expression-error.ts';
import type { ScalarScope } from '../expressions/scalar-compiler.ts';
import type { Position } from '../expressions/tokens.ts';
import { type TypedSql, typedTimestamp } from '../expressions/typed-sql.ts';
import { type Names, typedConstant } from './names.ts';
import { momentOffsetMs } from './operand-parser.ts';
import type { Expectation } from './rule-tree.ts';

export type Held =
  | { readonly kind: 'list'; readonly items: readonly TypedSql[] }
  | { readonly kind: 'range'; readonly low: TypedSql; readonly high: TypedSql };

type VariableExpectation = Extract<Expectation, { kind: 'variable' }>;

/** A name that is no list and no range is one value, as an attribute is. */
export function variableOperands({ name, asked, at }: VariableExpectation, names: Names, scope: ScalarScope): Held {
  const many = names.manyOf(name);
  if (many?.type === 'LIST' && asked !== 'range') {
    return { kind: 'list', items: many.value.map((item) => typedConstant(scope.dialect, item)) };
  }
  if (many?.type === 'RANGE' && asked !== 'list') return rangeOf(many, scope, at);
  if (many === undefined && asked !== 'range') return { kind: 'list', items: [names.resolve(name, at)] };
  throw new ExpressionError(
    at,
    asked === 'range' ? `${name} is no variable of type RANGE` : `${name} is a range; it can only stand after IN_RANGE`,
  );
}

function rangeOf({ name, value }: RuleVariable, scope: ScalarScope, at: Position): Held {
  const [low, high, ...others] = value;
  if (low === undefined || high === undefined || others.length > 0)
    throw new ExpressionError(at, `the range ${name} needs exactly two ends`);
  return { kind: 'range', low: endOf(low, scope, at), high: endOf(high, scope, at) };
}

/** A number, a text that writes a number or a time, or a moment relative to the scan. */
function endOf(end: string | number, { dialect, nowMs }: ScalarScope, at: Position): TypedSql {
  const offsetMs = typeof end === 'string' ? momentOffsetMs(end, at) : undefined;
  return offsetMs === undefined ? typedConstant(dialect, end) : typedTimestamp(nowMs + offsetMs);
}
