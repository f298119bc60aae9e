// SPDX-License-Identifier: Apache-2.0
/**
 * The values of the four dimensions. The names are those of the published API; the platform's guide calls accuracy validity, timeliness freshness
 * and consistency integrity. What was not measured is not known, and takes no part; what could not be measured although it was asked for is
 * not taken for good. Open incidents weigh by severity and reach, where the guide counts them alike.
 */
import type { Incident, MetricPoint, Monitor, ScorePart, ScoreSource } from '@sextant/contracts-observability';
import { incidentLoad, LOAD_MAX, type ScoreExposure } from './incident-load.ts';
import { vectorSoundness } from './vector-soundness.ts';

/** A dimension before it is weighed. */
export type ScoreMeasure = Pick<ScorePart, 'dimension' | 'value' | 'measured_from'>;

const LISTED_METRICS = 20;
const LISTED_INCIDENTS = 100;
const FRESHNESS = ['FRESHNESS', 'FRESHNESS_DRIFTS'];

export type ScannedAsset = {
  /** Of the rules that the scan was to measure. */
  readonly ruleIds: readonly string[];
  /** Whether it read only what is new, of which there may be nothing. */
  readonly isDelta: boolean;
};

/** Completeness and accuracy, which a scan measures. */
export function measureScan(points: readonly MetricPoint[], { ruleIds, isDelta }: ScannedAsset): readonly ScoreMeasure[] {
  const whole = points.filter(({ segment }) => segment === null);
  return [completeness(whole, isDelta), accuracy(whole, ruleIds)];
}

/** Whether a scan measured when the data last changed. */
export function measuresFreshness(points: readonly MetricPoint[]): boolean {
  return points.some(({ metric_name, segment, value }) => metric_name === 'FRESHNESS' && segment === null && value !== null);
}

export type MeasuredAsset = {
  readonly exposure: ScoreExposure;
  readonly monitors: readonly Pick<Monitor, 'id' | 'monitor'>[];
  /** What the last scan measured. */
  readonly scan: readonly Pick<ScoreMeasure, 'value'>[];
  readonly isFreshnessMeasured: boolean;
};

/** Consistency and timeliness, which the incidents say that are open at the time. That there are none says something only where something was measured. */
export function measureIncidents({ exposure, monitors, scan, isFreshnessMeasured }: MeasuredAsset): readonly ScoreMeasure[] {
  const { open_incidents: open } = exposure;
  const watchers = new Set(['FRESHNESS_DRIFTS', ...monitors.filter(isFreshnessMonitor).map(({ id }) => id)]);
  const late = open.filter(({ alert_policy_id }) => watchers.has(alert_policy_id));
  const isMeasured = open.length > 0 || isFreshnessMeasured || scan.some(({ value }) => value !== null);
  const { total, incidents } = incidentLoad(exposure);
  const weight = `their weight equals ${Math.round(total * 10) / 10} incidents of low severity; at ${LOAD_MAX} the value is 0`;
  return [
    {
      dimension: 'consistency',
      value: isMeasured ? Math.max(0, 100 * (1 - total / LOAD_MAX)) : null,
      measured_from: {
        sentence: isMeasured
          ? `${counted(open.length, 'incident')} open${open.length === 0 ? '' : `; ${weight}`}.`
          : 'Nothing was measured.',
        metrics: [],
        incident_ids: idsOf(open),
        incidents,
      },
    },
    {
      dimension: 'timeliness',
      value: late.length > 0 ? 0 : isFreshnessMeasured ? 100 : null,
      measured_from: {
        sentence: timelinessSentence(late.length, isFreshnessMeasured),
        metrics: [],
        incident_ids: idsOf(late),
      },
    },
  ];
}

function timelinessSentence(late: number, isMeasured: boolean): string {
  if (late > 0) return `${counted(late, 'incident')} about freshness open.`;
  return isMeasured ? 'No incident about freshness is open.' : 'When the data last changed was not measured.';
}

/** The asset is as complete as its attributes on average; of a vector collection these are its payload members and its vectors. */
function completeness(points: readonly MetricPoint[], isDelta: boolean): ScoreMeasure {
  const records = points.find(({ metric_name, attribute }) => metric_name === 'RECORD_COUNT' && attribute === null);
  if (records?.value === 0 && !isDelta)
    return { dimension: 'completeness', value: 0, measured_from: sourceOf('The delivery held no record.', [{ ...records, lost: 100 }]) };
  const shares = points.filter(
    ({ metric_name, metric_aggregation }) =>
      (metric_name === 'COMPLETENESS' || metric_name === 'PAYLOAD_COMPLETENESS') && metric_aggregation === 'ratio',
  );
  const ofAttributes = withLosses(shares.filter(({ attribute, value }) => attribute !== null && value !== null));
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
 * dimension, finite and not zero. No record is known to pass a rule that could not be measured; one that applied to no record says nothing.
 */
function accuracy(points: readonly MetricPoint[], ruleIds: readonly string[]): ScoreMeasure {
  const rules = points.filter(
    ({ metric_name, monitor_id, metric_aggregation }) =>
      metric_name === 'CORRECTNESS' && monitor_id !== null && metric_aggregation === 'ratio',
  );
  const missing = ruleIds.filter((id) => !rules.some(({ monitor_id }) => monitor_id === id)).map(unmeasuredRule);
  const vectors = vectorSoundness(points).map(({ share, points: [conformity, ...faults] }) => ({ share, conformity, faults }));
  const checked = [...rules.filter(({ value }) => value !== null), ...missing];
  const value = mean([...checked.map((point) => point.value ?? 0), ...vectors.map(({ share }) => share)]);
  if (value === null) {
    const sentence = 'No rule was measured, so accuracy is unknown.';
    return { dimension: 'accuracy', value, measured_from: sourceOf(sentence, []) };
  }
  const measured = checked.length - missing.length;
  const said = [
    ...(measured === 0 ? [] : [`${counted(measured, 'rule')} measured`]),
    ...(missing.length === 0 ? [] : [`${counted(missing.length, 'rule')} not measurable, which counts as 0`]),
    ...(vectors.length === 0 ? [] : [`${counted(vectors.length, 'vector name')} looked at`]),
  ];
  const count = checked.length + vectors.length;
  const listed = [
    ...withLosses(checked, count),
    ...vectors.flatMap(({ share, conformity, faults }) => [
      ...(conformity === undefined ? [] : [{ ...conformity, lost: (100 - share) / count }]),
      ...faults.map((point) => ({ ...point, lost: 0 })),
    ]),
  ];
  return { dimension: 'accuracy', value, measured_from: sourceOf(`${said.join(' and ')}: ${percent(value)} pass on average.`, listed) };
}

function unmeasuredRule(monitor_id: string): MetricPoint {
  return { metric_name: 'CORRECTNESS', metric_aggregation: 'ratio', attribute: null, segment: null, monitor_id, value: null };
}

function isFreshnessMonitor({ monitor }: Pick<Monitor, 'monitor'>): boolean {
  return 'predefined_metric' in monitor && FRESHNESS.includes(monitor.predefined_metric);
}

type ListedPoint = MetricPoint & { readonly lost: number };

/** Those of `count` that counted alike, with the points that each took from their mean, the most first. */
function withLosses(points: readonly MetricPoint[], count = points.length): readonly ListedPoint[] {
  return points.map((point) => ({ ...point, lost: (100 - (point.value ?? 0)) / count })).sort((one, other) => other.lost - one.lost);
}

function mean(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

function sourceOf(sentence: string, points: readonly ListedPoint[]): ScoreSource {
  const metrics = points.slice(0, LISTED_METRICS).map(({ metric_name, metric_aggregation, attribute, monitor_id, value, lost }) => ({
    metric_name,
    metric_aggregation,
    attribute,
    monitor_id,
    value,
    lost,
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
