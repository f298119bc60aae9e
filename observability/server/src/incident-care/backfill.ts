/**
 * Makes the incidents that alerts should have made: those of the last 30 days that belong to none, as from a time without this service's
 * incidents. It changes nothing the second time, and tells nobody: the news are old.
 */
import type { Asset, BackfillResult } from '@sextant/contracts-observability';
import type { StoredAlert, TenantMetadata } from '@sextant/observability-metadata';
import { backfillSteps } from '@sextant/observability-monitors';
import { writeMove } from '../judgement/incident-steps.ts';

const PERIOD_MS = 30 * 24 * 3_600_000;

type Run = { readonly actor: string; readonly nowMs: number };

/** One transaction for each asset: a scan that ends meanwhile waits for one asset, not for all. */
export async function backfillIncidents(tenant: TenantMetadata, run: Run): Promise<BackfillResult> {
  const total = { alerts: 0, incidents_created: 0, incidents_continued: 0 };
  for (const { id } of await tenant.assets.list()) {
    const { alerts, incidents_created, incidents_continued } = await tenant.atomically((own) => backfillAsset(own, id, run));
    total.alerts += alerts;
    total.incidents_created += incidents_created;
    total.incidents_continued += incidents_continued;
  }
  const subject = { subject_type: 'TENANT', subject_id: tenant.tenantId } as const;
  await tenant.audit.append({ ...subject, actor: run.actor, action: 'BACKFILLED', details: total });
  return total;
}

async function backfillAsset(tenant: TenantMetadata, assetId: string, { actor, nowMs }: Run): Promise<BackfillResult> {
  const since = new Date(nowMs - PERIOD_MS).toISOString();
  const strays = await tenant.alerts.strays(assetId, since);
  const counts = { alerts: 0, incidents_created: 0, incidents_continued: 0 };
  if (strays.length === 0) return counts;
  const asset = await tenant.assets.get(assetId);
  const scans = (await tenant.metricPoints.scans(assetId, since)).map(({ metric_time, end_time }) => ({
    metricTimeMs: Date.parse(metric_time),
    endMs: Date.parse(end_time),
  }));
  for (const [policyId, alerts] of Map.groupBy(strays, ({ monitor_id }) => monitor_id)) {
    const { created, continued, grouped } = await backfillPolicy(tenant, { asset, policyId, alerts, scans, actor });
    counts.alerts += grouped;
    counts.incidents_created += created;
    counts.incidents_continued += continued;
  }
  return counts;
}

type Policy = {
  readonly asset: Asset;
  readonly policyId: string;
  readonly alerts: readonly StoredAlert[];
  readonly scans: Parameters<typeof backfillSteps>[0]['scans'];
  readonly actor: string;
};

async function backfillPolicy(tenant: TenantMetadata, { asset, policyId, alerts, scans, actor }: Policy) {
  const monitor = (await tenant.monitors.list(asset.id)).find(({ id }) => id === policyId);
  const newest = await tenant.incidents.findLatest(asset.id, policyId);
  const standing = newest && {
    status: newest.status,
    lastStepMs: Date.parse(newest.last_step.timestamp),
    lastUploadMs: Date.parse(newest.last_upload_timestamp),
  };
  const created = new Set<number>();
  const continued = new Set<number>();
  let grouped = 0;
  let newestId = newest?.id;
  for (const { move, alerts: raised } of backfillSteps({ alerts, newest: standing, scans })) {
    const { id } = await writeMove(tenant, { asset, policyId, monitor, alerts: raised, actor }, { move, newestId });
    if (move.isNew) created.add(id);
    else if (!created.has(id)) continued.add(id);
    newestId = id;
    grouped += raised.length;
  }
  return { created: created.size, continued: continued.size, grouped };
}
