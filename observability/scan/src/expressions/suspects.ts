// SPDX-License-Identifier: Apache-2.0
/**
 * What may keep a metric from having a value: a divisor of zero, a result beyond the range of doubles, a text that is no number, an aggregate of nothing.
 * Each suspect is a condition that cannot fail as long as those before it do not hold; that is why they stand in the order in which values are computed.
 */
import type { CompileContext } from '../checks.ts';
import { ExpressionError } from './expression-error.ts';
import { type Metric, type MetricDefinition, metricScopes, parseMetric } from './metric-compiler.ts';
import { compileScalar, type ScalarScope } from './scalar-compiler.ts';
import type { Expression } from './syntax-tree.ts';
import { asNumber, asText } from './typed-sql.ts';
import { written } from './written.ts';

export type Suspect = {
  /** A result beyond the range is no null: on one engine it is infinite, on the other it ends the statement. */
  readonly kind: 'no value' | 'out of range';
  /** True where this is what is wrong. */
  readonly sql: string;
  /** What is wrong, in words; where there is a `text`, what it is that says it. */
  readonly says: string;
  /** The text at fault, as SQL, and what it is not. */
  readonly text?: { readonly sql: string; readonly not: string };
  /** Of an aggregate: what it goes over. */
  readonly over?: AggregatedRows;
};

export type AggregatedRows = {
  readonly operand: string;
  /** The operand of one row. */
  readonly sql: string;
  readonly suspects: readonly Suspect[];
  /** Rows with a value that it takes to have one. */
  readonly least: number;
};

export type MetricSuspects = {
  readonly whole: readonly Suspect[];
  /** What the metric is grouped by, as SQL. */
  readonly dimensions: readonly string[];
};

/** Undefined for a tenant's own SQL, and for what cannot be compiled. */
export function metricSuspects(definition: MetricDefinition, context: CompileContext): MetricSuspects | undefined {
  if (definition.raw_sql) return undefined;
  try {
    const metric: Metric = parseMetric(definition.expression);
    const { attribute, row, whole } = metricScopes(definition, context);
    const dimensions = metric.dimensions.map(({ name, at }) => context.dialect.identifier(attribute(name, at).column.name));
    return { whole: suspectsOf(metric.expression, { scope: whole, row }), dimensions };
  } catch (error) {
    if (error instanceof ExpressionError) return undefined;
    throw error;
  }
}

/** Where a part of an expression stands; `row` is for the operands of aggregates. */
type Place = { readonly scope: ScalarScope; readonly row?: ScalarScope };

function suspectsOf(expression: Expression, place: Place): readonly Suspect[] {
  switch (expression.kind) {
    case 'negate':
      return ofNumber(expression.operand, place);
    case 'arithmetic':
      return [...ofNumber(expression.left, place), ...ofNumber(expression.right, place), ...ofArithmetic(expression, place)];
    case 'cast':
      return expression.target === 'number' ? ofNumber(expression.operand, place) : suspectsOf(expression.operand, place);
    case 'call':
      return ofCall(expression, place);
    case 'aggregate':
      return ofAggregate(expression, place);
    case 'text':
    case 'number':
    case 'boolean':
    case 'null':
    case 'name':
    // What a condition comes to does not follow from each part of it: a branch that is not taken is no suspect.
    case 'not':
    case 'logic':
    case 'comparison':
    case 'concatenation':
    case 'is-null':
    case 'in':
    case 'between':
    case 'like':
    case 'case':
      return [];
  }
}

/** Of what is taken for a number. */
function ofNumber(expression: Expression, place: Place): readonly Suspect[] {
  const { dialect } = place.scope;
  const value = compileScalar(expression, place.scope);
  const inner = suspectsOf(expression, place);
  if (value.type !== 'text' || value.constant !== undefined) return inner;
  const text = asText(dialect, value);
  const sql = `(${text} IS NOT NULL AND ${asNumber(dialect, value, expression.at)} IS NULL)`;
  return [...inner, { kind: 'no value', sql, says: written(expression), text: { sql: text, not: 'no number' } }];
}

function ofArithmetic(expression: Extract<Expression, { kind: 'arithmetic' }>, { scope }: Place): readonly Suspect[] {
  const { dialect } = scope;
  const { operator } = expression;
  const [left = '', right = ''] = [expression.left, expression.right].map((side) => asNumber(dialect, compileScalar(side, scope), side.at));
  const [x, y] = [`abs(${left})`, `abs(${right})`];
  const most = dialect.number(Number.MAX_VALUE);
  const beyond = (sql: string): Suspect => ({ kind: 'out of range', sql, says: `${written(expression)} is beyond the range of numbers` });
  switch (operator) {
    case '/':
    case '%': {
      const beyondRange = beyond(`CASE WHEN ${y} < 1 AND ${right} <> 0 THEN ${x} > ${most} * ${y} ELSE FALSE END`);
      return [divisor(expression.right, right), ...(operator === '/' ? [beyondRange] : [])];
    }
    case '*':
      return [beyond(`CASE WHEN ${x} > 1 THEN ${y} > ${most} / ${x} ELSE FALSE END`)];
    case '+':
      return [beyond(`(sign(${left}) = sign(${right}) AND ${x} > ${most} - ${y})`)];
    case '-':
      return [beyond(`(sign(${left}) <> sign(${right}) AND ${x} > ${most} - ${y})`)];
  }
}

function divisor(expression: Expression, sql: string): Suspect {
  return { kind: 'no value', sql: `${sql} = 0`, says: `its divisor ${written(expression)} is 0` };
}

/** Functions that pass over what has no value. */
const FORGIVING: ReadonlySet<string> = new Set(['coalesce', 'ifnull', 'nvl', 'greatest', 'least', 'nullif']);
/** Functions that are not defined for all numbers. */
const PARTIAL: { readonly [name: string]: string } = {
  power: 'is no number or beyond the range of numbers',
  pow: 'is no number or beyond the range of numbers',
  exp: 'is beyond the range of numbers',
  sqrt: 'is the root of a negative number',
  ln: 'is the logarithm of a number that is not positive',
  log: 'is the logarithm of a number that is not positive',
  log10: 'is the logarithm of a number that is not positive',
};

function ofCall(expression: Extract<Expression, { kind: 'call' }>, place: Place): readonly Suspect[] {
  const { name, parameters } = expression;
  if (FORGIVING.has(name)) return [];
  const { scope } = place;
  const [, second] = parameters;
  if (name === 'mod' && second !== undefined) {
    const sql = asNumber(scope.dialect, compileScalar(second, scope), second.at);
    return [...parameters.flatMap((parameter) => ofNumber(parameter, place)), divisor(second, sql)];
  }
  const problem = PARTIAL[name];
  if (problem === undefined) return parameters.flatMap((parameter) => suspectsOf(parameter, place));
  const given = parameters.map((parameter) => `${asNumber(scope.dialect, compileScalar(parameter, scope), parameter.at)} IS NOT NULL`);
  const sql = `(${[...given, `${compileScalar(expression, scope).sql} IS NULL`].join(' AND ')})`;
  return [
    ...parameters.flatMap((parameter) => ofNumber(parameter, place)),
    { kind: 'no value', sql, says: `${written(expression)} ${problem}` },
  ];
}

function ofAggregate(expression: Extract<Expression, { kind: 'aggregate' }>, { scope, row }: Place): readonly Suspect[] {
  const { aggregate, operand } = expression;
  // A count always has a value.
  if (operand === null || row === undefined || aggregate === 'count' || aggregate === 'distinct') return [];
  const { sql } = compileScalar(expression, scope);
  const least = aggregate === 'variance' || aggregate === 'stddev' ? 2 : 1;
  const suspects = ofNumber(operand, { scope: row });
  const over = { operand: written(operand), sql: compileScalar(operand, row).sql, suspects, least };
  const named = written(expression);
  return [
    { kind: 'no value', sql: `${sql} IS NULL`, says: `${named} has no value`, over },
    {
      kind: 'out of range',
      sql: `abs(${sql}) > ${scope.dialect.number(Number.MAX_VALUE)}`,
      says: `${named} is beyond the range of numbers`,
      over,
    },
  ];
}
