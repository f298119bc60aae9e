// SPDX-License-Identifier: Apache-2.0
/** What an incident says of the alerts of one of its steps. */
import { CHECK_ERROR, type Incident, type IncidentHistoryItem, type IncidentMetric, type Level } from '@sextant/contracts-observability';
import { assert } from '@sextant/foundation-std';
import { LEVELS, type RaisedAlert } from './alerts.ts';

export type IncidentContent = Pick<Incident, 'alert_policy_name' | 'last_upload_timestamp' | 'description' | 'tags' | 'kind'> & {
  readonly severity: Level;
  readonly metrics: readonly IncidentMetric[];
  readonly alert_refs: IncidentHistoryItem['alert_refs'];
};

/** Of at least one alert, all of one policy and one scan, the worst first; `omitted` violations beside them made no alert. */
export function contentOf(alerts: readonly RaisedAlert[], omitted = 0): IncidentContent {
  const [worst] = alerts;
  assert(worst !== undefined, 'a step with violations has an alert');
  return {
    alert_policy_name: worst.policy_name,
    last_upload_timestamp: worst.metric_time,
    severity: severityOf(alerts),
    description: describe(sentenceOf(worst), alerts.length - 1 + omitted),
    tags: worst.tags,
    kind: alerts.every(({ type }) => type === CHECK_ERROR) ? 'CANNOT_BE_EVALUATED' : 'VIOLATION',
    metrics: distinctMetrics(alerts),
    alert_refs: alerts.map(({ metric_time, violation_name }) => ({ metric_time, violation_name })),
  };
}

function severityOf(alerts: readonly RaisedAlert[]): Level {
  return LEVELS.findLast((level) => alerts.some(({ priority }) => priority === level)) ?? 'LOW';
}

function sentenceOf({ description, priority, policy_name }: RaisedAlert): string {
  return description[priority]?.[0] ?? policy_name;
}

function describe(sentence: string, others: number): string {
  if (others === 0) return sentence;
  const end = /[.!?]$/.test(sentence) ? '' : '.';
  return `${sentence}${end} ${others} more ${others === 1 ? 'violation was' : 'violations were'} found.`;
}

function distinctMetrics(alerts: readonly RaisedAlert[]): readonly IncidentMetric[] {
  return [...new Map(alerts.map(({ metric }) => [keyOf(metric), metric])).values()];
}

function keyOf({ metric_name, metric_aggregation, segment, rule, attribute }: IncidentMetric): string {
  return JSON.stringify([metric_name, metric_aggregation, segment, rule, attribute]);
}
