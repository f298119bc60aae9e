// SPDX-License-Identifier: Apache-2.0
/** From what a monitor found to the alerts that are stored. */
import { createHash } from 'node:crypto';
import {
  type Alert,
  type Asset,
  CHECK_ERROR,
  type IncidentMetric,
  type Job,
  type Level,
  type Monitor,
} from '@sextant/contracts-observability';
import type { SeriesKey, Violation } from '../evaluation/evaluation.ts';
import { displayMetricName } from './display-names.ts';

/** An alert with what is known beside what people see. */
export type RaisedAlert = Alert & {
  readonly monitor_id: string;
  /** The measured series; null where no point was measured. */
  readonly series: SeriesKey | null;
  /** What an incident lists of it. */
  readonly metric: IncidentMetric;
};

/** A violation of what a scan measured, or of the wish that it ends well, which is no metric. */
export type RaisedViolation = Omit<Violation, 'metric_name'> & { readonly metric_name: string };

export type AlertContext = {
  readonly asset: Pick<Asset, 'id' | 'name' | 'type' | 'tags'>;
  readonly projectName: string;
  readonly job: Pick<Job, 'id' | 'created_at'>;
  readonly metricTime: string;
  readonly saveTime: string;
};

/** More of one monitor and scan add nothing: [D7]. */
const ALERTS_MAX = 1000;

/** Names are looked up by an index, whose entries hold at most 2,704 bytes in PostgreSQL; segments are values of the data, of any length. */
const NAME_LENGTH_MAX = 500;

/** From mild to severe. */
export const LEVELS = ['LOW', 'MEDIUM', 'HIGH'] as const satisfies readonly Level[];

/** The worst first, at most 1,000 of them; that a part could not be evaluated is always one. */
export function alertsOf(monitor: Monitor, violations: readonly RaisedViolation[], context: AlertContext): readonly RaisedAlert[] {
  return violations
    .toSorted((one, other) => rankOf(other) - rankOf(one))
    .slice(0, ALERTS_MAX)
    .map((violation) => alertOf(monitor, violation, context));
}

function rankOf({ type, priority }: RaisedViolation): number {
  return type === CHECK_ERROR ? LEVELS.length : LEVELS.indexOf(priority);
}

/** Of the monitor and of the asset, without repeats. */
function tagsOf(monitor: Pick<Monitor, 'tags'>, asset: Pick<Asset, 'tags'>): readonly string[] {
  return [...new Set([...(monitor.tags ?? []), ...asset.tags])];
}

function alertOf(
  monitor: Monitor,
  violation: RaisedViolation,
  { asset, projectName, job, metricTime, saveTime }: AlertContext,
): RaisedAlert {
  const { type, violation_name, attribute, segment, series, value, band, priority, sentence, facts } = violation;
  const { metric_name, metric_aggregation, rule } = violation;
  return {
    monitor_id: monitor.id,
    series,
    metric: {
      metric_name,
      metric_aggregation,
      display_metric_name: displayMetricName(metric_name),
      segment,
      rule,
      attribute,
    },
    type,
    source: asset.id,
    attribute: attribute ?? '',
    job_id: job.id,
    create_time: job.created_at,
    save_time: saveTime,
    violation_data: {
      ...facts,
      metric_name,
      metric_aggregation,
      attribute,
      segment,
      rule,
      value,
      lower_bound: band.lower,
      upper_bound: band.upper,
    },
    violation_name: boundedName(violation_name),
    notification_channels: monitor.notification?.notification_channel_names ?? [],
    is_notification_enabled: monitor.notification?.send_notifications ?? false,
    metric_time: metricTime,
    is_notified: false,
    metric_value: value,
    policy_name: monitor.name,
    segment: segment ?? '',
    priority,
    description: { [priority]: [sentence] },
    source_name: asset.name,
    source_type: asset.type,
    project_name: projectName,
    tags: tagsOf(monitor, asset),
  };
}

/** Names that differ stay different: the end of a long one gives way to a hash of the whole. */
function boundedName(name: string): string {
  if (name.length <= NAME_LENGTH_MAX) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 32);
  return `${name.slice(0, NAME_LENGTH_MAX - hash.length - 1).toWellFormed()}~${hash}`;
}
