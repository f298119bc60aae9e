import type { Job } from '@sextant/contracts-observability';
import type { JobRequest } from '../tenant/jobs.ts';

/** A job that one worker holds until its lease ends; the token proves it. */
export type ClaimedJob = {
  readonly tenant_id: string;
  readonly job: Job;
  readonly request: JobRequest;
  /** From 1; above 1 an earlier worker died with the job. */
  readonly attempt: number;
  readonly lease: string;
};

/** The queue of all tenants' jobs, oldest first. */
export type JobQueue = {
  /**
   * Takes the oldest job that may run: one that waits and whose asset no other job runs on, or one whose worker let its lease end.
   * A job that lost its worker for the third time fails instead.
   */
  readonly claimNext: (options: { readonly worker: string; readonly leaseMs: number }) => Promise<ClaimedJob | undefined>;
  /** Ends the leases of a worker, or of all, at once: for a start after a crash. */
  readonly releaseLeases: (worker?: string) => Promise<number>;
};
