/** Forgets what has had its time: refresh tokens that ended, and metric points older than the published 360 days. */
import type { Clock } from '@sextant/foundation-std';
import type { Metadata } from '@sextant/observability-metadata';
import { Loop } from './loop.ts';

export type HousekeepingOptions = {
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 3_600_000;
const METRICS_KEPT_MS = 360 * 24 * 3_600_000;

export class Housekeeping {
  readonly #options: HousekeepingOptions;
  readonly #loop: Loop;

  constructor(options: HousekeepingOptions) {
    this.#options = options;
    const onError = (error: unknown) => options.log.error({ err: error }, 'old rows could not be removed');
    this.#loop = new Loop({ turn: () => this.turn(), pauseMs: PAUSE_MS, onError });
  }

  start(): void {
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }

  async turn(): Promise<boolean> {
    const { metadata, clock } = this.#options;
    const oldest = new Date(clock.nowMs() - METRICS_KEPT_MS).toISOString();
    for (const { id } of await metadata.platform.tenants.list()) {
      const tenant = metadata.forTenant(id);
      await tenant.refreshTokens.deleteExpired();
      await tenant.metricPoints.deleteBefore(oldest);
    }
    return false;
  }
}
