/** The work of a scan job: measure, ask the monitors, and store all of it with the end of the job. */
import type { Clock } from '@sextant/foundation-std';
import type { ClaimedJob, Metadata, TenantMetadata } from '@sextant/observability-metadata';
import type { Evaluation } from '@sextant/observability-monitors';
import type { JobWork, RunJob } from '../jobs/job-runner.ts';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { recordScan } from '../scores/record-scan.ts';
import { concludeFailure, concludeScan, leaseOf } from './conclusion.ts';
import { loadEvaluationInput } from './evaluation-input.ts';
import type { Evaluate } from './evaluation-threads.ts';

export type JudgedScansOptions = {
  readonly metadata: Metadata;
  readonly scan: RunJob<ScanOutcome>;
  readonly evaluate: Evaluate;
  readonly clock: Clock;
  readonly log: { readonly error: (details: object, message: string) => void };
};

type Judgement = { readonly kind: 'judged'; readonly evaluation: Evaluation } | { readonly kind: 'failed'; readonly error: unknown };

type Unjudged = { readonly result: ScanOutcome; readonly error: unknown; readonly isScored: boolean };

/** Class of the background errors that say why a scan was not judged. */
const ERROR_CLASS = 'MONITORS';

export function judgedScans({ metadata, scan, evaluate, clock, log }: JudgedScansOptions): JobWork {
  /** A judgement that fails costs the judgement: what was measured is stored without it. */
  const storeUnjudged = async (tenant: TenantMetadata, claimed: ClaimedJob, { result, error, isScored }: Unjudged) => {
    log.error({ tenant: tenant.tenantId, job: claimed.job.id, err: error }, 'a scan could not be judged');
    await tenant.atomically(async (own) => {
      const details = `${result.details} The monitors could not be asked: the background errors say why.`;
      const job = await own.jobs.finish(leaseOf(claimed), { ...result, details });
      if (isScored) await recordScan(own, { asset: await own.assets.get(job.asset_id), job, result });
      await own.backgroundErrors.append(backgroundError(claimed, error));
    });
  };

  return {
    run: async (claimed, options) => {
      const tenant = metadata.forTenant(claimed.tenant_id);
      const result = await scan(claimed, options);
      const judgement = await judge(tenant, { claimed, result, evaluate, signal: options.signal });
      return async () => {
        if (judgement.kind === 'failed') return storeUnjudged(tenant, claimed, { result, error: judgement.error, isScored: true });
        const { points, verdicts } = judgement.evaluation;
        try {
          await concludeScan({ tenant, claimed, clock }, { result: { ...result, metrics: points }, verdicts });
        } catch (error) {
          // Where the lease is lost, or the store is out of reach, this fails too. Elsewhere the score may be what failed.
          await storeUnjudged(tenant, claimed, { result, error, isScored: false });
        }
      };
    },
    fail: async (claimed, { details, isCancelled }) => {
      const tenant = metadata.forTenant(claimed.tenant_id);
      if (isCancelled) return void (await tenant.jobs.fail(leaseOf(claimed), details));
      try {
        await concludeFailure({ tenant, claimed, clock }, details);
      } catch (error) {
        log.error({ tenant: tenant.tenantId, job: claimed.job.id, err: error }, 'a failed scan could not be judged');
        await tenant.atomically(async (own) => {
          await own.jobs.fail(leaseOf(claimed), details);
          await own.backgroundErrors.append(backgroundError(claimed, error));
        });
      }
    },
  };
}

type JudgeOptions = {
  readonly claimed: ClaimedJob;
  readonly result: ScanOutcome;
  readonly evaluate: Evaluate;
  readonly signal: AbortSignal;
};

async function judge(tenant: TenantMetadata, { claimed, result, evaluate, signal }: JudgeOptions): Promise<Judgement> {
  try {
    const input = await loadEvaluationInput(tenant, claimed.job.asset_id, result);
    return { kind: 'judged', evaluation: await evaluate(input, signal) };
  } catch (error) {
    // A job that was stopped or cancelled meanwhile ends as such.
    signal.throwIfAborted();
    return { kind: 'failed', error };
  }
}

function backgroundError({ job }: ClaimedJob, error: unknown) {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  return {
    error_class: ERROR_CLASS,
    message: `The monitors of asset ${job.asset_id} could not be asked about job ${job.id}: ${message}`,
    exception_type: name,
    // It names files of the operator's machine: the log has it.
    stack_trace: '',
  };
}
