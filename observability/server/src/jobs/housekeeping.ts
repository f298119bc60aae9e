// SPDX-License-Identifier: Apache-2.0
/** Forgets what has had its time: refresh tokens that ended; points, scores, jobs with what they found, and closed incidents with their alerts; deliveries; the audit trail; files of uploads that never ended. */
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { UploadArea } from '@sextant/observability-connectors';
import type { Metadata, TenantMetadata } from '@sextant/observability-metadata';
import { removeStrayUploads } from './stray-uploads.ts';

export type HousekeepingOptions = {
  readonly metadata: Metadata;
  readonly uploads: UploadArea;
  /** Of scans and of closed incidents. */
  readonly retentionDays: number;
  readonly clock: Clock;
  /** Whether it is this process that removes. */
  readonly leads: () => boolean;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 3_600_000;
const DAY_MS = 24 * 3_600_000;
const AUDIT_KEPT_MS = 360 * DAY_MS;
const DELIVERIES_KEPT_MS = 30 * DAY_MS;
/** A file that gets nothing for so long belongs to no upload that is under way. */
const UPLOAD_SILENT_MS = 3_600_000;

export function housekeeping({ metadata, uploads, retentionDays, clock, leads, log }: HousekeepingOptions): Periodic {
  const turn = async () => {
    if (!leads()) return false;
    const before = (keptMs: number) => new Date(clock.nowMs() - keptMs).toISOString();
    for (const { id } of await metadata.platform.tenants.list()) {
      const tenant = metadata.forTenant(id);
      await tenant.refreshTokens.deleteExpired();
      await forgetScans(tenant, before(retentionDays * DAY_MS));
      await tenant.audit.deleteBefore(before(AUDIT_KEPT_MS));
      await tenant.deliveries.deleteEndedBefore(before(DELIVERIES_KEPT_MS));
    }
    await metadata.platform.spentTimes.deletePast();
    await removeStrayUploads(metadata, uploads, { changedBeforeMs: clock.nowMs() - UPLOAD_SILENT_MS });
    return false;
  };
  return periodic({ turn, pauseMs: PAUSE_MS, clock, onError: (error) => log.error({ err: error }, 'old rows could not be removed') });
}

/** A job stays as long as an alert names it. Points and scores go with their jobs, for a seventh of what it takes to look for them by time; those of jobs that stay are left. */
async function forgetScans(tenant: TenantMetadata, time: string): Promise<void> {
  await tenant.incidents.deleteClosedBefore(time);
  await tenant.alerts.deleteStraysBefore(time);
  await tenant.jobs.deleteEndedBefore(time);
  await tenant.metricPoints.deleteBefore(time);
  await tenant.dqScores.deleteBefore(time);
}
