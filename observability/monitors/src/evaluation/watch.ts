// SPDX-License-Identifier: Apache-2.0
/** Which numbers of a scan each monitor watches; SPEC.md has the table. */
import type { MetricName, Monitor } from '@sextant/contracts-observability';
import { mostAmongNew } from './clumped-share.ts';
import { watchedRatios } from './correlation.ts';
import { watchedDistributions } from './distribution.ts';
import type { EvaluationRequest, SeriesKey } from './evaluation.ts';
import { watchedFreshness } from './freshness.ts';
import { isMetricName, METRICS, traitsOf } from './metric-traits.ts';
import type { Measured, ScanSeries } from './scan-series.ts';
import { watchedTime } from './times.ts';
import { confidenceOf, toleranceOf } from './tolerance.ts';
import type { WatchContext, Watched } from './watched.ts';

/** Part of what a pre-built monitor watches. */
type Selection = {
  readonly metrics: readonly MetricName[];
  /** Undefined for both. */
  readonly level?: 'asset' | 'attribute';
};

const SELECTIONS: { readonly [monitor: string]: readonly Selection[] } = {
  RECORD_COUNT_DRIFTS: [{ metrics: ['RECORD_COUNT'] }],
  FRESHNESS_DRIFTS: [{ metrics: ['FRESHNESS'] }],
  COMPLETENESS_DRIFTS: [{ metrics: ['COMPLETENESS', 'PAYLOAD_COMPLETENESS'], level: 'attribute' }, { metrics: ['INDEX_COVERAGE'] }],
  RECORD_ID_UNIQUENESS_DRIFTS: [{ metrics: ['UNIQUENESS', 'DUPLICATE_COUNT'], level: 'asset' }],
  UNIQUENESS_DRIFTS: [{ metrics: ['UNIQUENESS', 'VECTOR_DUPLICATE_COUNT'], level: 'attribute' }],
  DATA_DRIFTS: [
    { metrics: ['LENGTH', 'LETTER_COUNT', 'DIGIT_COUNT', 'SPACE_COUNT', 'SPECIAL_CHARACTER_COUNT', 'PATTERN'] },
    { metrics: ['VECTOR_DIMENSION_CONFORMITY', 'VECTOR_NAN_COUNT', 'VECTOR_INFINITE_COUNT', 'VECTOR_ZERO_COUNT', 'VECTOR_CONSTANT_COUNT'] },
  ],
  NUMERIC_VALUE_DRIFTS: [{ metrics: ['MIN', 'MAX', 'MEAN', 'MEDIAN', 'STDDEV', 'QUANTILE', 'VECTOR_NORM'] }],
  VALUE_DISTRIBUTION_DRIFTS: [{ metrics: ['VALUE_DISTRIBUTION', 'CENTROID_SHIFT'] }],
  PII_EXPOSURE: [{ metrics: ['CONTAINS_PII'] }],
  REJECTED_ROWS_VIOLATION: [{ metrics: ['REJECTED_ROWS'] }],
  TYPE_MISMATCH_VIOLATION: [{ metrics: ['TYPE_MISMATCH'] }],
  VECTOR_DRIFTS: [
    { metrics: ['VECTOR_TRUNCATED_COUNT', 'VECTOR_FAR_SHARE', 'VECTOR_NORM_OUTLIER_SHARE', 'VECTOR_ROUNDED_SHARE'] },
    { metrics: ['VECTOR_NEAR_DUPLICATE_SHARE', 'VECTOR_CELL_SHIFT', 'VECTOR_TEXT_MISMATCH_SHARE', 'VECTOR_TEXT_AGREEMENT'] },
    { metrics: ['VECTOR_INPUT_NORM_OUTLIER_SHARE', 'VECTOR_MEAN_SHIFT'] },
  ],
  SEARCH_RECALL_DRIFTS: [{ metrics: ['SEARCH_RECALL'] }],
  WRONG_CELLS_DRIFTS: [{ metrics: ['WRONG_CELLS'] }],
};

/** Their `new` is a number of vectors that came since the last scan, in percent of all. */
const COUNTED_AMONG_NEW: readonly MetricName[] = ['VECTOR_NEAR_DUPLICATE_SHARE', 'VECTOR_FAR_SHARE'];

/** What a monitor of type PREDEFINED_METRIC watches by name; the id of the monitor itself for the others. */
export function watchedName({ type, monitor }: Pick<Monitor, 'type' | 'monitor'>): string {
  return type === 'PREDEFINED_METRIC' && 'predefined_metric' in monitor ? monitor.predefined_metric : type;
}

/** The metrics that a predefined name stands for; none for those that compare more than numbers. */
export function metricsOf(name: string): readonly MetricName[] {
  return SELECTIONS[name]?.flatMap(({ metrics }) => metrics) ?? (isMetricName(name) ? [name] : []);
}

/** The metrics whose numbers a monitor compares with a band. */
export function metricsWatched(monitor: Pick<Monitor, 'type' | 'monitor'>): readonly MetricName[] {
  if (monitor.type === 'METRIC') return ['CUSTOM'];
  const name = watchedName(monitor);
  return name === 'RULE' || name === 'DQ_RULES_VIOLATION' ? ['CORRECTNESS'] : metricsOf(name);
}

export function watch(monitor: Monitor, scan: ScanSeries, { parents, monitors }: EvaluationRequest): readonly Watched[] {
  const name = watchedName(monitor);
  const wanted = watchedAttributes(monitor);
  const isWanted = ({ series }: Measured): boolean => wanted.size === 0 || (series.attribute !== null && wanted.has(series.attribute));
  switch (name) {
    case 'METRIC':
      return plain(
        scan.of('CUSTOM').filter(({ series }) => series.monitor_id === monitor.id),
        scan,
      );
    case 'RULE':
      return plain(
        scan.of('CORRECTNESS').filter(({ series }) => series.monitor_id === monitor.id),
        scan,
      );
    case 'DQ_RULES_VIOLATION': {
      const rules = new Set(monitors.filter(({ enabled, type }) => enabled && type === 'RULE').map(({ id }) => id));
      const ofRule = ({ monitor_id }: SeriesKey): boolean => monitor_id !== null && rules.has(monitor_id);
      return plain(
        scan.of('CORRECTNESS').filter((measured) => ofRule(measured.series) && isWanted(measured)),
        scan,
      );
    }
    case 'RECORD_COUNT_CORRELATION_DRIFTS':
      return watchedRatios(wholes(scan.of('RECORD_COUNT')), { scan, parents, side: 'both' });
    case 'UNIQUENESS_CORRELATION_DRIFTS':
      return watchedRatios(wholes(scan.of('UNIQUENESS').filter(isWanted)), { scan, parents, side: 'below' });
  }
  const selections = SELECTIONS[name] ?? (isMetricName(name) ? [plainSelection(name, wanted)] : []);
  const measured = selections.flatMap(({ metrics, level }) =>
    metrics
      .flatMap((metric) => scan.of(metric))
      .filter(
        (candidate) =>
          isOfLevel(candidate, level) &&
          isPlain(candidate) &&
          isWatchedForm(candidate) &&
          isWanted(candidate) &&
          (isMetricName(name) || !isExpanded(candidate)),
      ),
  );
  return plain(measured, scan);
}

/** Metrics with a series for each frequent value, which are most of what a scan measures, and the monitors that ask for them. */
const OF_VALUES: { readonly [Metric in MetricName]?: readonly string[] } = {
  TOP_VALUE: ['TOP_VALUE', 'TOP_VALUES_DRIFTS'],
  VALUE_DISTRIBUTION: ['TOP_VALUE', 'TOP_VALUES_DRIFTS', 'VALUE_DISTRIBUTION', 'VALUE_DISTRIBUTION_DRIFTS'],
  PATTERN: ['PATTERN', 'DATA_DRIFTS'],
};

/** The metrics whose past a monitor may ask for. */
export function metricsBehind(monitor: Pick<Monitor, 'type' | 'monitor'>): readonly MetricName[] {
  const name = watchedName(monitor);
  return METRICS.filter((metric) => OF_VALUES[metric]?.includes(name) ?? true);
}

/** Names that the monitor is restricted to; empty for all. */
export function watchedAttributes({ monitor }: Pick<Monitor, 'monitor'>): ReadonlySet<string> {
  return new Set('attributes' in monitor ? monitor.attributes : []);
}

/** Without attributes the whole asset where it has a value of its own, else all attributes. */
function plainSelection(metric: MetricName, wanted: ReadonlySet<string>): Selection {
  return { metrics: [metric], ...(wanted.size === 0 && traitsOf(metric, '').isOfAsset ? { level: 'asset' } : {}) };
}

function isOfLevel({ series }: Measured, level: Selection['level']): boolean {
  return level === undefined || (level === 'asset') === (series.attribute === null);
}

/** Nearly every text has an expanded pattern of its own: the pre-built monitor looks at the compressed ones. */
function isExpanded({ series }: Measured): boolean {
  return series.metric_name === 'PATTERN' && series.metric_aggregation.startsWith('expanded:');
}

/** How many rows were rejected is reported beside their share, which is what is watched, and the interval beside the recall. */
function isWatchedForm({ series: { metric_name: metric, metric_aggregation: aggregation } }: Measured): boolean {
  if (metric === 'SEARCH_RECALL') return aggregation === 'ratio' || aggregation === 'filtered';
  const isCounted = metric === 'REJECTED_ROWS' || metric === 'TYPE_MISMATCH';
  return !isCounted || aggregation === 'ratio';
}

/** Neither of one rule nor of one expression, except for the metric that is only of those. */
function isPlain({ series }: Measured): boolean {
  return series.monitor_id === null || series.metric_name === 'CUSTOM';
}

function wholes(measured: readonly Measured[]): readonly Measured[] {
  return measured.filter(({ series }) => series.segment === null && series.monitor_id === null);
}

/** Each as itself, except for those that only mean something together or against the clock. */
function plain(measured: readonly Measured[], scan: ScanSeries): readonly Watched[] {
  const confidence = confidenceOf(measured.length);
  const byMetric = Map.groupBy(measured, ({ series }) => series.metric_name);
  return [...byMetric].flatMap(([metric, found]): readonly Watched[] => {
    switch (metric) {
      case 'VALUE_DISTRIBUTION':
      case 'PATTERN':
        return watchedDistributions(metric, found, scan);
      case 'FRESHNESS':
        return found.map((one) => watchedFreshness(one, { scan, confidence }));
      default:
        return found.map((one) => (scan.isTime(one.series.attribute) ? watchedTime : watchedNumber)(one, { scan, confidence }));
    }
  });
}

function watchedNumber({ series, value }: Measured, { scan, confidence }: WatchContext): Watched {
  const { metric_name: metric, metric_aggregation: aggregation, attribute, segment } = series;
  const traits = traitsOf(metric, aggregation);
  const history = scan.historyOf(series);
  const isOfNew = COUNTED_AMONG_NEW.includes(metric) && aggregation === 'new';
  const most = isOfNew ? mostAmongNew(history, { attribute, segment }, { scan, confidence }) : undefined;
  return {
    series,
    value,
    history,
    memory: scan.memoryOf(series),
    traits,
    ...(traits.zero === undefined ? {} : { zero: traits.zero }),
    tolerance: toleranceOf(series, scan, confidence),
    ...(most === undefined ? {} : { most }),
    origin: 'point',
  };
}
