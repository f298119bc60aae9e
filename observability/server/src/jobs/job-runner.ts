// SPDX-License-Identifier: Apache-2.0
/**
 * Takes jobs from the queue and runs them, a few at a time. A job is held by a lease that its worker renews; a worker that dies lets it
 * end, and the job starts again elsewhere. What follows from a scan is stored together with the end of its job, so that no job is half done.
 */
import { type Periodic, periodic } from '@sextant/foundation-service';
import { type Clock, type SpanFacts, traced } from '@sextant/foundation-std';
import {
  type ClaimedJob,
  type JobClaim,
  type JobLease,
  type Metadata,
  MetadataConflict,
  MetadataMissing,
  type RunningProgress,
} from '@sextant/observability-metadata';
import type { ScanRequestOptions } from './scan-options.ts';

/** Runs one claimed job; rejects with a sentence for the user, or because of the signal. */
export type RunJob<Result> = (
  job: ClaimedJob,
  options: { readonly signal: AbortSignal; readonly onProgress: (progress: RunningProgress) => void },
) => Promise<Result>;

/** What is done with a job. Both ways to end it throw MetadataConflict when its lease is lost. */
export type JobWork = {
  /** Resolves with what stores the outcome and the end of the job in one transaction; the job can no longer be cancelled then. */
  readonly run: RunJob<() => Promise<void>>;
  readonly fail: (job: ClaimedJob, failure: { readonly details: string; readonly isCancelled: boolean }) => Promise<void>;
};

/** Jobs that share places of their own. */
export type Lane = {
  readonly assetTypes: NonNullable<JobClaim['assetTypes']>;
  readonly concurrency: number;
  /** Places that one tenant may take while there are others. */
  readonly perTenant: number;
};

export type JobRunnerOptions = {
  readonly metadata: Metadata;
  readonly work: JobWork;
  /** The sentence for a person about a failure. */
  readonly sentenceOf: (error: unknown) => string;
  readonly lanes: readonly Lane[];
  /** Whether a job may begin now; those that may not wait in the queue. */
  readonly mayBegin: () => boolean;
  /** Names this process; no other may have the name. */
  readonly worker: string;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void; readonly info: (details: object, message: string) => void };
};

const PAUSE_MS = 1000;
const LEASE_MS = 30_000;
/** Deaths of a worker that a job survives: a job that brings workers down would do so for ever. */
const ATTEMPTS_MAX = 3;
/** How often progress is reported and cancellation noticed. */
const HEARTBEAT_MS = 500;

class JobCancelledError extends Error {
  override readonly name = 'JobCancelledError';
}

class RunnerStoppingError extends Error {
  override readonly name = 'RunnerStoppingError';
}

class LeaseLostError extends Error {
  override readonly name = 'LeaseLostError';
}

type RunningJob = {
  readonly id: string;
  readonly tenant_id: string;
  readonly lane: Lane;
  readonly controller: AbortController;
  readonly ended: Promise<void>;
};

export class JobRunner {
  readonly #options: JobRunnerOptions;
  readonly #loop: Periodic;
  readonly #running = new Map<string, RunningJob>();
  #isStopping = false;

  constructor(options: JobRunnerOptions) {
    this.#options = options;
    const onError = (error: unknown) => options.log.error({ err: error }, 'the next job could not be taken');
    this.#loop = periodic({ turn: () => this.#takeNext(), pauseMs: PAUSE_MS, clock: options.clock, onError });
  }

  get runningCount(): number {
    return this.#running.size;
  }

  /** Starts, or looks for a job at once. */
  wake(): void {
    this.#loop.wake();
  }

  /** Ends running jobs and hands them back to the queue: the next start takes them up. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#loop.stop();
    const ends = [...this.#running.values()].map(({ controller, ended }) => {
      controller.abort(new RunnerStoppingError('the service is stopping'));
      return ended;
    });
    await Promise.all(ends);
    await this.#options.metadata.platform.jobs.releaseLeases(this.#options.worker);
  }

  async #takeNext(): Promise<boolean> {
    if (!this.#options.mayBegin()) return false;
    for (const lane of this.#options.lanes) if (await this.#takeFrom(lane)) return true;
    return false;
  }

  async #takeFrom(lane: Lane): Promise<boolean> {
    const { metadata, worker } = this.#options;
    const running = this.#runningIn(lane);
    if (running.length >= lane.concurrency) return false;
    const claimed = await metadata.platform.jobs.claimNext({
      worker,
      leaseMs: LEASE_MS,
      running,
      assetTypes: lane.assetTypes,
      fullTenants: await this.#fullTenants(lane),
    });
    if (claimed === undefined) return false;
    const controller = new AbortController();
    const ended = this.#run(claimed, controller).finally(() => {
      this.#running.delete(claimed.job.id);
      this.#loop.wake();
    });
    this.#running.set(claimed.job.id, { id: claimed.job.id, tenant_id: claimed.tenant_id, lane, controller, ended });
    return true;
  }

  #runningIn(lane: Lane): readonly RunningJob[] {
    return [...this.#running.values()].filter((job) => job.lane === lane);
  }

  /** Those at their bound, which leaves room for the others. */
  async #fullTenants(lane: Lane): Promise<readonly string[]> {
    const byTenant = Map.groupBy(this.#runningIn(lane), ({ tenant_id }) => tenant_id);
    const full = [...byTenant].filter(([, jobs]) => jobs.length >= lane.perTenant).map(([tenantId]) => tenantId);
    if (full.length === 0) return full;
    const tenants = await this.#options.metadata.platform.tenants.list();
    return tenants.length > 1 ? full : [];
  }

  async #run(claimed: ClaimedJob, controller: AbortController): Promise<void> {
    const { work, sentenceOf, clock, log } = this.#options;
    const lease: JobLease = { job_id: claimed.job.id, lease: claimed.lease };
    const about = { tenant: claimed.tenant_id, asset: claimed.job.asset_id, job: claimed.job.id };
    if (claimed.attempt > ATTEMPTS_MAX) {
      const details = `The worker of the job stopped ${ATTEMPTS_MAX} times before the job ended.`;
      return this.#fail(claimed, { details, isCancelled: false });
    }
    const heart = new Heart((progress) => this.#beat(claimed, lease, progress, controller), clock);
    log.info({ ...about, attempt: claimed.attempt }, 'a scan starts');
    try {
      const onProgress = (progress: RunningProgress) => {
        heart.progress = progress;
      };
      await traced(spanOf(claimed), async () => {
        const store = await work.run(claimed, { signal: controller.signal, onProgress });
        await heart.stop();
        await store();
      });
      log.info(about, 'a scan finished');
    } catch (error) {
      await heart.stop();
      const reason: unknown = controller.signal.aborted ? controller.signal.reason : error;
      if (reason instanceof RunnerStoppingError || reason instanceof LeaseLostError || this.#isStopping) return;
      const isCancelled = reason instanceof JobCancelledError;
      if (!isCancelled) log.error({ ...about, err: reason }, 'a scan failed');
      await this.#fail(claimed, { details: isCancelled ? 'The scan was cancelled.' : sentenceOf(reason), isCancelled });
    }
  }

  async #fail(claimed: ClaimedJob, failure: Parameters<JobWork['fail']>[1]): Promise<void> {
    const { work, log } = this.#options;
    try {
      await work.fail(claimed, failure);
    } catch (error) {
      // The lease is lost, or the asset is gone with its jobs: the job has ended for somebody else.
      log.error({ err: error, job: claimed.job.id }, 'the failure of a scan could not be stored');
    }
  }

  async #beat(
    { tenant_id }: ClaimedJob,
    lease: JobLease,
    progress: RunningProgress | undefined,
    controller: AbortController,
  ): Promise<void> {
    const { metadata, log } = this.#options;
    try {
      const { cancelRequested } = await metadata.forTenant(tenant_id).jobs.heartbeat(lease, {
        leaseMs: LEASE_MS,
        ...(progress === undefined ? {} : { progress }),
      });
      if (cancelRequested) controller.abort(new JobCancelledError('cancelled'));
    } catch (error) {
      if (error instanceof MetadataConflict || error instanceof MetadataMissing) controller.abort(new LeaseLostError('the lease is lost'));
      else log.error({ err: error, job: lease.job_id }, 'the lease of a running scan could not be renewed');
    }
  }
}

function spanOf({ tenant_id, job, attempt, request }: ClaimedJob): SpanFacts {
  const attributes = { 'sextant.tenant': tenant_id, 'sextant.asset': job.asset_id, 'sextant.job': job.id, 'sextant.attempt': attempt };
  // What was stored with the job.
  return { name: 'scan', kind: 'consumer', attributes, parent: (request as ScanRequestOptions).trace };
}

/** Beats until it is stopped, one beat at a time. */
class Heart {
  progress: RunningProgress | undefined;
  readonly #loop: Periodic;

  constructor(beat: (progress: RunningProgress | undefined) => Promise<void>, clock: Clock) {
    const turn = async () => {
      await beat(this.progress);
      return false;
    };
    // `beat` handles its own errors.
    this.#loop = periodic({ turn, pauseMs: HEARTBEAT_MS, clock, onError: () => undefined });
    this.#loop.wake();
  }

  stop(): Promise<void> {
    return this.#loop.stop();
  }
}
