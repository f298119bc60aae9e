// SPDX-License-Identifier: Apache-2.0
/** Metrics that users define: aggregates share a statement, grouped and tenants' own statements run by themselves. */

import type { MetricCheck } from '../checks.ts';
import { type Engine, type RowObject, ScanError, type StatementLimit } from '../engine/engine.ts';
import { type Failure, failuresOf, reasonOf } from '../plan/failure.ts';
import type { PointCollector } from '../points.ts';

/** Series that one metric may have; each is stored for every scan. */
export const SERIES_MAX = 1000;

type Statement = Extract<MetricCheck, { readonly kind: 'statement' }>;
type Aggregate = Extract<MetricCheck, { readonly kind: 'aggregate' }>;

export type CustomMetricScope = {
  readonly points: PointCollector;
  /** Of each metric that a tenant wrote. */
  readonly timeoutMs: number;
};

/** Measures what can be measured and answers with the rest. */
export async function measureCustomMetrics(
  engine: Engine,
  metrics: readonly MetricCheck[],
  { points, timeoutMs }: CustomMetricScope,
): Promise<readonly Failure[]> {
  const aggregates = metrics.filter((metric): metric is Aggregate => metric.kind === 'aggregate');
  const failures = [...(await measureAggregates(engine, aggregates, { points, timeoutMs }))];
  for (const metric of metrics) {
    if (metric.kind === 'statement')
      failures.push(...(await failuresOf(metric.monitorId, () => measureStatement(engine, metric, { points, timeoutMs }))));
  }
  return failures;
}

/** All in one statement; where that fails, each by itself, to learn which. */
async function measureAggregates(engine: Engine, metrics: readonly Aggregate[], scope: CustomMetricScope): Promise<readonly Failure[]> {
  const { points, timeoutMs } = scope;
  if (metrics.length === 0) return [];
  try {
    const [values = []] = await engine.query(
      `SELECT ${metrics.map(({ sql }) => sql).join(', ')} FROM ${engine.relation}`,
      limitOf(timeoutMs * metrics.length),
    );
    metrics.forEach(({ monitorId }, index) => {
      const value = values[index] ?? null;
      points.add('CUSTOM', 'value', { attribute: null, segment: null, value: value === null ? null : Number(value), monitorId });
    });
    return [];
  } catch (error) {
    const [only] = metrics;
    if (metrics.length === 1 && only !== undefined) return [{ monitor_id: only.monitorId, reason: reasonOf(error) }];
    const failures: Failure[] = [];
    for (const metric of metrics) failures.push(...(await measureAggregates(engine, [metric], scope)));
    return failures;
  }
}

/** The first column is the metric, the others name the series. */
async function measureStatement(engine: Engine, metric: Statement, { points, timeoutMs }: CustomMetricScope): Promise<void> {
  const limit = SERIES_MAX + 1;
  const rows = await (metric.raw
    ? engine.queryTenant(metric.sql, { rows: limit, timeoutMs })
    : engine.queryObjects(metric.sql, limit, limitOf(timeoutMs)));
  if (rows.length > SERIES_MAX) throw new ScanError(`The metric has more than ${SERIES_MAX} series; group by fewer or coarser dimensions`);
  if (rows.length === 0) throw new ScanError('The metric gave no row, and so no value');
  const series = rows.map((row) => {
    const { segment, value } = segmentedValue(row);
    if (value !== null && typeof value !== 'number') {
      throw new ScanError(`The first column of the metric must be a number, but it is ${JSON.stringify(value)}`);
    }
    return { segment, value };
  });
  if (new Set(series.map(({ segment }) => segment)).size < series.length)
    throw new ScanError('The metric gave several values for the same dimensions; aggregate them to one');
  const ordered = series.toSorted((one, other) => ((one.segment ?? '') < (other.segment ?? '') ? -1 : 1));
  for (const one of ordered) points.add('CUSTOM', 'value', { attribute: null, ...one, monitorId: metric.monitorId });
}

function limitOf(timeoutMs: number): StatementLimit {
  return { timeoutMs, subject: 'The metric' };
}

function textOf(part: unknown): string {
  return typeof part === 'string' ? part : JSON.stringify(part);
}

/** The metric stands in the first column of a row, what it is grouped by in the others. */
export function segmentedValue(row: RowObject): { readonly segment: string | null; readonly value: unknown } {
  const [[, value] = ['', null], ...dimensions] = Object.entries(row);
  const segment = dimensions.map(([name, part]) => `${name}=${part === null ? '__null__' : textOf(part)}`).join(',');
  return { segment: segment === '' ? null : segment, value };
}
