// SPDX-License-Identifier: Apache-2.0
import type { AuditEntry, ObservabilityClient } from '@sextant/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';

export const SUBJECTS: { readonly [type in AuditEntry['subject_type']]: string } = {
  INCIDENT: 'incident',
  ASSET: 'asset',
  MONITOR: 'monitor',
  CHANNEL: 'channel',
  TICKET_TEMPLATE: 'ticket template',
  CONFIGURATION: 'configuration',
  TENANT: 'tenant',
};

const ACTIONS: { readonly [action in AuditEntry['action']]: string } = {
  OPENED: 'opened',
  REOPENED: 'reopened',
  CLOSED: 'closed',
  ASSIGNED: 'assigned',
  COMMENTED: 'commented on',
  HANDLED: 'set the handling of',
  TICKET_LINKED: 'linked a ticket to',
  TICKET_UNLINKED: 'unlinked the ticket of',
  EXCLUDED: 'excluded a point of',
  INCLUDED: 'included a point again of',
  BACKFILLED: 'created incidents from past alerts of',
  CREATED: 'created',
  UPDATED: 'changed',
  DELETED: 'deleted',
};

export type AuditFilter = { readonly subject_type?: AuditEntry['subject_type'] | undefined; readonly subject_id?: string | undefined };

const PAGE = 50;

export function auditPages(client: ObservabilityClient, { subject_type, subject_id }: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: ['observability', 'audit', { subject_type, subject_id }],
    queryFn: ({ pageParam, signal }) => client.listAudit({ subject_type, subject_id, limit: PAGE, before: pageParam }, { signal }),
    // The type of the first parameter is that of all.
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });
}

/** What of an address is a filter. */
export function auditFilterOf({ subject_type: type, subject_id: id }: { readonly [name: string]: unknown }): AuditFilter {
  const isType = (word: unknown): word is AuditEntry['subject_type'] => typeof word === 'string' && Object.hasOwn(SUBJECTS, word);
  if (!isType(type)) return {};
  const subject = typeof id === 'number' ? String(id) : id;
  return { subject_type: type, ...(typeof subject === 'string' && { subject_id: subject }) };
}

export function actionText({ action, subject_type }: AuditEntry): string {
  return `${ACTIONS[action]} the ${SUBJECTS[subject_type]}`;
}
