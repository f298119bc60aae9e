// SPDX-License-Identifier: Apache-2.0
/**
 * Starts the scans of schedules that are due. The next run stands in the store, and whoever moves it on starts the scan, in one
 * transaction: so a run starts once, however many processes look and whenever they are killed. Runs that were missed while nobody looked become one.
 */
import type { Schedule } from '@sextant/contracts-observability';
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type DueSchedule, type Metadata, MetadataConflict, MetadataMissing, type TenantMetadata } from '@sextant/observability-metadata';
import { nextRun } from './cron.ts';
import type { ScanRequestOptions } from './scan-options.ts';

export type SchedulerOptions = {
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void; readonly info: (details: object, message: string) => void };
  /** Whether it is this process that looks. */
  readonly leads: () => boolean;
  /** Called when there is a new job. */
  readonly onEnqueued: () => void;
};

const PAUSE_MS = 2000;
const BATCH = 100;

/** A turn starts what is due now. */
export function scheduler(options: SchedulerOptions): Periodic {
  const { metadata, clock, log, leads } = options;
  const turn = async () => {
    if (!leads()) return false;
    const due = await metadata.platform.due.schedules(BATCH);
    for (const schedule of due) await startRun(options, schedule);
    return due.length === BATCH;
  };
  const onError = (error: unknown) => log.error({ err: error }, 'the scheduler could not look for schedules');
  return periodic({ turn, pauseMs: PAUSE_MS, clock, onError });
}

async function startRun(
  { metadata, clock, log, onEnqueued }: SchedulerOptions,
  { tenant_id, asset_id, schedule, next_run_at }: DueSchedule,
): Promise<void> {
  const tenant = metadata.forTenant(tenant_id);
  const to = nextRun(schedule.schedule, clock.nowMs());
  const advance = (own: TenantMetadata) => own.schedules.advance(asset_id, { from: next_run_at, to });
  try {
    const job = await tenant.atomically(async (own) =>
      (await advance(own)) ? own.jobs.enqueue({ asset_id, request: scheduledRequest(schedule), whenBusy: 'refuse' }) : undefined,
    );
    if (job === undefined) return;
    log.info({ tenant: tenant_id, asset: asset_id, job: job.id }, 'a schedule started a scan');
    onEnqueued();
  } catch (error) {
    // The last scan still runs, or the asset is gone: this run is left out.
    if (!(error instanceof MetadataConflict || error instanceof MetadataMissing)) throw error;
    await advance(tenant);
    log.info({ tenant: tenant_id, asset: asset_id, reason: error.message }, 'a scheduled scan is skipped');
  }
}

function scheduledRequest({ delta_only, sample_fraction, skip_investigator, timestamp_attribute }: Schedule): ScanRequestOptions {
  return {
    trigger: 'schedule',
    delta_only: `${delta_only}`,
    skip_investigator: `${skip_investigator}`,
    ...(sample_fraction === null ? {} : { sample_fraction }),
    ...(timestamp_attribute === null ? {} : { timestamp_attribute }),
  };
}
