/** Asks each monitor of an asset what it says of one scan. SPEC.md has the rules. */
import type { Monitor } from '@sextant/contracts-observability';
import type { Band, CreateBandModel } from '../bands/band.ts';
import { createBandModel } from '../bands/band-model.ts';
import { driftViolations } from './drift-violations.ts';
import type { Evaluation, EvaluationRequest, Verdict, Violation } from './evaluation.ts';
import { type Judged, judge } from './judge.ts';
import { ScanSeries, seriesId } from './scan-series.ts';
import { newSchemaChanges, schemaViolation } from './schema-drifts.ts';
import { topValueChanges, topValuesViolation } from './top-values.ts';
import { watch, watchedAttributes, watchedName } from './watch.ts';

export type EvaluationOptions = { readonly createBandModel?: CreateBandModel };

const NO_CHANGES: Band = { lower: null, upper: 0 };

export function evaluate(request: EvaluationRequest, options: EvaluationOptions = {}): Evaluation {
  const evaluator = new Evaluator(request, options);
  const verdicts = new Map<string, Verdict>();
  // The monitors of single rules first: what they tell, the one that is of any rule does not tell again.
  const ordered = request.monitors
    .filter(({ enabled }) => enabled)
    .toSorted((first, second) => Number(isOfAnyRule(first)) - Number(isOfAnyRule(second)));
  for (const monitor of ordered) verdicts.set(monitor.id, evaluator.verdictOf(monitor));
  return {
    points: evaluator.pointsWithBands(),
    verdicts: request.monitors.flatMap(({ id }) => verdicts.get(id) ?? []),
  };
}

function isOfAnyRule(monitor: Monitor): boolean {
  return watchedName(monitor) === 'DQ_RULES_VIOLATION';
}

type Finding = Omit<Verdict, 'monitor'>;
type PointBand = { readonly band: Band; readonly isViolation: boolean };

const UNKNOWN: Finding = { outcome: 'unknown', violations: [] };

class Evaluator {
  readonly #request: EvaluationRequest;
  readonly #createBandModel: CreateBandModel;
  readonly #scan: ScanSeries;
  readonly #bands = new Map<string, PointBand>();
  /** Monitors of single rules that were violated. */
  readonly #violatedRules = new Set<string>();

  constructor(request: EvaluationRequest, { createBandModel: model = createBandModel }: EvaluationOptions) {
    this.#request = request;
    this.#createBandModel = model;
    this.#scan = new ScanSeries(request);
  }

  verdictOf(monitor: Monitor): Verdict {
    const finding = this.#findingOf(monitor);
    if (monitor.type === 'RULE' && finding.outcome === 'violated') this.#violatedRules.add(monitor.id);
    return { monitor, ...finding };
  }

  pointsWithBands(): Evaluation['points'] {
    return this.#request.points.map((point) => {
      const { band, isViolation } = this.#bands.get(seriesId(point)) ?? { band: { lower: null, upper: null }, isViolation: false };
      return { ...point, lower_bound: band.lower, upper_bound: band.upper, is_violation: isViolation };
    });
  }

  #findingOf(monitor: Monitor): Finding {
    switch (watchedName(monitor)) {
      // The end of the job decides the first; nothing can be set up for the second to compare with.
      case 'DATA_PROCESS_FAILURE':
      case 'DATA_DIFFERENCE':
        return UNKNOWN;
      case 'SCHEMA_DRIFTS':
      case 'SCHEMA':
        return this.#schema(monitor);
      case 'TOP_VALUES_DRIFTS':
      case 'TOP_VALUE':
        return this.#topValues(monitor);
      default:
        return this.#drifts(monitor);
    }
  }

  #drifts(monitor: Monitor): Finding {
    const watched = watch(monitor, this.#scan, this.#request);
    const judged: Judged[] = [];
    for (const one of watched) {
      if (isOfAnyRule(monitor) && one.series.monitor_id !== null && this.#violatedRules.has(one.series.monitor_id)) continue;
      const { threshold } = monitor;
      const found = judge(one, {
        threshold,
        familySize: watched.length,
        createBandModel: this.#createBandModel,
        timeMs: this.#scan.timeMs,
      });
      if (found !== undefined) judged.push(found);
    }
    for (const { watched: of, band, isViolation } of judged) {
      if (of.origin === 'point' && of.value !== null) this.#noteBand(monitor, seriesId(of.series), { band, isViolation });
    }
    const outside = withoutLoneQuantiles(
      monitor,
      judged.filter(({ isViolation }) => isViolation),
    );
    return finding(judged.length > 0, driftViolations(monitor, outside, this.#request.monitors));
  }

  #schema(monitor: Monitor): Finding {
    const [point] = this.#scan.of('SCHEMA');
    if (this.#request.previousSeries.length === 0 || point === undefined || point.value === null) return UNKNOWN;
    const band = this.#changeBand(monitor);
    if (band === undefined) return UNKNOWN;
    const changes = newSchemaChanges(this.#request, watchedAttributes(monitor));
    const count = changes.length;
    const isViolation = isOutside(count, band);
    this.#noteBand(monitor, seriesId(point.series), { band, isViolation });
    return finding(true, isViolation ? changes.map((change) => schemaViolation(monitor, change, { count, band })) : []);
  }

  #topValues(monitor: Monitor): Finding {
    const wanted = watchedAttributes(monitor);
    const measured = this.#scan
      .of('TOP_VALUE')
      .filter(({ series }) => wanted.size === 0 || (series.attribute !== null && wanted.has(series.attribute)));
    const band = this.#changeBand(monitor);
    if (band === undefined) return UNKNOWN;
    const found = topValueChanges(measured, this.#scan);
    const outside = found.filter(({ changes }) => isOutside(changes.length, band));
    return finding(
      found.length > 0,
      outside.map((changes) => topValuesViolation(monitor, changes, band)),
    );
  }

  /** How many changes are fine: none, unless somebody stated a number. */
  #changeBand({ threshold }: Monitor): Band | undefined {
    if (threshold.threshold_type === 'ML') return NO_CHANGES;
    return this.#createBandModel(threshold, { minimum: 0, familySize: 1 }).bandAt([], this.#scan.timeMs);
  }

  /** A point has room for one band: that of a violation first, then that of a monitor that somebody made. */
  #noteBand({ id }: Monitor, series: string, found: PointBand): void {
    const noted = this.#bands.get(series);
    const isMade = /^\d+$/.test(id);
    if (noted === undefined || (found.isViolation && !noted.isViolation) || (isMade && found.isViolation === noted.isViolation))
      this.#bands.set(series, found);
  }
}

/**
 * Where many records share one value, a quantile jumps from it to the next and back by chance. Numbers that moved are seen by more than one of their statistics.
 */
function withoutLoneQuantiles(monitor: Monitor, outside: readonly Judged[]): readonly Judged[] {
  if (watchedName(monitor) !== 'NUMERIC_VALUE_DRIFTS') return outside;
  const placeOf = ({ watched: { series } }: Judged): string => JSON.stringify([series.attribute, series.segment]);
  const bySubject = Map.groupBy(outside, placeOf);
  return outside.filter((one) => !isQuantile(one) || (bySubject.get(placeOf(one))?.length ?? 0) > 1);
}

function isQuantile({ watched: { series } }: Judged): boolean {
  return series.metric_name === 'MEDIAN' || series.metric_name === 'QUANTILE' || /^(median|p\d\d)$/.test(series.metric_aggregation);
}

function finding(isJudged: boolean, violations: readonly Violation[]): Finding {
  if (violations.length > 0) return { outcome: 'violated', violations };
  return isJudged ? { outcome: 'clear', violations } : UNKNOWN;
}

function isOutside(value: number, { lower, upper }: Band): boolean {
  return (lower !== null && value < lower) || (upper !== null && value > upper);
}
