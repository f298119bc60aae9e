/**
 * Delivers webhooks. They wait in the store from the transaction that caused them on; each is tried until the receiver answers 2xx, with
 * growing pauses, and given up after a day. So a webhook arrives at least once, and a receiver may see it twice.
 */
import { type OutboundGuard, OutboundRefusedError, OutboundRequestError, sendOutbound } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { Metadata } from '@sextant/observability-metadata';
import { Loop } from './loop.ts';

export type WebhookOutboxOptions = {
  readonly metadata: Metadata;
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
};

type Delivery = Awaited<ReturnType<Metadata['platform']['due']['claimDeliveries']>>[number];

const PAUSE_MS = 1000;
const BATCH = 16;
const TIMEOUT_MS = 10_000;
/** Longer than a delivery can take. */
const LEASE_MS = 60_000;
const REPLY_BYTES_MAX = 65_536;
/** 5 s, 10 s, 20 s … at most an hour: 30 attempts take about a day. */
const FIRST_PAUSE_MS = 5000;
const PAUSE_MS_MAX = 3_600_000;
const ATTEMPTS_MAX = 30;

export class WebhookOutbox {
  readonly #options: WebhookOutboxOptions;
  readonly #loop: Loop;
  readonly #stopping = new AbortController();

  constructor(options: WebhookOutboxOptions) {
    this.#options = options;
    const onError = (error: unknown) => options.log.error({ err: error }, 'webhooks could not be delivered');
    this.#loop = new Loop({ turn: () => this.turn(), pauseMs: PAUSE_MS, onError });
  }

  start(): void {
    this.#loop.wake();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#loop.stop();
  }

  /** Delivers what is due now; true when there may be more. */
  async turn(): Promise<boolean> {
    const due = await this.#options.metadata.platform.due.claimDeliveries({ limit: BATCH, leaseMs: LEASE_MS });
    await Promise.all(due.map((delivery) => this.#deliver(delivery)));
    return due.length === BATCH;
  }

  async #deliver(delivery: Delivery): Promise<void> {
    const { metadata, clock } = this.#options;
    const tenant = metadata.forTenant(delivery.tenant_id);
    const problem = await this.#send(delivery);
    if (problem === undefined) return tenant.webhookDeliveries.delivered(delivery.id);
    if (delivery.attempts < ATTEMPTS_MAX) {
      const pauseMs = Math.min(PAUSE_MS_MAX, FIRST_PAUSE_MS * 2 ** (delivery.attempts - 1));
      const next = new Date(clock.nowMs() + pauseMs).toISOString();
      return tenant.webhookDeliveries.retry(delivery.id, { next_attempt_at: next, error: problem });
    }
    await tenant.webhookDeliveries.giveUp(delivery.id);
    const message = `The webhook ${delivery.url} was given up after ${delivery.attempts} attempts: ${problem}`;
    await tenant.backgroundErrors.append({ error_class: 'WEBHOOK', message, exception_type: 'WebhookDeliveryError', stack_trace: '' });
  }

  /** What went wrong, if anything. */
  async #send({ url, body, id }: Delivery): Promise<string | undefined> {
    try {
      const { status } = await sendOutbound(this.#options.guard, {
        url,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-delivery-id': id },
        body: JSON.stringify(body),
        signal: this.#stopping.signal,
        timeoutMs: TIMEOUT_MS,
        replyBytesMax: REPLY_BYTES_MAX,
      });
      return status >= 200 && status < 300 ? undefined : `the receiver answered ${status}`;
    } catch (error) {
      if (error instanceof OutboundRefusedError || error instanceof OutboundRequestError) return error.message;
      return error instanceof Error ? error.message : String(error);
    }
  }
}
