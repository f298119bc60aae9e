// SPDX-License-Identifier: Apache-2.0
/** What people do about incidents and measurements, and the trail of it. */

/** `system` acts where no person does. */
export const SYSTEM_ACTOR = 'system';

export const AUDIT_ACTIONS = [
  'OPENED',
  'REOPENED',
  'CLOSED',
  'ASSIGNED',
  'COMMENTED',
  'HANDLED',
  'TICKET_LINKED',
  'TICKET_UNLINKED',
  'EXCLUDED',
  'INCLUDED',
  'BACKFILLED',
  'CREATED',
  'UPDATED',
  'DELETED',
] as const;

export type AuditAction = (typeof AUDIT_ACTIONS)[number];

/**
 * What people say of an incident. ACKNOWLEDGED: somebody knows. SNOOZED: no messages until a time. EXPECTED: the values are right, and learned bands
 * reach as far as them. FALSE_POSITIVE: the values are no evidence, and the monitor does not learn from them.
 */
export const HANDLING_STATES = ['ACKNOWLEDGED', 'SNOOZED', 'EXPECTED', 'FALSE_POSITIVE'] as const;

export type HandlingState = (typeof HANDLING_STATES)[number];

/** What one request about many incidents asks for: what people say of them, to take that back, to close or to reopen them. */
export const BULK_ACTIONS = [...HANDLING_STATES, 'CLEAR', 'CLOSE', 'REOPEN'] as const;

/** An INCIDENT by its id, an ASSET by its id, a MONITOR as `asset id/monitor id`, a TICKET_TEMPLATE by its id, a CHANNEL by its name. */
export const AUDIT_SUBJECTS = ['INCIDENT', 'ASSET', 'MONITOR', 'TICKET_TEMPLATE', 'CHANNEL', 'CONFIGURATION', 'TENANT'] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];
