// SPDX-License-Identifier: Apache-2.0
/** What a fault is about: an attribute, a rule, or the asset itself. Faults of one subject are one story, others are not: [I2]. */
import type { IncidentMetric } from '@sextant/contracts-observability';

/** The same for all metrics, aggregations and segments of the attribute or the rule. */
export function subjectOf({ attribute, rule }: Pick<IncidentMetric, 'attribute' | 'rule'>): string {
  return JSON.stringify([attribute ?? null, rule ?? null]);
}

export function subjectsOf(metrics: readonly Pick<IncidentMetric, 'attribute' | 'rule'>[]): ReadonlySet<string> {
  return new Set(metrics.map(subjectOf));
}
