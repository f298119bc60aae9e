/**
 * What one policy's verdict on one scan means for its incidents: which alerts go on with which incident, which incidents end, and what begins.
 * Which incidents the policy has is the caller's to know, and that nobody else steps in between.
 */
import type { RaisedAlert } from './alerts.ts';
import { type IncidentCause, type IncidentMove, type NewestIncident, nextMove, REOPEN_WINDOW_MS } from './incident-machine.ts';
import { subjectOf } from './subject.ts';

export type StandingIncident = NewestIncident & {
  /** What its alerts have been about. */
  readonly subjects: ReadonlySet<string>;
};

export type PolicyOccasion = {
  readonly cause: IncidentCause;
  /** What a violation raised, the worst first. */
  readonly alerts: readonly RaisedAlert[];
  /** Violations beside them that made no alert. */
  readonly omitted: number;
};

export type PolicyStep<Standing> = {
  /** Undefined where the step begins a new one. */
  readonly incident: Standing | undefined;
  readonly move: IncidentMove;
  readonly alerts: readonly RaisedAlert[];
  readonly omitted: number;
};

/** `standing` are the policy's open incidents and those closed within the reopen window, oldest first. */
export function policySteps<Standing extends StandingIncident>(
  standing: readonly Standing[],
  { cause, alerts, omitted }: PolicyOccasion,
  nowMs: number,
): readonly PolicyStep<Standing>[] {
  // A policy that cannot be evaluated says nothing of its subjects: the error goes on with what is open.
  const open = cause === 'error' ? standing.find(({ status }) => status === 'OPEN') : undefined;
  const claims = Map.groupBy(alerts, ({ metric }) => open ?? claimant(subjectOf(metric), standing, nowMs));
  const steps = [...standing, undefined].flatMap((incident): readonly PolicyStep<Standing>[] => {
    const claimed = claims.get(incident) ?? [];
    // What made no alert may be of any subject, so that nothing is known to be over.
    if (cause === 'violation' && claimed.length === 0 && omitted > 0) return [];
    const move = nextMove(incident, claimed.length === 0 ? causeForOthers(cause) : cause, nowMs);
    return move === undefined ? [] : [{ incident, move, alerts: claimed, omitted: 0 }];
  });
  const [widest, ...others] = steps.toSorted((one, other) => other.alerts.length - one.alerts.length);
  return omitted === 0 || widest === undefined ? steps : [{ ...widest, omitted }, ...others];
}

/** What it means for an incident that none of the alerts is about its subjects. */
function causeForOthers(cause: IncidentCause): IncidentCause {
  if (cause === 'violation') return 'no violation';
  return cause === 'error' ? 'error reported elsewhere' : cause;
}

/** The open incident of a subject, else the one that was closed last; undefined where none is left to go on with. */
function claimant<Standing extends StandingIncident>(subject: string, standing: readonly Standing[], nowMs: number): Standing | undefined {
  const own = standing.filter(({ subjects }) => subjects.has(subject));
  const open = own.find(({ status }) => status === 'OPEN');
  if (open !== undefined) return open;
  const [closed] = own.toSorted((one, other) => other.lastStepMs - one.lastStepMs);
  return closed === undefined || nowMs - closed.lastStepMs > REOPEN_WINDOW_MS ? undefined : closed;
}
