// SPDX-License-Identifier: Apache-2.0
/** Which operations administer the service, and what the audit log says of one. */

import type { Endpoint } from '@sextant/contracts-vector';
import { endpoints, isOperationId } from '@sextant/contracts-vector/schemas';
import type { AuditEntry } from '@sextant/foundation-service';
import type { Principal } from '../auth/auth.ts';
import type { OperationReply, OperationRequest } from './operation.ts';

const TAGS: ReadonlySet<string> = new Set(['Authentication', 'Collections', 'Aliases', 'Snapshots', 'Maintenance']);

/** Undefined for what administers nothing. Points and searches are data, and not in it. */
export function auditEntryOf(
  { operation, params, caller, principal }: Pick<OperationRequest, 'operation' | 'params' | 'caller' | 'principal'>,
  { status, collection }: Pick<OperationReply, 'status' | 'collection'>,
): AuditEntry | undefined {
  if (!isOperationId(operation)) return undefined;
  const { tag, method }: Endpoint = endpoints[operation];
  if (method === 'GET' || !TAGS.has(tag)) return undefined;
  // Only the message of a gRPC call names the collection.
  const target = collection === undefined ? params : { collection_name: collection, ...params };
  return { operation, actor: actorOf(principal), address: caller.address, status, target };
}

/** As logs name who asked. */
export function actorOf(principal: Principal): string {
  return principal.kind === 'token' ? `token ${principal.id}` : principal.kind;
}
