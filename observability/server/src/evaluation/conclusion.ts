/** The end of a job and all that follows from it: its alerts, the steps of incidents and their messages, whole or not at all. */
import type { Asset, Job } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { ClaimedJob, DetectorState, JobLease, TenantMetadata } from '@sextant/observability-metadata';
import { alertsOf, type IncidentCause, type RaisedAlert, type Verdict } from '@sextant/observability-monitors';
import type { ScanOutcome } from '../jobs/scan-job.ts';
import { recordScan } from '../scores/record-scan.ts';
import { step } from './incident-steps.ts';
import { type FinalVerdict, processVerdicts } from './process-failure.ts';

export type Conclusion = { readonly tenant: TenantMetadata; readonly claimed: ClaimedJob; readonly clock: Clock };

/** What one policy says of the scan, with the alerts that it raised. */
type Finding = FinalVerdict & { readonly alerts: readonly RaisedAlert[] };

const CAUSES: { readonly [Outcome in Verdict['outcome']]: IncidentCause } = {
  violated: 'violation',
  clear: 'no violation',
  unknown: 'not evaluated',
};

type ConcludedScan = {
  readonly result: ScanOutcome;
  readonly verdicts: readonly Verdict[];
  readonly detectorStates: readonly DetectorState[];
};

/** Ends a job that measured; no verdicts where the monitors could not be evaluated. */
export async function concludeScan(
  { tenant, claimed, clock }: Conclusion,
  { result, verdicts, detectorStates }: ConcludedScan,
): Promise<void> {
  await tenant.atomically(async (own) => {
    const scan = await scanOf(own, claimed.job, { metricTime: result.metric_time, clock });
    const findings = await findingsOf(own, scan, { verdicts, failure: undefined });
    const job = await own.jobs.finish(leaseOf(claimed), { ...result, details: `${result.details} ${alertSentence(findings)}` });
    if (detectorStates.length > 0) await own.detectorStates.put(scan.asset.id, detectorStates);
    await store(own, scan, findings);
    await recordScan(own, { asset: scan.asset, job, result });
  });
}

/** Ends a job that failed, which is a violation of its own. */
export async function concludeFailure({ tenant, claimed, clock }: Conclusion, details: string): Promise<void> {
  await tenant.atomically(async (own) => {
    const scan = await scanOf(own, claimed.job, { metricTime: new Date(clock.nowMs()).toISOString(), clock });
    const findings = await findingsOf(own, scan, { verdicts: [], failure: details });
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
  { verdicts, failure }: { readonly verdicts: readonly Verdict[]; readonly failure: string | undefined },
): Promise<readonly Finding[]> {
  const monitors = (await tenant.monitors.list(asset.id)).filter(({ enabled }) => enabled);
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const context = { asset, projectName, job, metricTime, saveTime: new Date(nowMs).toISOString() };
  const all: readonly FinalVerdict[] = [...verdicts, ...processVerdicts(monitors, failure)];
  return all.flatMap((verdict) => {
    const monitor = byId.get(verdict.monitor.id);
    return monitor === undefined ? [] : [{ ...verdict, monitor, alerts: alertsOf(monitor, verdict.violations, context) }];
  });
}

async function store(tenant: TenantMetadata, { asset, nowMs }: EvaluatedScan, findings: readonly Finding[]): Promise<void> {
  const alerts = findings.flatMap((finding) => finding.alerts);
  if (alerts.length > 0) await tenant.alerts.append(alerts);
  const newest = new Map((await tenant.incidents.latestOfAsset(asset.id)).map((incident) => [incident.alert_policy_id, incident]));
  for (const { monitor, outcome, alerts: raised, violations } of findings) {
    const omitted = violations.length - raised.length;
    const occasion = { asset, policyId: monitor.id, monitor, cause: CAUSES[outcome], alerts: raised, omitted };
    await step(tenant, occasion, { newest: newest.get(monitor.id), nowMs });
  }
}

function alertSentence(findings: readonly Finding[]): string {
  const raised = findings.reduce((sum, { alerts }) => sum + alerts.length, 0);
  const omitted = findings.reduce((sum, { alerts, violations }) => sum + violations.length - alerts.length, 0);
  const more = omitted === 0 ? '' : ` ${omitted} more violations made none, for a monitor raises at most 1000 of a scan.`;
  return `${raised === 0 ? 'No alert was' : raised === 1 ? '1 alert was' : `${raised} alerts were`} raised.${more}`;
}
