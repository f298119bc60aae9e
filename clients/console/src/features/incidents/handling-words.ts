// SPDX-License-Identifier: Apache-2.0
/** What people say of an incident, in words. */
import type { IncidentHandling } from '@sextant/sdk';

export type HandlingState = IncidentHandling['state'];

export const HANDLING = {
  ACKNOWLEDGED: { label: 'Acknowledge', says: 'Acknowledged', means: 'Somebody is aware of the incident.' },
  SNOOZED: {
    label: 'Snooze',
    says: 'Snoozed',
    means: 'Nobody is notified until the snooze ends; if the incident is still open then, one notification is sent.',
  },
  EXPECTED: {
    label: 'Expected',
    says: 'Expected',
    means: 'The values are correct: the incident is closed, and learned bands include these values from now on.',
  },
  FALSE_POSITIVE: {
    label: 'False positive',
    says: 'False positive',
    means: 'The values are not representative: the incident is closed, and its points are excluded from learning.',
  },
} as const satisfies { readonly [state in HandlingState]: { readonly label: string; readonly says: string; readonly means: string } };

/** Null is what was taken back; a state that a later service knows stays as it is written. */
export function handlingText(state: string | null): string {
  if (state === null) return 'Handling cleared';
  return isHandling(state) ? HANDLING[state].says : state;
}

function isHandling(state: string): state is HandlingState {
  return Object.hasOwn(HANDLING, state);
}
