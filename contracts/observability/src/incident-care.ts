/** What people do about incidents and measurements, and the trail of it. */

/** `system` acts where no person does. */
export const SYSTEM_ACTOR = 'system';

export const AUDIT_ACTIONS = [
  'OPENED',
  'REOPENED',
  'CLOSED',
  'ASSIGNED',
  'COMMENTED',
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

/** An INCIDENT by its id, an ASSET by its id, a MONITOR as `asset id/monitor id`, a TICKET_TEMPLATE by its id, a CHANNEL by its name. */
export const AUDIT_SUBJECTS = ['INCIDENT', 'ASSET', 'MONITOR', 'TICKET_TEMPLATE', 'CHANNEL', 'CONFIGURATION', 'TENANT'] as const;

export type AuditSubject = (typeof AUDIT_SUBJECTS)[number];
