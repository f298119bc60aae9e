// SPDX-License-Identifier: Apache-2.0
/** Takes incidents their next steps, and announces them, in one transaction. */
import {
  type Asset,
  CHECK_ERROR,
  type IncidentDetail,
  type IncidentEvidence,
  type Monitor,
  SYSTEM_ACTOR,
} from '@sextant/contracts-observability';
import { assert } from '@sextant/foundation-std';
import type { TenantMetadata, TrackedIncident } from '@sextant/observability-metadata';
import {
  contentOf,
  type IncidentCause,
  type IncidentMove,
  nextMove,
  policySteps,
  type RaisedAlert,
  REOPEN_WINDOW_MS,
  type StandingIncident,
  subjectsOf,
} from '@sextant/observability-monitors';
import { announceAll } from '../delivery/announce.ts';
import type { ToldEvent } from './incident-stories.ts';

/** Something that happened to a policy of an asset. */
export type Occasion = {
  readonly asset: Asset;
  readonly policyId: string;
  /** Undefined when it has been deleted. */
  readonly monitor: Monitor | undefined;
  readonly cause: IncidentCause;
  /** What a violation raised, the worst first. */
  readonly alerts?: readonly RaisedAlert[];
  /** Violations beside them that made no alert. */
  readonly omitted?: number;
  /** Why the policy, or a part of it, could not be evaluated, for incidents that get none of its alerts. */
  readonly error?: string | undefined;
  /** What the scan says of the causes of the violations. */
  readonly evidence?: readonly IncidentEvidence[];
  /** A person's e-mail address; `system` when left out. */
  readonly actor?: string;
};

/** Steps all incidents of a policy, as a monitor that was turned off does. */
export async function stepPolicy(tenant: TenantMetadata, occasion: Occasion, nowMs: number): Promise<void> {
  const standing = await tenant.incidents.trackedOfAsset(occasion.asset.id, {
    alertPolicyId: occasion.policyId,
    closedSinceMs: nowMs - REOPEN_WINDOW_MS,
  });
  await announceAll(tenant, await writePolicySteps(tenant, occasion, { standing, nowMs }));
}

/** For a caller who knows where the policy's incidents stand already, and who announces. */
export async function writePolicySteps(
  tenant: TenantMetadata,
  occasion: Occasion,
  { standing, nowMs }: { readonly standing: readonly TrackedIncident[]; readonly nowMs: number },
): Promise<readonly ToldEvent[]> {
  const { asset, monitor, cause, alerts = [], omitted = 0, error, evidence = [], actor = SYSTEM_ACTOR } = occasion;
  const events: ToldEvent[] = [];
  for (const step of policySteps(standing.map(standingOf), { cause, alerts, omitted, isPartial: error !== undefined }, nowMs)) {
    const incident = await writeMove(
      tenant,
      { ...occasion, alerts: step.alerts, omitted: step.omitted },
      { move: step.move, incidentId: step.incident?.id },
    );
    events.push({
      incident,
      state: step.move.state,
      alerts: step.alerts,
      evidence: evidence.filter(isAbout(step.alerts)),
      asset,
      monitor,
      actor,
    });
  }
  return events;
}

/** Steps one incident, for what people do about it. Undefined where that changes nothing, as for a close of what is closed. */
export async function stepIncident(
  tenant: TenantMetadata,
  occasion: Occasion,
  { incident, nowMs }: { readonly incident: IncidentDetail; readonly nowMs: number },
): Promise<IncidentDetail | undefined> {
  const lastStepMs = Date.parse(incident.history.at(-1)?.timestamp ?? incident.created_time);
  const move = nextMove({ status: incident.status, lastStepMs }, occasion.cause, nowMs);
  if (move === undefined) return undefined;
  const stepped = await writeMove(tenant, occasion, { move, incidentId: incident.id });
  const { asset, monitor, actor = SYSTEM_ACTOR } = occasion;
  await announceAll(tenant, [{ incident: stepped, state: move.state, alerts: [], asset, monitor, actor }]);
  return stepped;
}

/** What was found of another attribute or rule is about another incident; why a check could not run is its reason. */
function isAbout(alerts: readonly RaisedAlert[]): (evidence: IncidentEvidence) => boolean {
  const isError = alerts.length > 0 && alerts.every(({ type }) => type === CHECK_ERROR);
  return (evidence) => {
    switch (evidence.kind) {
      case 'RULE':
        return alerts.some(({ metric }) => metric.rule === evidence.rule);
      case 'DISTRIBUTION':
      case 'SEGMENTS':
        return alerts.some(({ metric }) => metric.attribute === evidence.attribute);
      case 'VOLUME':
      case 'SCHEMA':
        return !isError;
    }
  };
}

export function standingOf({ id, status, last_step, metrics }: TrackedIncident): StandingIncident & { readonly id: number } {
  return { id, status, lastStepMs: Date.parse(last_step.timestamp), subjects: subjectsOf(metrics) };
}

/** Writes a move without notifications: for a backfill, whose news are old. */
export async function writeMove(
  tenant: TenantMetadata,
  { asset, policyId, monitor, alerts = [], omitted, error, actor = SYSTEM_ACTOR }: Omit<Occasion, 'cause'>,
  { move, incidentId }: { readonly move: IncidentMove; readonly incidentId: number | undefined },
): Promise<IncidentDetail> {
  const timestamp = new Date(move.timeMs).toISOString();
  const content = alerts.length === 0 ? undefined : contentOf(alerts, omitted);
  const history = { timestamp, state: move.state, alert_refs: content?.alert_refs ?? [] };
  const impact = monitor?.impact ?? '';
  if (incidentId !== undefined) {
    if (content === undefined) {
      const errored = error === undefined ? {} : ({ kind: 'CANNOT_BE_EVALUATED', description: error } as const);
      return tenant.incidents.advance(incidentId, { ...history, ...errored, actor });
    }
    const { severity, description, last_upload_timestamp, metrics, kind } = content;
    return tenant.incidents.advance(incidentId, { ...history, severity, impact, description, last_upload_timestamp, metrics, kind, actor });
  }
  assert(content !== undefined, 'an incident begins with alerts');
  const { alert_refs: _refs, ...rest } = content;
  return tenant.incidents.open({ ...rest, asset_id: asset.id, alert_policy_id: policyId, impact, created_time: timestamp, history, actor });
}
