// SPDX-License-Identifier: Apache-2.0
/** Incidents that alerts should have made: the same steps as if they were made now, in the order of the scans. */

import type { RaisedAlert } from './alerts.ts';
import { type PolicyStep, policySteps, type StandingIncident } from './policy-steps.ts';
import { subjectOf } from './subject.ts';

export type BackfillRequest<Standing> = {
  /** Of one asset and one policy. */
  readonly alerts: readonly RaisedAlert[];
  /** All incidents of the two, oldest first. */
  readonly standing: readonly (Standing & { readonly lastUploadMs: number })[];
  /** Scans of the asset that ended well. */
  readonly scans: readonly { readonly metricTimeMs: number; readonly endMs: number }[];
};

/** An incident that is there already, or one that an earlier step begins. */
export type BackfillIncident<Standing> =
  | { readonly kind: 'stored'; readonly incident: Standing }
  | { readonly kind: 'begun'; readonly index: number };

/** The steps of one scan; the alerts are none where it resolves. */
export type BackfillStep<Standing> = Omit<PolicyStep<unknown>, 'incident'> & { readonly of: BackfillIncident<Standing> };

type ScanOutcome = { readonly metricTimeMs: number; readonly endMs: number; readonly alerts: readonly RaisedAlert[] };

type Replayed<Standing> = StandingIncident & { readonly of: BackfillIncident<Standing> };

/** The steps to write, scan by scan and oldest first; new incidents are numbered in the order in which they begin. */
export function backfillSteps<Standing extends StandingIncident>({
  alerts,
  standing,
  scans,
}: BackfillRequest<Standing>): readonly (readonly BackfillStep<Standing>[])[] {
  const after = Math.max(Number.NEGATIVE_INFINITY, ...standing.map(({ lastUploadMs }) => lastUploadMs));
  let known: readonly Replayed<Standing>[] = standing.map((incident) => {
    const { status, lastStepMs, subjects } = incident;
    return { status, lastStepMs, subjects, of: { kind: 'stored', incident } };
  });
  let begun = 0;
  return outcomes(alerts, scans).flatMap((outcome) => {
    if (outcome.metricTimeMs <= after) return [];
    const cause = outcome.alerts.length > 0 ? 'violation' : 'no violation';
    const steps = policySteps(known, { cause, alerts: outcome.alerts, omitted: 0 }, outcome.endMs).map(({ incident, ...step }) => {
      const of: BackfillIncident<Standing> = incident?.of ?? { kind: 'begun', index: begun++ };
      const subjects = new Set([...(incident?.subjects ?? []), ...step.alerts.map(({ metric }) => subjectOf(metric))]);
      const next: Replayed<Standing> = {
        status: step.move.state === 'RESOLVED' ? 'CLOSED' : 'OPEN',
        lastStepMs: step.move.timeMs,
        subjects,
        of,
      };
      known = [...known.filter((each) => each !== incident), next];
      return { ...step, of };
    });
    return steps.length === 0 ? [] : [steps];
  });
}

/** A failed scan is known by its alerts alone. */
function outcomes(alerts: readonly RaisedAlert[], scans: BackfillRequest<unknown>['scans']): readonly ScanOutcome[] {
  const byTime = new Map<number, ScanOutcome>(scans.map((scan) => [scan.metricTimeMs, { ...scan, alerts: [] }]));
  for (const [time, ofScan] of Map.groupBy(alerts, ({ metric_time }) => metric_time)) {
    const metricTimeMs = Date.parse(time);
    byTime.set(metricTimeMs, { metricTimeMs, endMs: Math.max(...ofScan.map(({ save_time }) => Date.parse(save_time))), alerts: ofScan });
  }
  return [...byTime.values()].toSorted((one, other) => one.metricTimeMs - other.metricTimeMs);
}
