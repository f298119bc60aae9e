// SPDX-License-Identifier: Apache-2.0
/**
 * Makes the incidents that alerts should have made: those of the last 30 days that belong to none, as from a time without incidents. It
 * changes nothing the second time, and notifies nobody: the news are old.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { BackfillResult } from '@sextant/contracts-observability';
import type { TenantMetadata } from '@sextant/observability-metadata';
import { backfillSteps } from '@sextant/observability-monitors';
import { standingOf, writeMove } from '../evaluation/incident-steps.ts';

const PERIOD_MS = 30 * 24 * 3_600_000;
/** Scans of one transaction: others wait for it. Where it ends, the next one goes on as a second backfill would. */
const SCANS_MAX = 50;

type Run = { readonly actor: string; readonly nowMs: number };

export async function backfillIncidents(tenant: TenantMetadata, { actor, nowMs }: Run): Promise<BackfillResult> {
  const since = new Date(nowMs - PERIOD_MS).toISOString();
  const created = new Set<number>();
  const continued = new Set<number>();
  let alerts = 0;
  for (const { id: assetId } of await tenant.assets.list()) {
    const strays = await tenant.alerts.strays({ source: assetId, since });
    for (const policyId of new Set(strays.map(({ monitor_id }) => monitor_id))) {
      let piece: Piece;
      do {
        piece = await tenant.atomically((own) => backfillPolicy(own, { assetId, policyId, since, actor }));
        for (const id of piece.created) created.add(id);
        for (const id of piece.continued) if (!created.has(id)) continued.add(id);
        alerts += piece.alerts;
        await nextTurn();
      } while (!piece.isDone);
    }
  }
  const result = { alerts, incidents_created: created.size, incidents_continued: continued.size };
  const subject = { subject_type: 'TENANT', subject_id: tenant.tenantId } as const;
  await tenant.audit.append({ ...subject, actor, action: 'BACKFILLED', details: result });
  return result;
}

type Policy = { readonly assetId: string; readonly policyId: string; readonly since: string; readonly actor: string };

type Piece = {
  readonly created: readonly number[];
  readonly continued: readonly number[];
  readonly alerts: number;
  readonly isDone: boolean;
};

async function backfillPolicy(tenant: TenantMetadata, { assetId, policyId, since, actor }: Policy): Promise<Piece> {
  const strays = await tenant.alerts.strays({ source: assetId, monitor_id: policyId, since });
  // Somebody deleted the asset or the monitor since the pieces before.
  if (strays.length === 0) return { created: [], continued: [], alerts: 0, isDone: true };
  const asset = await tenant.assets.get(assetId);
  const monitor = (await tenant.monitors.list(assetId)).find(({ id }) => id === policyId);
  const tracked = await tenant.incidents.trackedOfAsset(assetId, { alertPolicyId: policyId });
  const steps = backfillSteps({
    alerts: strays,
    standing: tracked.map((incident) => ({ ...standingOf(incident), lastUploadMs: Date.parse(incident.last_upload_timestamp) })),
    scans: (await tenant.metricPoints.scans(assetId, since)).map(({ metric_time, end_time }) => ({
      metricTimeMs: Date.parse(metric_time),
      endMs: Date.parse(end_time),
    })),
  });
  const created: number[] = [];
  const continued: number[] = [];
  let alerts = 0;
  for (const { move, of, alerts: raised } of steps.slice(0, SCANS_MAX).flat()) {
    const incidentId = of.kind === 'stored' ? of.incident.id : created[of.index];
    const { id } = await writeMove(tenant, { asset, policyId, monitor, alerts: raised, actor }, { move, incidentId });
    if (incidentId === undefined) created.push(id);
    else if (of.kind === 'stored') continued.push(id);
    alerts += raised.length;
  }
  return { created, continued, alerts, isDone: steps.length <= SCANS_MAX };
}
