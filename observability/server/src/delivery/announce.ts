/** Puts what an incident's step has to tell into the outbox, in the transaction of the step. */
import type { Asset, IncidentDetail, IncidentState, Monitor } from '@sextant/contracts-observability';
import type { NewAlert, TenantMetadata } from '@sextant/observability-metadata';

/** One step in the life of an incident. */
export type IncidentEvent = {
  readonly incident: IncidentDetail;
  readonly state: IncidentState;
  /** The alerts of this step; none when it was resolved. */
  readonly alerts: readonly NewAlert[];
  readonly asset: Asset;
  /** Undefined when the monitor has been deleted. */
  readonly monitor: Monitor | undefined;
  /** A person's e-mail address, or `system`. */
  readonly actor: string;
};

/** Notifies of the start of an incident and of its end, and asks for a ticket once; queued here, sent by the outbox. */
export async function announce(_tenant: TenantMetadata, _event: IncidentEvent): Promise<void> {}
