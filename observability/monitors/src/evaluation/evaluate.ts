/** Evaluates each monitor of an asset on one scan. SPEC.md has the rules. */
import type { Monitor } from '@sextant/contracts-observability';
import type { CreateBandModel } from '../bands/band.ts';
import { createBandModel as standardModel } from '../bands/band-model.ts';
import type { Evaluation, EvaluationRequest, Verdict } from './evaluation.ts';
import { type EvaluatedSeries, type Finding, findingOf, isOfAnyRule } from './finding.ts';
import { ScanSeries, seriesId } from './scan-series.ts';

export type EvaluationOptions = { readonly createBandModel?: CreateBandModel };

export function evaluate(request: EvaluationRequest, { createBandModel = standardModel }: EvaluationOptions = {}): Evaluation {
  const violatedRules = new Set<string>();
  const context = { request, scan: new ScanSeries(request), createBandModel, violatedRules };
  // The monitors of single rules first: what they report, the monitor of all rules does not report again.
  const enabled = request.monitors.filter((monitor) => monitor.enabled);
  const ordered = enabled.toSorted((first, second) => Number(isOfAnyRule(first)) - Number(isOfAnyRule(second)));
  const findings = new Map<Monitor, Finding>();
  for (const monitor of ordered) {
    const finding = findingOf(monitor, context);
    findings.set(monitor, finding);
    if (monitor.type === 'RULE' && finding.violations.length > 0) violatedRules.add(monitor.id);
  }
  return {
    points: pointsWithBands(request.points, findings),
    verdicts: enabled.flatMap((monitor) => {
      const finding = findings.get(monitor);
      return finding === undefined ? [] : [{ monitor, outcome: outcomeOf(finding), violations: finding.violations }];
    }),
  };
}

function outcomeOf({ evaluated, violations }: Finding): Verdict['outcome'] {
  if (violations.length > 0) return 'violated';
  return evaluated.length > 0 ? 'clear' : 'unknown';
}

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
