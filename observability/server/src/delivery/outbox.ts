/**
 * Sends what waits in the store. Each delivery is claimed, sent, and noted in one transaction with what follows from it; a process that
 * dies between these loses its claim, and the delivery is sent again. So all arrive at least once, and what must not happen twice has a
 * mark by which the receiver's side is asked first (`deliver-ticket.ts`).
 *
 * A receiver gets few of a tenant at a time, and is left out while those are under way: however slow one is, the others have the rest.
 */
import type { Clock, Random } from '@sextant/foundation-std';
import { DeliveryFailure } from '@sextant/observability-delivery';
import type { ClaimedDelivery, Metadata, TenantMetadata } from '@sextant/observability-metadata';
import { Loop } from '../jobs/loop.ts';
import type { Aftermath } from './attempt.ts';
import { nextAttempt } from '../outbox/backoff.ts';
import { reportFailure, reportGivingUp } from './failures.ts';

export type OutboxOptions = {
  readonly metadata: Metadata;
  /** Throws what `DeliveryFailure` says, or anything else, which is tried again too. */
  readonly deliver: (claim: ClaimedDelivery, signal: AbortSignal) => Promise<Aftermath | undefined>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: { readonly error: (details: object, message: string) => void };
  readonly leaseMs?: number;
  readonly graceMs?: number;
};

const PAUSE_MS = 1000;
const CONCURRENCY = 32;
const PER_TARGET = 4;
/** Longer than a delivery can take: a ticket is three requests, each with its time. */
const LEASE_MS = 60_000;
/** What is under way when the service stops has this long to arrive; then it is broken off and comes first at the next start. */
const GRACE_MS = 5000;

export class Outbox {
  readonly #options: OutboxOptions;
  readonly #loop: Loop;
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<Promise<void>, ClaimedDelivery>();
  #isStopping = false;
  #deliveredCount = 0;
  #failedCount = 0;

  constructor(options: OutboxOptions) {
    this.#options = options;
    this.#loop = new Loop({ turn: () => this.turn(), pauseMs: PAUSE_MS, onError: (error) => this.#logError(error) });
  }

  /** Since the start. */
  get deliveredCount(): number {
    return this.#deliveredCount;
  }

  /** Attempts that failed since the start. */
  get failedCount(): number {
    return this.#failedCount;
  }

  get underWayCount(): number {
    return this.#underWay.size;
  }

  /** Starts, or looks at once. */
  wake(): void {
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#loop.stop();
    const timer = setTimeout(() => this.#stopping.abort(), this.#options.graceMs ?? GRACE_MS);
    await this.settled();
    clearTimeout(timer);
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  /** Begins to send what is due and has room now; does not wait for its end. True when there may be more. */
  async turn(): Promise<boolean> {
    const room = CONCURRENCY - this.#underWay.size;
    if (room <= 0) return false;
    const { metadata, leaseMs = LEASE_MS } = this.#options;
    const busy = [...this.#underWay.values()];
    const claims = await metadata.platform.deliveries.claim({ limit: room, perTarget: PER_TARGET, busy, leaseMs });
    for (const claim of claims) this.#begin(claim);
    return claims.length === room;
  }

  #begin(claim: ClaimedDelivery): void {
    const attempt = this.#attempt(claim)
      .catch((error: unknown) => this.#logError(error))
      .finally(() => {
        this.#underWay.delete(attempt);
        if (!this.#isStopping) this.#loop.wake();
      });
    this.#underWay.set(attempt, claim);
  }

  async #attempt(claim: ClaimedDelivery): Promise<void> {
    const tenant = this.#options.metadata.forTenant(claim.tenant_id);
    const held = { id: claim.delivery.id, lease: claim.lease };
    let aftermath: Aftermath | undefined;
    try {
      aftermath = await this.#options.deliver(claim, this.#stopping.signal);
    } catch (error) {
      return this.#noteFailure(tenant, claim, error);
    }
    this.#deliveredCount += 1;
    await tenant.atomically(async (own) => {
      if (await own.deliveries.settle(held, { kind: 'delivered' })) await aftermath?.(own);
    });
  }

  async #noteFailure(tenant: TenantMetadata, claim: ClaimedDelivery, error: unknown): Promise<void> {
    const { clock, random } = this.#options;
    const { delivery, lease, first_attempt_at } = claim;
    const held = { id: delivery.id, lease };
    const nowMs = clock.nowMs();
    if (this.#stopping.signal.aborted) {
      // What may have reached the tracker keeps its claim, whose rest gives the tracker time to find it.
      if (delivery.kind === 'TICKET' || delivery.kind === 'TICKET_COMMENT') return;
      await tenant.deliveries.settle(held, {
        kind: 'retry',
        next_attempt_at: timeOf(nowMs),
        error: 'broken off because the service stopped',
      });
      return;
    }
    this.#failedCount += 1;
    const failure = error instanceof DeliveryFailure ? error : new DeliveryFailure(sentenceOf(error), { cause: error });
    if (failure !== error) this.#logError(error);
    const { attempts } = delivery;
    const nextMs = nextAttempt({ failure, attempts, firstAttemptMs: Date.parse(first_attempt_at), nowMs }, random);
    await tenant.atomically(async (own) => {
      if (nextMs === undefined) {
        if (await own.deliveries.settle(held, { kind: 'failed', error: failure.message })) await reportGivingUp(own, claim, failure);
      } else if (await own.deliveries.settle(held, { kind: 'retry', next_attempt_at: timeOf(nextMs), error: failure.message })) {
        await reportFailure(own, claim, failure);
      }
    });
  }

  #logError(error: unknown): void {
    this.#options.log.error({ err: error }, 'something that waits in the outbox could not be delivered');
  }
}

function timeOf(ms: number): string {
  return new Date(ms).toISOString();
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
