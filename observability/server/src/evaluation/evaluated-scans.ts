// SPDX-License-Identifier: Apache-2.0
/** The work of a scan job: measure, evaluate the monitors, and store all of it with the end of the job. */
import type { CheckCounts } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { ClaimedJob, Metadata, TenantMetadata } from '@sextant/observability-metadata';
import type { JobWork, RunJob } from '../jobs/job-runner.ts';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { concludeFailure, concludeScan, concludeUnevaluated, leaseOf } from './conclusion.ts';
import { type EvaluatedInput, loadEvaluationInput } from './evaluation-input.ts';
import type { Evaluate } from './evaluation-threads.ts';

export type EvaluatedScansOptions = {
  readonly metadata: Metadata;
  readonly scan: RunJob<ScanOutcome>;
  readonly evaluate: Evaluate;
  readonly clock: Clock;
  /** Hears what the monitors of each scan came to, once it is stored. */
  readonly onChecked?: (counts: CheckCounts) => void;
  readonly log: { readonly error: (details: object, message: string) => void };
};

type Evaluated = { readonly kind: 'evaluated'; readonly evaluation: EvaluatedInput } | { readonly kind: 'failed'; readonly error: unknown };

type Unevaluated = { readonly result: ScanOutcome; readonly error: unknown };

/** Class of the background errors that say why a scan was not evaluated. */
const ERROR_CLASS = 'MONITORS';

export function evaluatedScans({ metadata, scan, evaluate, clock, onChecked = () => undefined, log }: EvaluatedScansOptions): JobWork {
  /** If the evaluation fails, what was measured is stored without it, and as much of what follows from that as can be. */
  const storeUnevaluated = async (tenant: TenantMetadata, claimed: ClaimedJob, { result, error }: Unevaluated) => {
    log.error({ tenant: tenant.tenantId, job: claimed.job.id, err: error }, 'a scan could not be evaluated');
    const store = (isAlone: boolean) =>
      tenant.atomically(async (own) => {
        await own.backgroundErrors.append(backgroundError(claimed, error));
        return concludeUnevaluated({ tenant: own, claimed, clock }, { result, isAlone });
      });
    // The incident or the score may be what cannot be stored. Where the lease is lost, or the store is out of reach, both ways fail.
    const { checks } = await store(false).catch(() => store(true));
    if (checks !== null) onChecked(checks);
  };

  return {
    run: async (claimed, options) => {
      const tenant = metadata.forTenant(claimed.tenant_id);
      const result = await scan(claimed, options);
      const evaluated = await tryEvaluation(tenant, { claimed, result, evaluate, signal: options.signal });
      return async () => {
        if (evaluated.kind === 'failed') return storeUnevaluated(tenant, claimed, { result, error: evaluated.error });
        const { points, verdicts, detectorStates } = evaluated.evaluation;
        const measured = { ...result, metrics: points };
        try {
          const { checks } = await concludeScan({ tenant, claimed, clock }, { result: measured, verdicts, detectorStates });
          if (checks !== null) onChecked(checks);
        } catch (error) {
          await storeUnevaluated(tenant, claimed, { result, error });
        }
      };
    },
    fail: async (claimed, { details, isCancelled }) => {
      const tenant = metadata.forTenant(claimed.tenant_id);
      if (isCancelled) return void (await tenant.jobs.fail(leaseOf(claimed), details));
      try {
        await concludeFailure({ tenant, claimed, clock }, details);
      } catch (error) {
        log.error({ tenant: tenant.tenantId, job: claimed.job.id, err: error }, 'a failed scan could not be evaluated');
        await tenant.atomically(async (own) => {
          await own.jobs.fail(leaseOf(claimed), details);
          await own.backgroundErrors.append(backgroundError(claimed, error));
        });
      }
    },
  };
}

type EvaluationOptions = {
  readonly claimed: ClaimedJob;
  readonly result: ScanOutcome;
  readonly evaluate: Evaluate;
  readonly signal: AbortSignal;
};

async function tryEvaluation(tenant: TenantMetadata, { claimed, result, evaluate, signal }: EvaluationOptions): Promise<Evaluated> {
  try {
    const input = await loadEvaluationInput(tenant, claimed.job.asset_id, result);
    return { kind: 'evaluated', evaluation: await evaluate(input, signal) };
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
    message: `The monitors of asset ${job.asset_id} could not be evaluated for job ${job.id}: ${message}`,
    exception_type: name,
    // It names files of the operator's machine: the log has it.
    stack_trace: '',
  };
}
