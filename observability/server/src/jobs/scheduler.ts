// SPDX-License-Identifier: Apache-2.0
/**
 * Starts the scans of schedules that are due. The next run stands in the store, and whoever moves it on starts the scan: so a run starts once,
 * however many processes look and however often they restart. Runs that were missed while nobody looked become one.
 */
import type { Schedule } from '@sextant/contracts-observability';
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { type DueSchedule, type Metadata, MetadataConflict, MetadataMissing } from '@sextant/observability-metadata';
import { nextRun } from './cron.ts';
import type { ScanRequestOptions } from './scan-options.ts';

export type SchedulerOptions = {
  readonly metadata: Metadata;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void; readonly info: (details: object, message: string) => void };
  /** Called when there is a new job. */
  readonly onEnqueued: () => void;
};

const PAUSE_MS = 2000;
const BATCH = 100;

/** A turn starts what is due now. */
export function scheduler(options: SchedulerOptions): Periodic {
  const { metadata, clock, log } = options;
  const turn = async () => {
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
  if (!(await tenant.schedules.advance(asset_id, { from: next_run_at, to }))) return;
  try {
    const job = await tenant.jobs.enqueue({ asset_id, request: scheduledRequest(schedule), whenBusy: 'refuse' });
    log.info({ tenant: tenant_id, asset: asset_id, job: job.id }, 'a schedule started a scan');
    onEnqueued();
  } catch (error) {
    // The last scan still runs, or the asset is gone: this run is left out.
    if (!(error instanceof MetadataConflict || error instanceof MetadataMissing)) throw error;
    log.info({ tenant: tenant_id, asset: asset_id, reason: error.message }, 'a scheduled scan is left out');
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
