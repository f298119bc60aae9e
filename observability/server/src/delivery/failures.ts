// SPDX-License-Identifier: Apache-2.0
/** What a tenant's admins read of deliveries that failed. */
import type { DeliveryFailure } from '@sextant/observability-delivery';
import type { ClaimedDelivery, TenantMetadata } from '@sextant/observability-metadata';

export async function reportGivingUp(tenant: TenantMetadata, claim: ClaimedDelivery, failure: DeliveryFailure): Promise<void> {
  const { attempts } = claim.delivery;
  const effort = attempts === 1 ? 'at the first attempt' : `after ${attempts} attempts`;
  await append(tenant, claim, `${subject(claim)} was given up ${effort}: ${failure.message}.`, failure);
}

/** The tracker's first refusal is reported at once, since a ticket is waited for; all others only when they are given up. */
export async function reportFailure(tenant: TenantMetadata, claim: ClaimedDelivery, failure: DeliveryFailure): Promise<void> {
  if (errorClass(claim) !== 'INTEGRATION_TRACKER' || claim.delivery.attempts > 1) return;
  await append(tenant, claim, `${subject(claim)} failed and is retried: ${failure.message}.`, failure);
}

function append(tenant: TenantMetadata, claim: ClaimedDelivery, message: string, failure: DeliveryFailure): Promise<void> {
  return tenant.backgroundErrors.append({ error_class: errorClass(claim), message, exception_type: failure.name, stack_trace: '' });
}

function errorClass({ delivery: { kind } }: ClaimedDelivery): string {
  switch (kind) {
    case 'JOB_WEBHOOK':
      return 'WEBHOOK';
    case 'NOTIFICATION':
      return 'NOTIFICATION';
    case 'TICKET':
    case 'TICKET_COMMENT':
      return 'INTEGRATION_TRACKER';
  }
}

function subject({ delivery: { kind, id, incident_id, channel, recipient } }: ClaimedDelivery): string {
  switch (kind) {
    case 'JOB_WEBHOOK':
      return `The webhook to ${recipient} (delivery ${id})`;
    case 'NOTIFICATION':
      return `The notification of incident ${incident_id} to ${recipient} of channel ${JSON.stringify(channel)} (delivery ${id})`;
    case 'TICKET':
      return `The ticket of incident ${incident_id} (delivery ${id})`;
    case 'TICKET_COMMENT':
      return `The comment in the ticket of incident ${incident_id} (delivery ${id})`;
  }
}
