// SPDX-License-Identifier: Apache-2.0
/** Forgets what has had its time: refresh tokens that ended; metric points, checks, scores and the audit trail after the published 360 days; deliveries; files of uploads that never ended. */
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { UploadArea } from '@sextant/observability-connectors';
import type { Metadata } from '@sextant/observability-metadata';
import { removeStrayUploads } from './stray-uploads.ts';

export type HousekeepingOptions = {
  readonly metadata: Metadata;
  readonly uploads: UploadArea;
  readonly clock: Clock;
  /** Whether it is this process that removes. */
  readonly leads: () => boolean;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const METRICS_KEPT_MS = 360 * DAY_MS;
const DELIVERIES_KEPT_MS = 30 * DAY_MS;
/** A file that gets nothing for so long belongs to no upload that is under way. */
const UPLOAD_SILENT_MS = 3_600_000;

export function housekeeping({ metadata, uploads, clock, leads, log }: HousekeepingOptions): Periodic {
  const turn = async () => {
    if (!leads()) return false;
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
    await metadata.platform.spentTimes.deletePast();
    await removeStrayUploads(metadata, uploads, { changedBeforeMs: clock.nowMs() - UPLOAD_SILENT_MS });
    return false;
  };
  return periodic({ turn, pauseMs: PAUSE_MS, clock, onError: (error) => log.error({ err: error }, 'old rows could not be removed') });
}
