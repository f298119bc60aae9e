// SPDX-License-Identifier: Apache-2.0
/** Turns the tree of a scalar expression into SQL, with types checked on the way. */
import type { Column } from '@sextant/observability-connectors';
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from './expression-error.ts';
import { compileCall, remainder } from './functions.ts';
import { likePattern, portablePattern } from './regular-expression.ts';
import type { ArithmeticOperator, CastTarget, ComparisonOperator, Expression } from './syntax-tree.ts';
import type { Position } from './tokens.ts';
import {
  asBoolean,
  asDate,
  asNumber,
  asText,
  asTimestamp,
  nameOfType,
  ordered,
  type TypedSql,
  typedColumn,
  typedNumber,
  typedText,
  unify,
} from './typed-sql.ts';

export type ScalarScope = {
  readonly dialect: Dialect;
  readonly nowMs: number;
  /** What a name means; throws an `ExpressionError` where it means nothing. */
  readonly resolve: (name: string, at: Position) => TypedSql;
  /** Metrics say how aggregates are written; elsewhere there are none. */
  readonly aggregate?: (expression: AggregateExpression) => TypedSql;
};

export type AggregateExpression = Extract<Expression, { kind: 'aggregate' }>;

/** What fits into a statement with hundreds of others; guards and transformations can multiply what was written. */
const MAX_SQL_LENGTH = 60_000;

export function compileScalar(expression: Expression, scope: ScalarScope): TypedSql {
  const compiled = compileNode(expression, scope);
  if (compiled.sql.length > MAX_SQL_LENGTH)
    throw new ExpressionError(expression.at, 'the expression grows too large when it is written out');
  return compiled;
}

function compileNode(expression: Expression, scope: ScalarScope): TypedSql {
  const { dialect } = scope;
  const { at } = expression;
  switch (expression.kind) {
    case 'text':
      return typedText(dialect, expression.value);
    case 'number':
      return typedNumber(dialect, expression.value);
    case 'boolean':
      return { sql: expression.value ? 'TRUE' : 'FALSE', type: 'boolean' };
    case 'null':
      return { sql: 'NULL', type: 'null' };
    case 'name':
      return scope.resolve(expression.name, at);
    case 'negate':
      return { sql: `(-${numberOf(expression.operand, scope)})`, type: 'number' };
    case 'not':
      return { sql: `(NOT ${booleanOf(expression.operand, scope)})`, type: 'boolean' };
    case 'logic':
      return condition(expression.operands.map((operand) => booleanOf(operand, scope)).join(` ${expression.operator} `));
    case 'arithmetic':
      return arithmetic(dialect, expression.operator, numberOf(expression.left, scope), numberOf(expression.right, scope));
    case 'concatenation':
      return { sql: `(${textOf(expression.left, scope)} || ${textOf(expression.right, scope)})`, type: 'text' };
    case 'comparison': {
      const { operator, left, right } = expression;
      return compare(dialect, { operator, left: compileScalar(left, scope), right: compileScalar(right, scope), at });
    }
    case 'is-null':
      return condition(`${compileScalar(expression.operand, scope).sql} IS ${expression.negated ? 'NOT ' : ''}NULL`);
    case 'in': {
      const items = expression.items.map((item) => compileScalar(item, scope));
      return negated(expression.negated, isAnyOf(dialect, compileScalar(expression.operand, scope), items, at));
    }
    case 'between': {
      const operand = compileScalar(expression.operand, scope);
      const low = compare(dialect, { operator: '>=', left: operand, right: compileScalar(expression.low, scope), at });
      const high = compare(dialect, { operator: '<=', left: operand, right: compileScalar(expression.high, scope), at });
      return negated(expression.negated, condition(`${low.sql} AND ${high.sql}`));
    }
    case 'like':
      return negated(
        expression.negated,
        condition(dialect.regexMatches(textOf(expression.operand, scope), portablePattern(dialect, likePattern(expression.pattern)))),
      );
    case 'case':
      return compileCase(expression, scope);
    case 'cast':
      return cast(expression.target, compileScalar(expression.operand, scope), scope, at);
    case 'call': {
      const parameters = expression.parameters.map((parameter) => compileScalar(parameter, scope));
      return compileCall(expression.name, parameters, { dialect, nowMs: scope.nowMs, at });
    }
    case 'aggregate':
      if (scope.aggregate === undefined) throw new ExpressionError(at, `${expression.aggregate} goes over many rows, but here is only one`);
      return scope.aggregate(expression);
  }
}

function numberOf(expression: Expression, scope: ScalarScope): string {
  return asNumber(scope.dialect, compileScalar(expression, scope), expression.at);
}

function booleanOf(expression: Expression, scope: ScalarScope): string {
  return asBoolean(compileScalar(expression, scope), expression.at);
}

function textOf(expression: Expression, scope: ScalarScope): string {
  return asText(scope.dialect, compileScalar(expression, scope));
}

function condition(sql: string): TypedSql {
  return { sql: `(${sql})`, type: 'boolean' };
}

function negated(isNegated: boolean, value: TypedSql): TypedSql {
  return isNegated ? condition(`NOT ${value.sql}`) : value;
}

/** Division by zero is null on every engine. */
export function arithmetic(dialect: Dialect, operator: ArithmeticOperator, left: string, right: string): TypedSql {
  if (operator === '/') return { sql: `(${left} / NULLIF(${right}, 0))`, type: 'number' };
  if (operator === '%') return { sql: remainder(dialect, left, right), type: 'number' };
  return { sql: `(${left} ${operator} ${right})`, type: 'number' };
}

export type Comparison = {
  readonly operator: ComparisonOperator;
  readonly left: TypedSql;
  readonly right: TypedSql;
  readonly at: Position;
};

/** A comparison after both sides have been brought to one type; null beside anything is null. */
export function compare(dialect: Dialect, { operator, left, right, at }: Comparison): TypedSql {
  const { type, sqls } = unify(dialect, [left, right], at);
  const [x = '', y = ''] = sqls.map((sql) => (operator === '=' || operator === '<>' ? sql : ordered(dialect, type, sql)));
  return condition(`${x} ${operator} ${y}`);
}

export function isAnyOf(dialect: Dialect, operand: TypedSql, items: readonly TypedSql[], at: Position): TypedSql {
  if (items.length === 0) throw new ExpressionError(at, 'the list of values is empty');
  const [value = '', ...list] = unify(dialect, [operand, ...items], at).sqls;
  return condition(`${value} IN (${list.join(', ')})`);
}

function compileCase({ branches, otherwise, at }: Expression & { kind: 'case' }, scope: ScalarScope): TypedSql {
  const values = [
    ...branches.map(({ result }) => compileScalar(result, scope)),
    otherwise === null ? nothing : compileScalar(otherwise, scope),
  ];
  const { type, sqls } = unify(scope.dialect, values, at);
  const parts = branches.map(({ when }, index) => `WHEN ${booleanOf(when, scope)} THEN ${sqls[index]}`);
  return { type, sql: `(CASE ${parts.join(' ')} ELSE ${sqls[branches.length]} END)` };
}

const nothing: TypedSql = { sql: 'NULL', type: 'null' };

function cast(target: CastTarget, value: TypedSql, { dialect }: ScalarScope, at: Position): TypedSql {
  switch (target) {
    case 'text':
      return { sql: asText(dialect, value), type: 'text' };
    case 'number':
      if (value.type === 'boolean')
        return {
          sql: `(CASE WHEN ${value.sql} THEN ${dialect.number(1)} WHEN NOT ${value.sql} THEN ${dialect.number(0)} END)`,
          type: 'number',
        };
      // A constant is read like a value of an attribute, so that casting never refuses what a row could hold.
      return { sql: asNumber(dialect, { sql: value.sql, type: value.type }, at), type: 'number' };
    case 'date':
      return { sql: asDate(dialect, { sql: value.sql, type: value.type }, at), type: 'date' };
    case 'timestamp':
      return { sql: asTimestamp(dialect, { sql: value.sql, type: value.type }, at), type: 'timestamp' };
    case 'boolean':
      return { sql: booleanFrom(value, at), type: 'boolean' };
  }
}

function booleanFrom(value: TypedSql, at: Position): string {
  if (value.type === 'boolean' || value.type === 'null') return asBoolean(value, at);
  if (value.type === 'number') return `(${value.sql} <> 0)`;
  if (value.type === 'text') return `(CASE lower(${value.sql}) WHEN 'true' THEN TRUE WHEN 'false' THEN FALSE END)`;
  throw new ExpressionError(at, `${nameOfType(value.type)} cannot be read as true or false`);
}

/** Attributes by their names: as written, or else without regard to case where only one fits. */
export function columnResolver(
  dialect: Dialect,
  columns: readonly Column[],
): (name: string) => { readonly column: Column; readonly value: TypedSql } | undefined {
  const exact = new Map(columns.map((column) => [column.name, column]));
  const folded = Map.groupBy(columns, ({ name }) => name.toLowerCase());
  return (name) => {
    const candidates = folded.get(name.toLowerCase()) ?? [];
    const column = exact.get(name) ?? (candidates.length === 1 ? candidates[0] : undefined);
    return column === undefined ? undefined : { column, value: typedColumn(dialect, column) };
  };
}
