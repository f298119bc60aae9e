/**
 * The values of the four dimensions. The names are those of the published API; the platform's guide calls accuracy validity, timeliness freshness
 * and consistency integrity, and defines them as they are here: completeness is the completeness percentage, accuracy the percentage of records that
 * pass the rules, timeliness 100 while no freshness incident is open and else 0, consistency `max(0, 100 * (1 - open incidents / 20))`.
 */
import type { Incident, MetricPoint, Monitor, ScorePart, ScoreSource } from '@sextant/contracts-observability';
import { vectorSoundness } from './vector-soundness.ts';

/** A dimension before it is weighed. */
export type ScoreMeasure = Pick<ScorePart, 'dimension' | 'value' | 'measured_from'>;

/** Open incidents at which consistency is 0: the published default, which no configuration of this edition changes. */
const OPEN_INCIDENTS_MAX = 20;
const LISTED_METRICS = 20;
const LISTED_INCIDENTS = 100;
const FRESHNESS = ['FRESHNESS', 'FRESHNESS_DRIFTS'];

/** Completeness and accuracy, which a scan measures. */
export function measureScan(
  points: readonly MetricPoint[],
  { erroredRules = 0 }: { readonly erroredRules?: number } = {},
): readonly ScoreMeasure[] {
  const whole = points.filter(({ segment }) => segment === null);
  return [completeness(whole), accuracy(whole, erroredRules)];
}

/** Consistency and timeliness, which the incidents say that are open at the time. */
export function measureIncidents(
  openIncidents: readonly Pick<Incident, 'id' | 'alert_policy_id'>[],
  monitors: readonly Pick<Monitor, 'id' | 'monitor'>[],
): readonly ScoreMeasure[] {
  const watchers = new Set(['FRESHNESS_DRIFTS', ...monitors.filter(isFreshnessMonitor).map(({ id }) => id)]);
  const late = openIncidents.filter(({ alert_policy_id }) => watchers.has(alert_policy_id));
  const open = openIncidents.length;
  return [
    {
      dimension: 'consistency',
      value: Math.max(0, 100 * (1 - open / OPEN_INCIDENTS_MAX)),
      measured_from: {
        sentence: `${counted(open, 'incident')} open; ${OPEN_INCIDENTS_MAX} would make it 0.`,
        metrics: [],
        incident_ids: idsOf(openIncidents),
      },
    },
    {
      dimension: 'timeliness',
      value: late.length === 0 ? 100 : 0,
      measured_from: {
        sentence: late.length === 0 ? 'No incident about freshness is open.' : `${counted(late.length, 'incident')} about freshness open.`,
        metrics: [],
        incident_ids: idsOf(late),
      },
    },
  ];
}

/** The asset is as complete as its attributes on average; of a vector collection these are its payload members and its vectors. */
function completeness(points: readonly MetricPoint[]): ScoreMeasure {
  const shares = points.filter(
    ({ metric_name, metric_aggregation }) =>
      (metric_name === 'COMPLETENESS' || metric_name === 'PAYLOAD_COMPLETENESS') && metric_aggregation === 'ratio',
  );
  const ofAttributes = worstFirst(shares.filter(({ attribute }) => attribute !== null));
  const ofAsset = shares.find(({ attribute }) => attribute === null)?.value;
  const value = ofAsset ?? mean(ofAttributes.map((point) => point.value));
  const sentence =
    value === null
      ? 'The scan measured no completeness: no attribute is monitored, or there was no record.'
      : `${counted(ofAttributes.length, 'attribute')} filled to ${percent(value)} on average.`;
  return { dimension: 'completeness', value, measured_from: sourceOf(sentence, ofAttributes) };
}

/**
 * The mean over the rules of the share of records that pass; of a vector collection also over its vectors, where those pass that are of the declared
 * dimension, finite and not zero. A rule that could not be evaluated passes no record. 100 where there is nothing to pass.
 */
function accuracy(points: readonly MetricPoint[], erroredRules: number): ScoreMeasure {
  const rules = worstFirst(
    points.filter(
      ({ metric_name, monitor_id, metric_aggregation }) =>
        metric_name === 'CORRECTNESS' && monitor_id !== null && metric_aggregation === 'ratio',
    ),
  );
  const vectors = vectorSoundness(points);
  const errored = Array.from({ length: erroredRules }, () => 0);
  const value = mean([...rules.map((point) => point.value), ...vectors.map(({ share }) => share), ...errored]) ?? 100;
  const met = rules.length === 0 ? [] : [`${counted(rules.length, 'rule')} measured`];
  const failed = erroredRules === 0 ? [] : [`${counted(erroredRules, 'rule')} not evaluable and counted as 0`];
  const sound = vectors.length === 0 ? [] : [`${counted(vectors.length, 'vector name')} looked at`];
  const sentence =
    rules.length + vectors.length + erroredRules === 0
      ? 'No rule was measured, so no record fails one.'
      : `${[...met, ...sound, ...failed].join(' and ')}: ${percent(value)} pass on average.`;
  return { dimension: 'accuracy', value, measured_from: sourceOf(sentence, [...rules, ...vectors.flatMap((vector) => vector.points)]) };
}

function isFreshnessMonitor({ monitor }: Pick<Monitor, 'monitor'>): boolean {
  return 'predefined_metric' in monitor && FRESHNESS.includes(monitor.predefined_metric);
}

/** Those that have a value. */
function worstFirst(points: readonly MetricPoint[]): readonly MetricPoint[] {
  return points.filter(({ value }) => value !== null).sort((one, other) => (one.value ?? 0) - (other.value ?? 0));
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function sourceOf(sentence: string, points: readonly MetricPoint[]): ScoreSource {
  const metrics = points.slice(0, LISTED_METRICS).map(({ metric_name, metric_aggregation, attribute, monitor_id, value }) => ({
    metric_name,
    metric_aggregation,
    attribute,
    monitor_id,
    value,
  }));
  return { sentence, metrics, incident_ids: [] };
}

function idsOf(incidents: readonly Pick<Incident, 'id'>[]): readonly number[] {
  return incidents.slice(0, LISTED_INCIDENTS).map(({ id }) => id);
}

function counted(count: number, thing: string): string {
  return `${count} ${thing}${count === 1 ? ' is' : 's are'}`;
}

function percent(value: number): string {
  return `${Math.round(value * 100) / 100} %`;
}
