// SPDX-License-Identifier: Apache-2.0
/** The life of an incident, as one function; SPEC.md has it as a table. Which incident an event is about is the caller's to know. */
import type { IncidentState, IncidentStatus } from '@sextant/contracts-observability';

/** The newest incident of a subject. */
export type NewestIncident = {
  readonly status: IncidentStatus;
  /** Time of its last step: when it was closed, if it is. */
  readonly lastStepMs: number;
};

export type IncidentCause =
  | 'violation'
  | 'error'
  | 'error reported elsewhere'
  | 'no violation'
  | 'not evaluated'
  | 'monitor is off'
  | 'all alerts excluded'
  | 'closed by a person'
  | 'reopened by a person';

/** What is to be written: a new incident or one more step of the newest. */
export type IncidentMove = { readonly isNew: boolean; readonly state: IncidentState; readonly timeMs: number };

export const REOPEN_WINDOW_MS = 30 * 24 * 3_600_000;

/** Undefined where nothing is to be written. */
export function nextMove(newest: NewestIncident | undefined, cause: IncidentCause, nowMs: number): IncidentMove | undefined {
  const state = nextState(newest, cause, nowMs);
  if (state === undefined) return undefined;
  const isNew = state === 'NEW';
  return { isNew, state, timeMs: newest === undefined || isNew ? nowMs : Math.max(nowMs, newest.lastStepMs) };
}

function nextState(newest: NewestIncident | undefined, cause: IncidentCause, nowMs: number): IncidentState | undefined {
  switch (cause) {
    case 'violation':
    case 'error':
      if (newest === undefined) return 'NEW';
      if (newest.status === 'OPEN') return 'ONGOING';
      return nowMs - newest.lastStepMs <= REOPEN_WINDOW_MS ? 'REOPENED' : 'NEW';
    case 'error reported elsewhere':
      return newest?.status === 'OPEN' ? 'ONGOING' : undefined;
    case 'no violation':
    case 'monitor is off':
    case 'all alerts excluded':
    case 'closed by a person':
      return newest?.status === 'OPEN' ? 'RESOLVED' : undefined;
    case 'reopened by a person':
      return newest?.status === 'CLOSED' ? 'REOPENED' : undefined;
    case 'not evaluated':
      return undefined;
  }
}
