import type { Job, JobProgress, MetricPoint, RowSample, SchemaChange } from '@sextant/contracts-observability';

/** What a job was asked for; JSON. */
export type JobRequest = { readonly [field: string]: unknown };

export type NewJob = {
  readonly asset_id: string;
  readonly request: JobRequest;
  /** What to do while another job of the asset waits or runs: refuse, or wait for it as BATCH_WAIT. */
  readonly whenBusy: 'refuse' | 'wait';
};

/** Names a claimed job and proves that it is still this worker's. */
export type JobLease = { readonly job_id: string; readonly lease: string };

/** What a scan leaves behind; stored with the end of its job in one transaction. */
export type JobResult = {
  readonly details: string;
  readonly metric_time: string;
  readonly metrics: readonly MetricPoint[];
  readonly schema_changes: readonly SchemaChange[];
  readonly samples: readonly RowSample[];
  /** JSON for the asset's next scan. */
  readonly memory: unknown;
};

/**
 * Jobs of one tenant. Each change of state puts the asset's webhook into the outbox in the same transaction.
 * What is done with a lease that has been lost throws MetadataConflict.
 */
export type JobStore = {
  /** @throws MetadataMissing for an unknown asset; MetadataConflict when the asset is busy and that is refused */
  readonly enqueue: (job: NewJob) => Promise<Job>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<Job>;
  /** Newest first. @throws MetadataMissing for an unknown asset */
  readonly listOfAsset: (assetId: string, options?: { readonly most_recent?: boolean; readonly limit?: number }) => Promise<readonly Job[]>;
  /** Newest first. */
  readonly list: (limit?: number) => Promise<readonly Job[]>;
  /** A waiting job ends at once, a running one when its worker next says that it lives. @throws MetadataMissing; MetadataConflict when it has ended */
  readonly requestCancel: (id: string, by: string) => Promise<Job>;
  /** Says that the worker lives and how far it is. */
  readonly heartbeat: (
    lease: JobLease,
    beat: { readonly leaseMs: number; readonly progress?: JobProgress },
  ) => Promise<{ readonly cancelRequested: boolean }>;
  readonly finish: (lease: JobLease, result: JobResult) => Promise<Job>;
  readonly fail: (lease: JobLease, details: string) => Promise<Job>;
};
