// SPDX-License-Identifier: Apache-2.0
/** Forgets what has had its time: refresh tokens that ended; metric points, checks, scores and the audit trail after the published 360 days; deliveries. */
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { Metadata } from '@sextant/observability-metadata';

export type HousekeepingOptions = {
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const METRICS_KEPT_MS = 360 * DAY_MS;
const DELIVERIES_KEPT_MS = 30 * DAY_MS;

export function housekeeping({ metadata, clock, log }: HousekeepingOptions): Periodic {
  const turn = async () => {
    const before = (keptMs: number) => new Date(clock.nowMs() - keptMs).toISOString();
    for (const { id } of await metadata.platform.tenants.list()) {
      const tenant = metadata.forTenant(id);
      await tenant.refreshTokens.deleteExpired();
      await tenant.metricPoints.deleteBefore(before(METRICS_KEPT_MS));
      await tenant.checks.deleteBefore(before(METRICS_KEPT_MS));
      await tenant.dqScores.deleteBefore(before(METRICS_KEPT_MS));
      await tenant.audit.deleteBefore(before(METRICS_KEPT_MS));
      await tenant.deliveries.deleteEndedBefore(before(DELIVERIES_KEPT_MS));
    }
    return false;
  };
  return periodic({ turn, pauseMs: PAUSE_MS, clock, onError: (error) => log.error({ err: error }, 'old rows could not be removed') });
}
