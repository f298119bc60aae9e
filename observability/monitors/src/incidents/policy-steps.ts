// SPDX-License-Identifier: Apache-2.0
/**
 * What one policy's verdict on one scan means for its incidents: which alerts go on with which incident, which incidents end, and what begins.
 * Which incidents the policy has is the caller's to know, and that nobody else steps in between.
 */
import { CHECK_ERROR } from '@sextant/contracts-observability';
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
  /** Whether a part of a policy that is violated could not be evaluated. */
  readonly isPartial?: boolean;
};

export type PolicyStep<Standing> = {
  /** Undefined where the step begins a new one. */
  readonly incident: Standing | undefined;
  readonly move: IncidentMove;
  readonly alerts: readonly RaisedAlert[];
  readonly omitted: number;
};

/** The alerts that go on with one incident, or begin one. */
type Claim<Standing> = { readonly incident: Standing | undefined; readonly alerts: readonly RaisedAlert[] };

/** `standing` are the policy's open incidents and those closed within the reopen window, oldest first. */
export function policySteps<Standing extends StandingIncident>(
  standing: readonly Standing[],
  { cause, alerts, omitted, isPartial = false }: PolicyOccasion,
  nowMs: number,
): readonly PolicyStep<Standing>[] {
  const isError = ({ type }: RaisedAlert): boolean => type === CHECK_ERROR;
  const claims = claimsOf(
    alerts.filter((alert) => !isError(alert)),
    standing,
    nowMs,
  );
  const claimed = new Set(claims.map(({ incident }) => incident));
  // An error beside violations has an incident of its own, which they do not hide.
  const others = standing.filter((incident) => !claimed.has(incident));
  const errors = errorClaims(alerts.filter(isError), others, nowMs);
  const erring = new Set(errors.map(({ incident }) => incident));
  const rest = others.filter((incident) => !erring.has(incident)).map((incident): Claim<Standing> => ({ incident, alerts: [] }));
  const causeForOthers = isPartial || errors.length > 0 ? errorElsewhere(cause) : causeWithout(cause);
  const byAge = (one: Claim<Standing>, other: Claim<Standing>): number =>
    placeOf(one.incident, standing) - placeOf(other.incident, standing);
  const steps = [...claims, ...rest, ...errors].toSorted(byAge).flatMap(({ incident, alerts: own }): readonly PolicyStep<Standing>[] => {
    // What made no alert may be of any subject, so that nothing is known to be over.
    if (cause === 'violation' && own.length === 0 && omitted > 0) return [];
    const move = nextMove(incident, own.length === 0 ? causeForOthers : cause, nowMs);
    return move === undefined ? [] : [{ incident, move, alerts: own, omitted: 0 }];
  });
  const [widest, ...narrower] = steps.toSorted((one, other) => other.alerts.length - one.alerts.length);
  return omitted === 0 || widest === undefined ? steps : [{ ...widest, omitted }, ...narrower];
}

/** New ones come behind all others. */
function placeOf<Standing>(incident: Standing | undefined, standing: readonly Standing[]): number {
  return incident === undefined ? standing.length : standing.indexOf(incident);
}

/** Violations go on with the incidents of their subjects; all others begin one together. */
function claimsOf<Standing extends StandingIncident>(
  alerts: readonly RaisedAlert[],
  standing: readonly Standing[],
  nowMs: number,
): readonly Claim<Standing>[] {
  const claims = Map.groupBy(alerts, ({ metric }) => claimant(subjectOf(metric), standing, nowMs));
  return [...claims].map(([incident, own]) => ({ incident, alerts: own }));
}

/** A policy that cannot be evaluated says nothing of its subjects: the error goes on with what is open, whatever that is about. */
function errorClaims<Standing extends StandingIncident>(
  errors: readonly RaisedAlert[],
  standing: readonly Standing[],
  nowMs: number,
): readonly Claim<Standing>[] {
  const open = standing.find(({ status }) => status === 'OPEN');
  if (open === undefined) return claimsOf(errors, standing, nowMs);
  return errors.length === 0 ? [] : [{ incident: open, alerts: errors }];
}

/** What it means for an incident that none of the alerts is about its subjects. */
function causeWithout(cause: IncidentCause): IncidentCause {
  return cause === 'violation' ? 'no violation' : errorElsewhere(cause);
}

/** The same where a part of the policy could not be evaluated, which may be the part that the incident is about. */
function errorElsewhere(cause: IncidentCause): IncidentCause {
  return cause === 'violation' || cause === 'error' ? 'error reported elsewhere' : cause;
}

/** The open incident of a subject, else the one that was closed last; undefined where none is left to go on with. */
function claimant<Standing extends StandingIncident>(subject: string, standing: readonly Standing[], nowMs: number): Standing | undefined {
  const own = standing.filter(({ subjects }) => subjects.has(subject));
  const open = own.find(({ status }) => status === 'OPEN');
  if (open !== undefined) return open;
  const [closed] = own.toSorted((one, other) => other.lastStepMs - one.lastStepMs);
  return closed === undefined || nowMs - closed.lastStepMs > REOPEN_WINDOW_MS ? undefined : closed;
}
