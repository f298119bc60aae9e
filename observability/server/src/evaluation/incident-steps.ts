/** Asks what an event means for the newest incident of a policy, writes that and announces it. All of it belongs into one transaction. */
import { type Asset, type IncidentDetail, type Monitor, SYSTEM_ACTOR } from '@sextant/contracts-observability';
import { assert } from '@sextant/foundation-std';
import type { TenantMetadata, TrackedIncident } from '@sextant/observability-metadata';
import { contentOf, type IncidentCause, type IncidentMove, nextMove, type RaisedAlert } from '@sextant/observability-monitors';
import { announce } from '../delivery/announce.ts';

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
  /** Why the policy could not be evaluated, where its own alerts do not say it. */
  readonly error?: string | undefined;
  /** A person's e-mail address; `system` when left out. */
  readonly actor?: string;
};

/** Undefined where the event changes nothing, as for a close of what is closed. */
export async function stepNewest(tenant: TenantMetadata, occasion: Occasion, nowMs: number): Promise<IncidentDetail | undefined> {
  return step(tenant, occasion, { newest: await tenant.incidents.findLatest(occasion.asset.id, occasion.policyId), nowMs });
}

/** For a caller who knows the newest incident of the policy already. */
export async function step(
  tenant: TenantMetadata,
  occasion: Occasion,
  { newest, nowMs }: { readonly newest: TrackedIncident | undefined; readonly nowMs: number },
): Promise<IncidentDetail | undefined> {
  const standing = newest && { status: newest.status, lastStepMs: Date.parse(newest.last_step.timestamp) };
  const move = nextMove(standing, occasion.cause, nowMs);
  if (move === undefined) return undefined;
  const incident = await writeMove(tenant, occasion, { move, newestId: newest?.id });
  const { asset, monitor, alerts = [], actor = SYSTEM_ACTOR } = occasion;
  await announce(tenant, { incident, state: move.state, alerts, asset, monitor, actor });
  return incident;
}

/** Writes a move without notifications: for a backfill, whose news are old. */
export async function writeMove(
  tenant: TenantMetadata,
  { asset, policyId, monitor, alerts = [], omitted, error, actor = SYSTEM_ACTOR }: Omit<Occasion, 'cause'>,
  { move, newestId }: { readonly move: IncidentMove; readonly newestId: number | undefined },
): Promise<IncidentDetail> {
  const timestamp = new Date(move.timeMs).toISOString();
  const content = alerts.length === 0 ? undefined : contentOf(alerts, omitted);
  const history = { timestamp, state: move.state, alert_refs: content?.alert_refs ?? [] };
  const impact = monitor?.impact ?? '';
  if (newestId !== undefined && !move.isNew) {
    if (content === undefined) {
      const errored = error === undefined ? {} : ({ kind: 'CANNOT_BE_EVALUATED', description: error } as const);
      return tenant.incidents.advance(newestId, { ...history, ...errored, actor });
    }
    const { severity, description, last_upload_timestamp, metrics, kind } = content;
    return tenant.incidents.advance(newestId, { ...history, severity, impact, description, last_upload_timestamp, metrics, kind, actor });
  }
  assert(content !== undefined, 'an incident begins with alerts');
  const { alert_refs: _refs, ...rest } = content;
  return tenant.incidents.open({ ...rest, asset_id: asset.id, alert_policy_id: policyId, impact, created_time: timestamp, history, actor });
}
