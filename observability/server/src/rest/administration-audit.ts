// SPDX-License-Identifier: Apache-2.0
/** Which endpoints administer the service, and what the audit log says of a request; refusals are in it too. */
import type { AuditEntry } from '@sextant/foundation-service';
import type { FastifyRequest } from 'fastify';
import type { EndpointRow } from './routes.ts';

const TAGS: ReadonlySet<string> = new Set([
  'API keys',
  'Authentication',
  'Connections',
  'DQ reporting',
  'Notification channels',
  'Platform',
  'Projects',
  'Spark job configuration',
  'Ticket templates',
  'Tickets',
  'Users',
]);

export function isAudited({ endpoint: { tag, method } }: EndpointRow): boolean {
  return method !== 'GET' && TAGS.has(tag);
}

/** @param status of the answer */
export function auditEntryOf(
  { id }: EndpointRow,
  request: FastifyRequest,
  { address, status }: Pick<AuditEntry, 'address' | 'status'>,
): AuditEntry {
  // The router gives decoded text for each parameter of the path.
  const target = request.params as { readonly [name: string]: string };
  return { operation: id, actor: request.member?.name ?? request.claimedName ?? 'unknown', address, status, target };
}
