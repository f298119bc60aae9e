// SPDX-License-Identifier: Apache-2.0
/**
 * Rules as SQL over one row.
 *
 * | value                             | verdict                                                                       |
 * | --------------------------------- | ----------------------------------------------------------------------------- |
 * | null, `ignore_nulls`              | the row is ignored: it counts neither as valid nor as a record                |
 * | null                              | only IS_NULL is met; every other basic expectation is not                     |
 * | one of `empty_values` (as text)   | as null                                                                       |
 * | a value that the context cannot   | (NUMERIC_VALUE of `abc`) no basic expectation is met                          |
 * | read                              |                                                                               |
 * | anything else                     | valid where the expectation holds, invalid where it does not                  |
 *
 * NOT, AND and OR are two-valued: a basic expectation is met or it is not, so `NOT (VALUE = 5)` holds for null, while `VALUE <> 5`, a basic
 * expectation of its own, does not. Correctness = valid / (valid + invalid) * 100.
 *
 * FREQUENCY is a window over all rows of the scan: `COUNT(*) OVER (PARTITION BY value)`. The plan puts it into a subquery beside the row,
 * where rules that need one share a pass with the others at the price of one sort.
 */
import type { RuleVariable } from '@sextant/contracts-observability';
import type { CompileContext, Compiled, RuleCheck } from '../checks.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from '../expressions/expression-error.ts';
import { portablePattern } from '../expressions/regular-expression.ts';
import { compare, compileScalar, isAnyOf, type ScalarScope } from '../expressions/scalar-compiler.ts';
import type { Position } from '../expressions/tokens.ts';
import { asText, type TypedSql, typedTimestamp } from '../expressions/typed-sql.ts';
import { compileContext, type Validated } from './contexts.ts';
import { type Names, ruleNames } from './names.ts';
import { parseRule } from './rule-parser.ts';
import type { Context, Expectation, Operand, Rule } from './rule-tree.ts';
import { compileTest } from './tests.ts';
import { type Held, variableOperands } from './variables.ts';

/** The definition of a RULE monitor. */
export type RuleDefinition = {
  readonly expression: string;
  readonly options: { readonly ignore_nulls: boolean; readonly empty_values: readonly string[] };
  readonly variables: readonly RuleVariable[];
};

/** The rule for one engine, or why it cannot be measured on these attributes. */
export function compileRule(monitorId: string, definition: RuleDefinition, context: CompileContext): Compiled<RuleCheck> {
  try {
    return { kind: 'compiled', check: compile(monitorId, definition, context) };
  } catch (error) {
    if (error instanceof ExpressionError) return { kind: 'refused', reason: error.message, error };
    throw error;
  }
}

function compile(monitorId: string, { expression, options, variables }: RuleDefinition, context: CompileContext): RuleCheck {
  const { dialect } = context;
  const rule = parseRule(expression);
  const names = ruleNames(variables, context);
  const scope: ScalarScope = { dialect, nowMs: context.nowMs, resolve: names.resolve };
  const value = withoutEmpty(validatedValue(rule, names, scope), options.empty_values, scope);
  const frequencyName = `frequency of ${monitorId}`;
  let usesFrequency = false;
  const validated: Validated = {
    value,
    frequency: () => {
      usesFrequency = true;
      return dialect.identifier(frequencyName);
    },
  };
  const validSql = compileExpectation(rule.expectation, { validated, names, scope });
  return {
    monitorId,
    validSql,
    ...(options.ignore_nulls ? { appliesSql: `${value.sql} IS NOT NULL` } : {}),
    windows: usesFrequency ? [{ name: frequencyName, sql: `COUNT(*) OVER (PARTITION BY ${value.sql})` }] : [],
    attributes: names.attributes(),
    reason: `expected ${rule.expected}`,
  };
}

function validatedValue({ transformations, validated }: Rule, names: Names, scope: ScalarScope): TypedSql {
  for (const { name, at, expression } of transformations) names.addTransformation(name, compileScalar(expression, scope), at);
  const { sql, type, integer } = compileScalar(validated, scope);
  // A constant that is validated is a value like any other: it may fail the rule, but not break it.
  return { sql, type, ...(integer === undefined ? {} : { integer }) };
}

function withoutEmpty(value: TypedSql, emptyValues: readonly string[], { dialect }: ScalarScope): TypedSql {
  if (emptyValues.length === 0) return value;
  const isEmpty = `${asText(dialect, value)} IN (${emptyValues.map((text) => dialect.literal(text)).join(', ')})`;
  const emptied = (sql: string) => `(CASE WHEN ${isEmpty} THEN NULL ELSE ${sql} END)`;
  return { sql: emptied(value.sql), type: value.type, ...(value.integer === undefined ? {} : { integer: emptied(value.integer) }) };
}

type Environment = { readonly validated: Validated; readonly names: Names; readonly scope: ScalarScope };

function compileExpectation(expectation: Expectation, environment: Environment): string {
  switch (expectation.kind) {
    case 'all':
    case 'any': {
      const parts = expectation.parts.map((part) => compileExpectation(part, environment));
      return `(${parts.join(expectation.kind === 'all' ? ' AND ' : ' OR ')})`;
    }
    case 'not':
      return `(NOT ${compileExpectation(expectation.expectation, environment)})`;
    case 'test': {
      const { validated, scope } = environment;
      return met(compileTest(expectation.test, validated.value, scope.dialect, expectation.at));
    }
    case 'regex': {
      const { dialect } = environment.scope;
      const text = asText(dialect, contextOf(expectation.context, expectation.at, environment));
      return met(dialect.regexMatches(text, portablePattern(dialect, expectation.pattern)));
    }
    case 'comparison':
    case 'list':
    case 'range':
    case 'variable':
      return met(compileComparedWith(expectation, environment));
  }
}

/** Two values: met, or not. */
function met(sql: string): string {
  return `COALESCE(${sql}, FALSE)`;
}

type ComparedWith = Extract<Expectation, { kind: 'comparison' | 'list' | 'range' | 'variable' }>;

function compileComparedWith(expectation: ComparedWith, environment: Environment): string {
  const { dialect } = environment.scope;
  const { at, context } = expectation;
  const left = contextOf(context, at, environment);
  if (expectation.kind === 'comparison') {
    return compare(dialect, { operator: expectation.operator, left, right: operandOf(expectation.operand, environment), at }).sql;
  }
  const held = heldOperands(expectation, environment);
  const inside = held.kind === 'list' ? isAnyOf(dialect, left, held.items, at) : isBetween(dialect, left, held, at);
  return expectation.outside ? `NOT ${inside.sql}` : inside.sql;
}

function heldOperands(expectation: Exclude<ComparedWith, { kind: 'comparison' }>, environment: Environment): Held {
  switch (expectation.kind) {
    case 'list':
      return { kind: 'list', items: expectation.items.map((item) => operandOf(item, environment)) };
    case 'range':
      return { kind: 'range', low: operandOf(expectation.low, environment), high: operandOf(expectation.high, environment) };
    case 'variable':
      return variableOperands(expectation, environment.names, environment.scope);
  }
}

function contextOf(context: Context, at: Position, { validated, scope }: Environment): TypedSql {
  return compileContext(context, validated, scope.dialect, at);
}

function operandOf(operand: Operand, { scope }: Environment): TypedSql {
  return operand.kind === 'moment' ? typedTimestamp(scope.nowMs + operand.offsetMs) : compileScalar(operand.expression, scope);
}

/** Both bounds are included. A day as a bound is its first moment. */
function isBetween(dialect: Dialect, value: TypedSql, { low, high }: Extract<Held, { kind: 'range' }>, at: Position): TypedSql {
  const atLeast = compare(dialect, { operator: '>=', left: value, right: low, at });
  const atMost = compare(dialect, { operator: '<=', left: value, right: high, at });
  return { sql: `(${atLeast.sql} AND ${atMost.sql})`, type: 'boolean' };
}
