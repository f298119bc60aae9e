// SPDX-License-Identifier: Apache-2.0
import type { NewAuditEntry, TenantMetadata } from '@sextant/observability-metadata';
import type { TenantContext } from './operation.ts';

/** Makes a change and records it in the audit trail under the caller's name, both or neither. */
export function audited<Result>(
  { tenant, member }: Pick<TenantContext, 'tenant' | 'member'>,
  change: (own: TenantMetadata) => Promise<Result>,
  entryOf: (result: Result) => Omit<NewAuditEntry, 'actor'>,
): Promise<Result> {
  return tenant.atomically(async (own) => {
    const result = await change(own);
    await own.audit.append({ ...entryOf(result), actor: member.name });
    return result;
  });
}
