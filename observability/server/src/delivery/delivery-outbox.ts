// SPDX-License-Identifier: Apache-2.0
/**
 * The outbox of messages, tickets and webhooks. What must not happen twice carries a label, and each attempt asks the receiver for it first
 * (`deliver-ticket.ts`). A receiver gets few deliveries of a tenant at a time, so that a slow one delays nobody else.
 */
import type { ClaimedDelivery, Metadata } from '@sextant/observability-metadata';
import { Outbox, type OutboxOptions } from '../outbox/outbox.ts';
import type { Aftermath } from './attempt.ts';
import { reportFailure, reportGivingUp } from './failures.ts';

export type DeliveryOutboxOptions = Pick<OutboxOptions<ClaimedDelivery>, 'clock' | 'random' | 'log' | 'maySend'> & {
  readonly metadata: Metadata;
  /** Throws what `DeliveryFailure` says, or anything else, which is tried again too. */
  readonly deliver: (claim: ClaimedDelivery, signal: AbortSignal) => Promise<Aftermath | undefined>;
  readonly leaseMs?: number;
  readonly graceMs?: number;
};

export type DeliveryOutbox = Outbox<ClaimedDelivery>;

const CONCURRENCY = 32;
const PER_TARGET = 4;
/** Longer than a delivery can take: a ticket is three requests, each with its time. */
const LEASE_MS = 60_000;
/** What is under way when the service stops has this long to arrive; then it is interrupted and comes first at the next start. */
const GRACE_MS = 5000;

export function openDeliveryOutbox(options: DeliveryOutboxOptions): DeliveryOutbox {
  const { metadata, deliver, clock, leaseMs = LEASE_MS, graceMs = GRACE_MS } = options;
  const tenantOf = ({ tenant_id }: ClaimedDelivery) => metadata.forTenant(tenant_id);
  return new Outbox({
    ...options,
    concurrency: CONCURRENCY,
    graceMs,
    queue: {
      claim: ({ limit, underWay }) => metadata.platform.deliveries.claim({ limit, perTarget: PER_TARGET, busy: underWay, leaseMs }),
      send: async (claim, signal) => {
        const aftermath = await deliver(claim, signal);
        return () =>
          tenantOf(claim).atomically(async (own) => {
            if (await own.deliveries.settle(leaseOf(claim), { kind: 'delivered' })) await aftermath?.(own);
          });
      },
      attemptsOf: ({ delivery, first_attempt_at }) => ({
        attempts: delivery.attempts,
        limit: { kind: 'day', firstAttemptMs: Date.parse(first_attempt_at) },
      }),
      noteFailure: (claim, failure, nextAttemptAt) =>
        tenantOf(claim).atomically(async (own) => {
          const { message: error } = failure;
          if (nextAttemptAt === undefined) {
            if (await own.deliveries.settle(leaseOf(claim), { kind: 'failed', error })) await reportGivingUp(own, claim, failure);
          } else if (await own.deliveries.settle(leaseOf(claim), { kind: 'retry', next_attempt_at: nextAttemptAt, error })) {
            await reportFailure(own, claim, failure);
          }
        }),
      noteInterruption: async (claim) => {
        const { kind } = claim.delivery;
        // What may have reached the tracker keeps its claim, whose rest gives the tracker time to find it.
        if (kind === 'TICKET' || kind === 'TICKET_COMMENT') return;
        const next_attempt_at = new Date(clock.nowMs()).toISOString();
        await tenantOf(claim).deliveries.settle(leaseOf(claim), {
          kind: 'retry',
          next_attempt_at,
          error: 'interrupted because the service stopped',
        });
      },
    },
  });
}

function leaseOf({ delivery: { id }, lease }: ClaimedDelivery) {
  return { id, lease };
}
