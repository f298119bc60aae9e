// SPDX-License-Identifier: Apache-2.0
/** A monitor that could not be evaluated is an alert of its own: whoever relies on it must hear that it is silent. */
import { CHECK_ERROR, type Monitor } from '@sextant/contracts-observability';
import type { EvaluationRequest, Violation } from './evaluation.ts';
import type { Finding } from './finding.ts';
import { seriesId } from './scan-series.ts';
import { watchedAttributes, watchedName } from './watch.ts';
import { watchFault } from './watch-fault.ts';

/** Names of rules that a reason lists. */
const NAMED_MAX = 5;

/** The name of the violation is the same at each scan, and never that of a violation of the data. */
export function checkError({ id, name, type }: Monitor, reason: string): Violation {
  return {
    monitor_id: id,
    violation_name: `DATA.${id}.error`,
    type: CHECK_ERROR,
    metric_name: CHECK_ERROR,
    metric_aggregation: 'count',
    attribute: null,
    segment: null,
    series: null,
    rule: type === 'RULE' ? name : null,
    value: 1,
    band: { lower: null, upper: 0 },
    priority: 'HIGH',
    sentence: `\`${name}\` could not be evaluated: ${reason}`,
    facts: { reason },
  };
}

/**
 * Why a metric has no value though it was measured: null is what a division by zero, a result beyond the range of numbers and an aggregate of nothing
 * come to. A group without a value is one of many as long as it never had any.
 */
export function valuelessMetric(
  monitor: Monitor,
  { evaluated }: Finding,
  { points, historyOf, valueless = [] }: Pick<EvaluationRequest, 'points' | 'historyOf' | 'valueless'>,
): string | undefined {
  if (monitor.type !== 'METRIC') return undefined;
  const known = new Set(evaluated.map(({ series }) => seriesId(series)));
  const measured = points.filter(({ metric_name, monitor_id }) => metric_name === 'CUSTOM' && monitor_id === monitor.id);
  const silent = measured.filter((point) => point.value === null && !known.has(seriesId(point)));
  const lost = silent.length === measured.length ? silent : silent.filter((point) => (historyOf(point).at(-1)?.value ?? null) !== null);
  const [first] = lost;
  if (first === undefined) return undefined;
  const where = first.segment === null ? '' : ` for ${first.segment}`;
  const others = lost.length === 1 ? '' : ` and for ${lost.length - 1} more`;
  const said = valueless.find(({ monitor_id, segment }) => monitor_id === monitor.id && segment === first.segment)?.reason;
  const reason = said ?? 'it divides by zero, exceeds the range of numbers, or has nothing to count';
  return `the metric has no value${where}${others}; ${reason}`;
}

/** Why a monitor of a predefined metric has nothing, or less than it names, to watch in this scan. */
export function unwatchable(monitor: Monitor, { schema, points }: Pick<EvaluationRequest, 'schema' | 'points'>): string | undefined {
  if (monitor.type !== 'PREDEFINED_METRIC') return undefined;
  const wanted = [...watchedAttributes(monitor)];
  // A column that has gone is what the monitor of the schema is there to say.
  if (watchedName(monitor).startsWith('SCHEMA')) return undefined;
  if (schema === undefined) {
    const unseen = wanted.find((name) => !points.some(({ attribute }) => attribute === name));
    return unseen === undefined ? undefined : `the scan measured nothing of ${unseen}`;
  }
  const fault = watchFault(monitor, schema);
  if (fault !== undefined) return fault;
  if (schema.options.only_light_scan === 'true') return undefined;
  if (['FRESHNESS', 'FRESHNESS_DRIFTS'].includes(watchedName(monitor))) return undatable(points);
  if (watchedName(monitor) === 'CORRECTNESS') {
    const unruled = wanted.find(
      (name) => !points.some(({ metric_name, attribute }) => metric_name === 'CORRECTNESS' && attribute === name),
    );
    if (unruled !== undefined) return `no rule checks ${unruled}`;
  }
  const unmeasured = wanted.find((name) => !schema.measured.includes(name));
  return unmeasured === undefined ? undefined : `${unmeasured} is not measured; choose it among the attributes of the asset`;
}

/** A column of times of which none can be read makes no table fresh. */
function undatable(points: EvaluationRequest['points']): string | undefined {
  const undated = points.find(
    ({ metric_name, attribute, segment, value }) => metric_name === 'FRESHNESS' && attribute !== null && segment === null && value === null,
  );
  const records = points.find(({ metric_name, segment }) => metric_name === 'RECORD_COUNT' && segment === null)?.value ?? 0;
  if (undated === undefined || records === 0) return undefined;
  return `no record has a time in ${undated.attribute} that can be read`;
}

/** What the monitor of all rules says of those that its scan could not evaluate; each of them has an alert of its own. */
export function erroredRules(rules: readonly Monitor[]): string | undefined {
  if (rules.length === 0) return undefined;
  const names = rules.slice(0, NAMED_MAX).map(({ name }) => `\`${name}\``);
  const more = rules.length > NAMED_MAX ? ` and ${rules.length - NAMED_MAX} more` : '';
  return `${rules.length === 1 ? 'a rule' : `${rules.length} rules`} could not be evaluated: ${names.join(', ')}${more}`;
}
