// SPDX-License-Identifier: Apache-2.0
/**
 * Makes violations of evaluated numbers, one for each thing that they are about. A column that lost its values moves a dozen of its numbers;
 * the violation is of the number furthest outside, and the others are its facts. The same holds for the segments of something that moved as a whole.
 */
import type { Monitor } from '@sextant/contracts-observability';
import type { Surprise } from '../bands/band.ts';
import type { EvaluatedNumber } from './evaluate-number.ts';
import type { Violation } from './evaluation.ts';
import { excessOf, priorityOf } from './priority.ts';
import { sentenceOf } from './sentence.ts';
import { similarValues } from './similar-values.ts';
import type { StandingRun } from './standing-run.ts';
import { type Subject, violationName } from './violation-name.ts';

/** Facts of others that one violation carries. */
const FACTS_MAX = 20;

/** `outside` are the numbers outside their bands. */
export function driftViolations(monitor: Monitor, outside: readonly EvaluatedNumber[], monitors: readonly Monitor[]): readonly Violation[] {
  const bySubject = Map.groupBy(outside, (one) => violationName(monitor.id, subjectOf(one)));
  const groups = new Map(
    [...bySubject].map(([name, group]) => [name, group.toSorted((first, second) => excessOf(second) - excessOf(first))] as const),
  );
  const wholes = new Map([...groups].filter(([, [strongest]]) => strongest?.watched.series.segment === null));
  const segments = [...groups].filter(([name]) => !wholes.has(name));
  const spared = Map.groupBy(segments, ([, [strongest]]) => {
    const whole = strongest === undefined ? '' : violationName(monitor.id, { ...subjectOf(strongest), segment: null });
    return wholes.has(whole) ? whole : null;
  });
  return [
    ...[...wholes].map(([name, group]) => {
      const within = (spared.get(name) ?? []).map(([, [strongest]]) => strongest?.watched.series.segment);
      return violationOf(monitor, { name, group, within: within.filter((segment) => typeof segment === 'string'), monitors });
    }),
    ...(spared.get(null) ?? []).map(([name, group]) => violationOf(monitor, { name, group, within: [], monitors })),
  ].flat();
}

function subjectOf({ watched: { series, parent } }: EvaluatedNumber): Subject {
  return { attribute: series.attribute, segment: series.segment, ruleId: series.monitor_id, parentId: parent?.asset_id ?? null };
}

type ViolationGroup = {
  readonly name: string;
  /** Strongest first. */
  readonly group: readonly EvaluatedNumber[];
  /** Segments that moved along. */
  readonly within: readonly string[];
  readonly monitors: readonly Monitor[];
};

function violationOf(monitor: Monitor, { name, group, within, monitors }: ViolationGroup): readonly Violation[] {
  const [strongest, ...others] = group;
  if (strongest === undefined) return [];
  const { watched, value, band, surprise, standing } = strongest;
  const { series, parent } = watched;
  const owner = series.monitor_id === null ? undefined : monitors.find(({ id }) => id === series.monitor_id);
  const isRule = owner?.type === 'RULE';
  // All that a flatline is like is itself.
  const similar = standing === undefined ? similarValues(strongest) : [];
  return [
    {
      monitor_id: monitor.id,
      violation_name: name,
      type: isRule ? 'RULE_VIOLATION' : monitor.threshold.threshold_type === 'STATIC' ? 'THRESHOLD_BREACH' : 'METRIC_DRIFT',
      metric_name: series.metric_name,
      metric_aggregation: series.metric_aggregation,
      attribute: series.attribute,
      segment: series.segment,
      series: watched.origin === 'distance' || watched.value === null ? null : series,
      rule: isRule ? owner.name : null,
      value,
      band,
      priority: isRule ? 'HIGH' : priorityOf(excessOf(strongest)),
      sentence: sentenceOf(strongest, owner?.name),
      facts: {
        ...(watched.value === null ? { is_extrapolated: true } : {}),
        ...(surprise === undefined ? {} : factsOf(surprise, standing)),
        ...(similar.length === 0 ? {} : { similar }),
        ...(parent === undefined ? {} : { compared_to: parent }),
        ...(others.length === 0 ? {} : { also: others.slice(0, FACTS_MAX).map((other) => sentenceOf(other, owner?.name)) }),
        ...(within.length === 0 ? {} : { segments: within.slice(0, FACTS_MAX) }),
      },
    },
  ];
}

/** What spoke, how probable such a value was, and when a drift or a flatline began. */
function factsOf({ detector, score, ...drift }: Surprise, standing: StandingRun | undefined): Violation['facts'] {
  const sinceMs = standing?.sinceMs ?? drift.sinceMs;
  return { detector, probability: 10 ** -score, ...(sinceMs === undefined ? {} : { since: new Date(sinceMs).toISOString() }) };
}
