// SPDX-License-Identifier: Apache-2.0
/** What people say of an incident, in words. */
import type { IncidentHandling } from '@sextant/sdk';

export type HandlingState = IncidentHandling['state'];

export const HANDLING = {
  ACKNOWLEDGED: { label: 'Acknowledge', says: 'Acknowledged', means: 'Somebody knows of it.' },
  SNOOZED: { label: 'Snooze', says: 'Snoozed', means: 'Nobody is notified until then; if it is still open, that is said once.' },
  EXPECTED: {
    label: 'Expected',
    says: 'Expected',
    means: 'The values are right: the incident is closed, and learned bands reach as far as these values from now on.',
  },
  FALSE_POSITIVE: {
    label: 'False positive',
    says: 'False positive',
    means: 'The values are no evidence: the incident is closed, and its points are left out of learning.',
  },
} as const satisfies { readonly [state in HandlingState]: { readonly label: string; readonly says: string; readonly means: string } };

/** Null is what was taken back; a state that a later service knows stays as it is written. */
export function handlingText(state: string | null): string {
  if (state === null) return 'What was said of it was taken back';
  return isHandling(state) ? HANDLING[state].says : state;
}

function isHandling(state: string): state is HandlingState {
  return Object.hasOwn(HANDLING, state);
}
