// SPDX-License-Identifier: Apache-2.0
/** The end of a job and all that follows from it: its alerts, the steps of incidents and their messages, whole or not at all. */
import type { Asset, Check, Job } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { ClaimedJob, DetectorState, JobLease, NewCheck, TenantMetadata } from '@sextant/observability-metadata';
import { alertsOf, type IncidentCause, type RaisedAlert, REOPEN_WINDOW_MS, type Verdict } from '@sextant/observability-monitors';
import { announceAll } from '../delivery/announce.ts';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { recordScan } from '../scores/record-scan.ts';
import { writePolicySteps } from './incident-steps.ts';
import { type ToldEvent, tellStories } from './incident-stories.ts';
import { type FinalVerdict, PROCESS_FAILURE, processVerdicts } from './process-failure.ts';

export type Conclusion = { readonly tenant: TenantMetadata; readonly claimed: ClaimedJob; readonly clock: Clock };

/** What one policy says of the scan, with the alerts that it raised. */
type Finding = FinalVerdict & { readonly alerts: readonly RaisedAlert[] };

/** Why no monitor of a scan could be evaluated. */
const UNEVALUATED = 'The monitors could not be evaluated; see the background errors.';

type ConcludedScan = {
  readonly result: ScanOutcome;
  readonly verdicts: readonly Verdict[];
  readonly detectorStates: readonly DetectorState[];
};

/** Ends a job that measured; no verdicts where the monitors could not be evaluated. */
export async function concludeScan(
  { tenant, claimed, clock }: Conclusion,
  { result, verdicts, detectorStates }: ConcludedScan,
): Promise<Job> {
  return tenant.atomically(async (own) => {
    const scan = await scanOf(own, claimed.job, { metricTime: result.metric_time, clock });
    const findings = await findingsOf(own, scan, { verdicts, error: processError(result) });
    const checks = findings.map(checkOf);
    const job = await own.jobs.finish(leaseOf(claimed), { ...result, checks, details: `${result.details} ${alertSentence(findings)}` });
    if (detectorStates.length > 0) await own.detectorStates.put(scan.asset.id, detectorStates);
    await store(own, scan, findings);
    await recordScan(own, { asset: scan.asset, job, result, checks });
    return job;
  });
}

/**
 * Ends a job that measured and could not be evaluated: every monitor is errored, and that is an alert of the policy that scans end well. `isAlone`
 * leaves out what may be the reason why more could not be stored.
 */
export async function concludeUnevaluated(
  { tenant, claimed, clock }: Conclusion,
  { result, isAlone }: { readonly result: ScanOutcome; readonly isAlone: boolean },
): Promise<Job> {
  return tenant.atomically(async (own) => {
    const scan = await scanOf(own, claimed.job, { metricTime: result.metric_time, clock });
    const findings = await findingsOf(own, scan, { verdicts: [], failure: UNEVALUATED });
    const monitors = (await own.monitors.list(scan.asset.id)).filter((monitor) => monitor.enabled);
    const checks = monitors.map(
      ({ id, name }): NewCheck => ({ monitor_id: id, monitor_name: name, state: 'errored', reason: UNEVALUATED }),
    );
    const details = `${result.details} ${UNEVALUATED}`;
    const job = await own.jobs.finish(leaseOf(claimed), { ...result, checks, details });
    if (isAlone) return job;
    await store(own, scan, findings);
    await recordScan(own, { asset: scan.asset, job, result, checks });
    return job;
  });
}

/** Ends a job that failed, which is a violation of its own. */
export async function concludeFailure({ tenant, claimed, clock }: Conclusion, details: string): Promise<void> {
  await tenant.atomically(async (own) => {
    const scan = await scanOf(own, claimed.job, { metricTime: new Date(clock.nowMs()).toISOString(), clock });
    const findings = await findingsOf(own, scan, { verdicts: [], failure: `The scan failed: ${details}` });
    await own.jobs.fail(leaseOf(claimed), details);
    await store(own, scan, findings);
  });
}

export function leaseOf({ job, lease }: ClaimedJob): JobLease {
  return { job_id: job.id, lease };
}

type EvaluatedScan = {
  readonly asset: Asset;
  readonly projectName: string;
  readonly job: Job;
  readonly metricTime: string;
  readonly nowMs: number;
};

async function scanOf(
  tenant: TenantMetadata,
  job: Job,
  { metricTime, clock }: { readonly metricTime: string; readonly clock: Clock },
): Promise<EvaluatedScan> {
  const asset = await tenant.assets.get(job.asset_id);
  const { name } = await tenant.projects.get(asset.project_id);
  return { asset, projectName: name, job, metricTime, nowMs: clock.nowMs() };
}

/** Of the monitors that are still there and on: somebody may have turned one off since it was evaluated. */
async function findingsOf(
  tenant: TenantMetadata,
  { asset, projectName, job, metricTime, nowMs }: EvaluatedScan,
  { verdicts, failure, error }: { readonly verdicts: readonly Verdict[]; readonly failure?: string; readonly error?: string | undefined },
): Promise<readonly Finding[]> {
  const monitors = (await tenant.monitors.list(asset.id)).filter(({ enabled }) => enabled);
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const context = { asset, projectName, job, metricTime, saveTime: new Date(nowMs).toISOString() };
  const all: readonly FinalVerdict[] = [...verdicts, ...processVerdicts(monitors, { failure, error })];
  return all.flatMap((verdict) => {
    const monitor = byId.get(verdict.monitor.id);
    return monitor === undefined ? [] : [{ ...verdict, monitor, alerts: alertsOf(monitor, verdict.violations, context) }];
  });
}

async function store(tenant: TenantMetadata, { asset, job, nowMs }: EvaluatedScan, findings: readonly Finding[]): Promise<void> {
  const alerts = findings.flatMap((finding) => finding.alerts);
  if (alerts.length > 0) await tenant.alerts.append(alerts);
  const tracked = await tenant.incidents.trackedOfAsset(asset.id, { closedSinceMs: nowMs - REOPEN_WINDOW_MS });
  const byPolicy = Map.groupBy(tracked, ({ alert_policy_id }) => alert_policy_id);
  const events: ToldEvent[] = [];
  for (const finding of findings) {
    const { monitor, alerts: raised, violations, evidence = [] } = finding;
    const omitted = violations.length - raised.length;
    const error = errorOf(finding);
    const occasion = { asset, policyId: monitor.id, monitor, cause: causeOf(finding), alerts: raised, omitted, error, evidence };
    events.push(...(await writePolicySteps(tenant, occasion, { standing: byPolicy.get(monitor.id) ?? [], nowMs })));
  }
  await announceAll(tenant, await tellStories(tenant, { asset, job, events }));
}

/** What the scan left out of what it was asked for. */
function processError({ failures }: ScanOutcome): string | undefined {
  return failures.find(({ monitor_id }) => monitor_id === PROCESS_FAILURE)?.reason;
}

function causeOf({ outcome, alerts }: Finding): IncidentCause {
  switch (outcome) {
    case 'violated':
      return 'violation';
    case 'clear':
      return 'no violation';
    case 'errored':
      return alerts.length > 0 ? 'error' : 'error reported elsewhere';
    case 'unknown':
      return 'not evaluated';
  }
}

/** Why it, or a part of it, could not be evaluated: an error that violations hide would be taken for none. */
function errorOf({ outcome, reason }: Finding): string | undefined {
  return outcome === 'errored' || outcome === 'violated' ? reason : undefined;
}

function checkOf(finding: Finding): NewCheck {
  const { monitor, outcome, awaitsHistory, reason } = finding;
  const state = errorOf(finding) === undefined ? stateOf(outcome, awaitsHistory === true) : 'errored';
  return { monitor_id: monitor.id, monitor_name: monitor.name, state, reason: reason ?? null };
}

function stateOf(outcome: Finding['outcome'], awaitsHistory: boolean): Check['state'] {
  switch (outcome) {
    case 'violated':
    case 'errored':
      return outcome;
    case 'clear':
      return 'ok';
    case 'unknown':
      return awaitsHistory ? 'not_enough_history' : 'not_applicable';
  }
}

function alertSentence(findings: readonly Finding[]): string {
  const raised = findings.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const omitted = findings.reduce((sum, { alerts, violations }) => sum + violations.length - alerts.length, 0);
  const more = omitted === 0 ? '' : ` ${omitted} more violations raised none, because a monitor raises at most 1000 alerts per scan.`;
  const errored = findings.filter((finding) => errorOf(finding) !== undefined).length;
  const unevaluated = errored === 0 ? '' : ` ${errored} ${errored === 1 ? 'monitor' : 'monitors'} could not be evaluated.`;
  return `${raised === 0 ? 'No alert was' : raised === 1 ? '1 alert was' : `${raised} alerts were`} raised.${more}${unevaluated}`;
}
