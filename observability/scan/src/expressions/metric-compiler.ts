// SPDX-License-Identifier: Apache-2.0
/**
 * User-defined metrics: arithmetic over aggregates, whole (fused into the pass over all columns) or by up to four dimensions (a statement of
 * its own, where each combination of values is a segment). Inside an aggregate stands the scalar language over one row, outside it the
 * same language over what the aggregates gave.
 */

import { unknownName } from '@sextant/foundation-std';
import type { CompileContext, Compiled, MetricCheck } from '../checks.ts';
import type { Dialect } from '../dialect/dialect.ts';
import { ExpressionError } from './expression-error.ts';
import { findRawSqlProblem } from './raw-sql.ts';
import { type AggregateExpression, columnResolver, compileScalar, type ScalarScope } from './scalar-compiler.ts';
import { parseExpression } from './scalar-parser.ts';
import type { Expression } from './syntax-tree.ts';
import { type TokenReader, tokenReader } from './token-reader.ts';
import type { Position, Token } from './tokens.ts';
import { nameOfType, type TypedSql } from './typed-sql.ts';

/** The definition of a METRIC monitor. */
export type MetricDefinition = {
  readonly expression: string;
  /** False: `count` counts rows without a value, `distinct` has null as one more value, `avg` divides by all rows. */
  readonly options: { readonly ignore_nulls: boolean };
  /** The expression is a SELECT of the tenant's own. */
  readonly raw_sql: boolean;
};

export type Metric = { readonly expression: Expression; readonly dimensions: readonly { readonly name: string; readonly at: Position }[] };

/** The reference: at most four. */
const MAX_DIMENSIONS = 4;

/** The metric for one engine, or why it cannot be measured on these attributes. */
export function compileMetric(monitorId: string, definition: MetricDefinition, context: CompileContext): Compiled<MetricCheck> {
  if (definition.raw_sql) {
    const reason = findRawSqlProblem(definition.expression);
    if (reason !== undefined) return { kind: 'refused', reason };
    return { kind: 'compiled', check: { kind: 'statement', monitorId, sql: definition.expression, raw: true } };
  }
  try {
    return { kind: 'compiled', check: compile(monitorId, definition, context) };
  } catch (error) {
    if (error instanceof ExpressionError) return { kind: 'refused', reason: error.message, error };
    throw error;
  }
}

/** Throws an `ExpressionError` that says where the text leaves the language. */
export function parseMetric(source: string): Metric {
  const reader = tokenReader(source);
  const expression = parseExpression(reader);
  const dimensions = reader.takeWord('GROUP') ? parseDimensions(reader) : [];
  reader.expectEnd(dimensions.length === 0 ? 'an operator, GROUP BY or the end' : '"," or the end');
  return { expression, dimensions };
}

function parseDimensions(reader: TokenReader): Metric['dimensions'] {
  reader.expectWord('BY');
  const names: Token[] = [];
  do {
    if (names.length === MAX_DIMENSIONS) throw reader.unexpected(`the end after at most ${MAX_DIMENSIONS} dimensions`);
    names.push(reader.expectName('an attribute'));
  } while (reader.takeSymbol(','));
  return names.map(({ value: name, at }) => ({ name, at }));
}

/** How the parts of a metric are compiled: what stands inside an aggregate is about one row, what stands outside about all of them. */
export function metricScopes({ options }: Pick<MetricDefinition, 'options'>, { dialect, columns, relation, nowMs }: CompileContext) {
  const columnOf = columnResolver(dialect, columns);
  const attribute = (name: string, at: Position) => {
    const found = columnOf(name);
    if (found !== undefined) return found;
    const names = columns.map((column) => column.name);
    throw new ExpressionError(at, unknownName('attribute of the asset', name, names));
  };
  const row: ScalarScope = { dialect, nowMs, resolve: (name, at) => attribute(name, at).value };
  const whole: ScalarScope = {
    dialect,
    nowMs,
    resolve: (name, at) => {
      throw new ExpressionError(at, `${name} has a value per row; put it into an aggregate such as sum(\`${name}\`)`);
    },
    aggregate: (expression) => compileAggregate(expression, row, { relation, ignoresNulls: options.ignore_nulls }),
  };
  return { attribute, row, whole };
}

function compile(monitorId: string, definition: MetricDefinition, context: CompileContext): MetricCheck {
  const { dialect, relation } = context;
  const metric = parseMetric(definition.expression);
  const { attribute, whole } = metricScopes(definition, context);
  const value = compileScalar(metric.expression, whole);
  if (value.type !== 'number')
    throw new ExpressionError(metric.expression.at, `a metric is a number, but this is ${nameOfType(value.type)}`);
  if (metric.dimensions.length === 0) return { kind: 'aggregate', monitorId, sql: value.sql };

  const dimensions = metric.dimensions.map(({ name, at }) => dialect.identifier(attribute(name, at).column.name));
  if (new Set(dimensions).size < dimensions.length)
    throw new ExpressionError(metric.expression.at, 'a dimension occurs twice after GROUP BY');
  const list = dimensions.join(', ');
  return { kind: 'statement', monitorId, sql: `SELECT ${value.sql} AS metric, ${list} FROM ${relation} GROUP BY ${list}`, raw: false };
}

/** Variance and deviation are those of a sample, as in Spark SQL. */
function compileAggregate({ aggregate, operand, at }: AggregateExpression, scope: ScalarScope, over: AggregatedOver): TypedSql {
  const { dialect } = scope;
  const { ignoresNulls } = over;
  const counted = (sql: string): TypedSql => ({ sql: dialect.castDouble(sql), type: 'number' });
  if (operand === null) return counted('COUNT(*)');
  const value = compileScalar(operand, scope);
  if (aggregate === 'count') return counted(ignoresNulls ? `COUNT(${value.sql})` : 'COUNT(*)');
  if (aggregate === 'distinct') {
    const oneForNull = ignoresNulls ? '' : ` + MAX(CASE WHEN ${value.sql} IS NULL THEN 1 ELSE 0 END)`;
    return counted(`COUNT(DISTINCT ${value.sql})${oneForNull}`);
  }
  if (value.type !== 'number') {
    throw new ExpressionError(at, `${aggregate} takes numbers, but this is ${nameOfType(value.type)}${remedies[value.type] ?? ''}`);
  }
  return { sql: numericAggregate(dialect, aggregate, value.sql, over), type: 'number' };
}

const remedies: { readonly [Type in TypedSql['type']]?: string } = {
  text: '; read it with CAST(… AS DOUBLE)',
  date: '; unix_timestamp(…) makes it one',
  timestamp: '; unix_timestamp(…) makes it one',
};

type NumericAggregate = Exclude<AggregateExpression['aggregate'], 'count' | 'distinct'>;

type AggregatedOver = { readonly relation: string; readonly ignoresNulls: boolean };

/**
 * Mean, variance and deviation are those of the distance from the least value of all rows: where values are large and near each other, such as
 * times, engines lose half of the digits to their size.
 */
function numericAggregate(dialect: Dialect, aggregate: NumericAggregate, sql: string, { relation, ignoresNulls }: AggregatedOver): string {
  const least = `(SELECT MIN(${sql}) FROM ${relation})`;
  switch (aggregate) {
    case 'min':
      return `MIN(${sql})`;
    case 'max':
      return `MAX(${sql})`;
    case 'sum':
      return `SUM(${sql})`;
    case 'avg':
      return ignoresNulls ? `(${least} + AVG(${sql} - ${least}))` : `(SUM(${sql}) / NULLIF(COUNT(*), 0))`;
    case 'variance':
      return `VAR_SAMP(${sql} - ${least})`;
    case 'stddev':
      return `STDDEV_SAMP(${sql} - ${least})`;
    case 'median':
      return dialect.median(sql);
  }
}
