// SPDX-License-Identifier: Apache-2.0
/** Evaluates each monitor of an asset on one scan. SPEC.md has the rules. */
import type { Monitor } from '@sextant/contracts-observability';
import type { CreateBandModel } from '../bands/band.ts';
import { createBandModel as standardModel } from '../bands/band-model.ts';
import { checkError, erroredRules, unwatchable, valuelessMetric } from './check-error.ts';
import type { Evaluation, EvaluationRequest, Verdict } from './evaluation.ts';
import { type EvaluatedSeries, type Finding, findingOf, isOfAnyRule, NOTHING } from './finding.ts';
import { ScanSeries, seriesId } from './scan-series.ts';
import { metricsOf, metricsWatched } from './watch.ts';

export type EvaluationOptions = { readonly createBandModel?: CreateBandModel };

export function evaluate(request: EvaluationRequest, { createBandModel = standardModel }: EvaluationOptions = {}): Evaluation {
  const reportedRules = new Set<string>();
  const context = { request, scan: new ScanSeries(request), createBandModel, reportedRules };
  // The monitors of single rules first: what they report, the monitor of all rules does not report again.
  const enabled = request.monitors.filter((monitor) => monitor.enabled);
  const ordered = enabled.toSorted((first, second) => Number(isOfAnyRule(first)) - Number(isOfAnyRule(second)));
  const findings = new Map<Monitor, Finding>();
  const failureOf = failuresOf(request);
  const errors = new Map<Monitor, string>();
  for (const monitor of ordered) {
    const failure = failureOf(monitor);
    // What a rule or metric was before says nothing of a scan that could not evaluate it.
    const finding = failure !== undefined && monitor.type !== 'PREDEFINED_METRIC' ? NOTHING : findingOf(monitor, context);
    findings.set(monitor, finding);
    const error = failure ?? unwatchable(monitor, request) ?? valuelessMetric(monitor, finding, request);
    if (error !== undefined) errors.set(monitor, error);
    if (monitor.type === 'RULE' && (error !== undefined || finding.violations.length > 0)) reportedRules.add(monitor.id);
  }
  const silentRules = erroredRules([...errors.keys()].filter(({ type }) => type === 'RULE'));
  return {
    points: pointsWithBands(request.points, findings),
    verdicts: enabled.map((monitor) => {
      const reported = isOfAnyRule(monitor) && !errors.has(monitor) ? silentRules : undefined;
      return verdictOf(monitor, findings.get(monitor) ?? NOTHING, { error: errors.get(monitor), reported });
    }),
  };
}

/** What a pre-built monitor watches and the scan could not measure is missing for every monitor of the same metrics. */
function failuresOf({ failures = [] }: EvaluationRequest): (monitor: Monitor) => string | undefined {
  const ofMonitors = new Map(failures.map(({ monitor_id, reason }) => [monitor_id, reason]));
  const ofMetrics = new Map(failures.flatMap(({ monitor_id, reason }) => metricsOf(monitor_id).map((metric) => [metric, reason])));
  return (monitor) => {
    const metrics = monitor.type === 'PREDEFINED_METRIC' ? metricsWatched(monitor) : [];
    return ofMonitors.get(monitor.id) ?? metrics.flatMap((metric) => ofMetrics.get(metric) ?? [])[0];
  };
}

/** `reported` errors make an alert elsewhere. */
function verdictOf(
  monitor: Monitor,
  { evaluated, violations, lacks }: Finding,
  { error, reported }: { readonly error: string | undefined; readonly reported: string | undefined },
): Verdict {
  const found = error === undefined ? violations : [...violations, checkError(monitor, error)];
  const reason = error ?? reported;
  if (violations.length > 0) return { monitor, outcome: 'violated', violations: found, ...(reason === undefined ? {} : { reason }) };
  if (reason !== undefined) return { monitor, outcome: 'errored', violations: found, reason };
  if (evaluated.length > 0) return { monitor, outcome: 'clear', violations: found };
  return { monitor, outcome: 'unknown', violations: found, reason: UNKNOWN[lacks], awaitsHistory: lacks === 'history' };
}

const UNKNOWN: { readonly [Lacking in Finding['lacks']]: string } = {
  history: 'There are too few scans to learn what is usual.',
  value: 'There was no value to evaluate.',
  subject: 'Nothing that the monitor watches was measured.',
  news: 'Other monitors report what this monitor watches.',
};

/** A point has room for one band: that of a violation first, then that of a monitor that somebody made. */
function pointsWithBands(points: EvaluationRequest['points'], findings: ReadonlyMap<Monitor, Finding>): Evaluation['points'] {
  const shown = new Map<string, EvaluatedSeries>();
  const madeLast = [...findings].toSorted(([first], [second]) => Number(isMade(first)) - Number(isMade(second)));
  for (const [, { evaluated }] of madeLast) {
    for (const one of evaluated) {
      const id = seriesId(one.series);
      const isHidden = !one.isViolation && shown.get(id)?.isViolation === true;
      if (one.isMeasured && !isHidden) shown.set(id, one);
    }
  }
  return points.map((point) => {
    const { band, isViolation, surprise } = shown.get(seriesId(point)) ?? UNSEEN;
    const said = surprise === undefined ? {} : { surprise };
    return { ...point, lower_bound: band.lower, upper_bound: band.upper, is_violation: isViolation, ...said };
  });
}

const UNSEEN: Pick<EvaluatedSeries, 'band' | 'isViolation' | 'surprise'> = { band: { lower: null, upper: null }, isViolation: false };

/** Pre-built monitors have names for ids, those that people made have numbers. */
function isMade({ id }: Monitor): boolean {
  return /^\d+$/.test(id);
}
