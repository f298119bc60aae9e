// SPDX-License-Identifier: Apache-2.0
/**
 * Sends what waits in a queue of the store. Each entry is claimed, sent, and its outcome stored with what follows from it. A process that dies in
 * between loses its claim, and the entry is sent again: everything arrives at least once.
 */
import { periodic } from '@sextant/foundation-service';
import type { Clock, Random } from '@sextant/foundation-std';
import { DeliveryFailure } from '@sextant/observability-delivery';
import { type AttemptLimit, nextAttempt } from './backoff.ts';

/** One kind of entries, and what is done with them. */
export type OutboxQueue<Claim> = {
  /** Takes at most `limit` entries that are due; nobody else gets them before their lease ends. */
  readonly claim: (options: { readonly limit: number; readonly underWay: readonly Claim[] }) => Promise<readonly Claim[]>;
  /** Sends an entry; resolves with what stores its arrival. Throws a `DeliveryFailure`, or anything else, after which it is tried again too. */
  readonly send: (claim: Claim, signal: AbortSignal) => Promise<() => Promise<void>>;
  /** Attempts so far, this one included, and when to give up. */
  readonly attemptsOf: (claim: Claim) => { readonly attempts: number; readonly limit: AttemptLimit };
  /** Stores a failure; without a next attempt the entry is given up. */
  readonly noteFailure: (claim: Claim, failure: DeliveryFailure, nextAttemptAt: string | undefined) => Promise<void>;
  /** Stores that an attempt was interrupted because the service stops. */
  readonly noteInterruption: (claim: Claim) => Promise<void>;
};

export type OutboxOptions<Claim> = {
  readonly queue: OutboxQueue<Claim>;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: { readonly error: (details: object, message: string) => void };
  readonly concurrency: number;
  /** Whether something may be sent now; otherwise it waits. */
  readonly maySend?: () => boolean;
  /** How long a stop waits for what is under way before it is interrupted. */
  readonly graceMs: number;
};

const PAUSE_MS = 1000;

export class Outbox<Claim> {
  readonly #options: OutboxOptions<Claim>;
  readonly #loop;
  readonly #stopping = new AbortController();
  readonly #underWay = new Map<Promise<void>, Claim>();
  /** From `wake` to `stop`; turns that are taken one by one start no loop. */
  #isRunning = false;
  #deliveredCount = 0;
  #failedCount = 0;

  constructor(options: OutboxOptions<Claim>) {
    this.#options = options;
    const onError = (error: unknown) => this.#logError(error);
    this.#loop = periodic({ turn: () => this.turn(), pauseMs: PAUSE_MS, clock: options.clock, onError });
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
    this.#isRunning = true;
    this.#loop.wake();
  }

  async stop(): Promise<void> {
    this.#isRunning = false;
    const timer = this.#options.clock.after(this.#options.graceMs, () => this.#stopping.abort());
    await this.#loop.stop();
    await this.settled();
    timer.cancel();
  }

  /** Resolves when nothing is under way. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay.keys());
  }

  /** Begins to send what is due and has room now; does not wait for its end. True when there may be more. */
  async turn(): Promise<boolean> {
    const { queue, concurrency, maySend } = this.#options;
    if (maySend?.() === false) return false;
    const limit = concurrency - this.#underWay.size;
    if (limit <= 0) return false;
    const claims = await queue.claim({ limit, underWay: [...this.#underWay.values()] });
    for (const claim of claims) this.#begin(claim);
    return claims.length === limit;
  }

  #begin(claim: Claim): void {
    const attempt = this.#attempt(claim)
      .catch((error: unknown) => this.#logError(error))
      .finally(() => {
        this.#underWay.delete(attempt);
        if (this.#isRunning) this.#loop.wake();
      });
    this.#underWay.set(attempt, claim);
  }

  async #attempt(claim: Claim): Promise<void> {
    let storeArrival: () => Promise<void>;
    try {
      storeArrival = await this.#options.queue.send(claim, this.#stopping.signal);
    } catch (error) {
      return this.#noteFailure(claim, error);
    }
    this.#deliveredCount += 1;
    await storeArrival();
  }

  async #noteFailure(claim: Claim, error: unknown): Promise<void> {
    const { queue, clock, random } = this.#options;
    if (this.#stopping.signal.aborted) return queue.noteInterruption(claim);
    this.#failedCount += 1;
    const failure = error instanceof DeliveryFailure ? error : new DeliveryFailure(sentenceOf(error), { cause: error });
    if (failure !== error) this.#logError(error);
    const nextMs = nextAttempt({ ...queue.attemptsOf(claim), failure, nowMs: clock.nowMs() }, random);
    await queue.noteFailure(claim, failure, nextMs === undefined ? undefined : new Date(nextMs).toISOString());
  }

  #logError(error: unknown): void {
    this.#options.log.error({ err: error }, 'an item of the outbox could not be delivered');
  }
}

function sentenceOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
