/** Incidents that alerts should have made: the same steps as if they were made now, in the order of the scans. */

import type { RaisedAlert } from './alerts.ts';
import { type IncidentMove, type NewestIncident, nextMove } from './incident-machine.ts';

export type BackfillRequest = {
  /** Of one asset and one policy. */
  readonly alerts: readonly RaisedAlert[];
  readonly newest: (NewestIncident & { readonly lastUploadMs: number }) | undefined;
  /** Scans of the asset that ended well. */
  readonly scans: readonly { readonly metricTimeMs: number; readonly endMs: number }[];
};

export type BackfillStep = {
  readonly move: IncidentMove;
  /** Of one scan; none when it resolves. */
  readonly alerts: readonly RaisedAlert[];
};

type ScanOutcome = { readonly metricTimeMs: number; readonly endMs: number; readonly alerts: readonly RaisedAlert[] };

/** The steps to write, oldest first: those that begin a new incident, and those that go on with the one before. */
export function backfillSteps({ alerts, newest, scans }: BackfillRequest): readonly BackfillStep[] {
  const after = newest?.lastUploadMs ?? Number.NEGATIVE_INFINITY;
  const steps: BackfillStep[] = [];
  let standing: NewestIncident | undefined = newest;
  for (const outcome of outcomes(alerts, scans)) {
    if (outcome.metricTimeMs <= after) continue;
    const move = nextMove(standing, outcome.alerts.length > 0 ? 'violation' : 'no violation', outcome.endMs);
    if (move === undefined) continue;
    steps.push({ move, alerts: outcome.alerts });
    standing = { status: move.state === 'RESOLVED' ? 'CLOSED' : 'OPEN', lastStepMs: move.timeMs };
  }
  return steps;
}

/** A failed scan is known by its alerts alone. */
function outcomes(alerts: readonly RaisedAlert[], scans: BackfillRequest['scans']): readonly ScanOutcome[] {
  const byTime = new Map<number, ScanOutcome>(scans.map((scan) => [scan.metricTimeMs, { ...scan, alerts: [] }]));
  for (const [time, ofScan] of Map.groupBy(alerts, ({ metric_time }) => metric_time)) {
    const metricTimeMs = Date.parse(time);
    byTime.set(metricTimeMs, { metricTimeMs, endMs: Math.max(...ofScan.map(({ save_time }) => Date.parse(save_time))), alerts: ofScan });
  }
  return [...byTime.values()].toSorted((one, other) => one.metricTimeMs - other.metricTimeMs);
}
