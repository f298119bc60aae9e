/** Reads the statuses of open incidents' tickets from their trackers, each at the interval of its tenant's connection. */
import { type Periodic, periodic } from '@sextant/foundation-service';
import { DeliveryFailure, type Tracker, TrackerRefusal } from '@sextant/observability-delivery';
import type { DueTicket, Metadata, TenantMetadata } from '@sextant/observability-metadata';
import type { DeliveryMeans } from './attempt.ts';
import { openTracker } from './open-tracker.ts';

export type TicketStatusesOptions = {
  readonly metadata: Metadata;
  readonly means: DeliveryMeans;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 5000;
const BATCH = 100;

export function ticketStatuses({ metadata, means, log }: TicketStatusesOptions): Periodic {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wire = { guard: means.guard, clock: means.clock, signal };
  const readTenant = async (tenantId: string, due: readonly DueTicket[]) => {
    const tenant = metadata.forTenant(tenantId);
    // A tracker that does not answer is asked once for all of the tenant's tickets; a ticket that it does not know is that ticket's own matter.
    let common: DeliveryFailure | undefined;
    for (const { ticket } of due) {
      if (signal.aborted) return;
      const failure = common ?? (await readStatus(tenant, () => openTracker(tenant, wire), ticket));
      if (failure === undefined || signal.aborted) continue;
      if (!(failure instanceof TrackerRefusal && failure.status === 404)) common = failure;
      await noteFailure(tenant, ticket, failure);
    }
  };
  const turn = async () => {
    const due = await metadata.platform.due.tickets(BATCH);
    const byTenant = Map.groupBy(due, ({ tenant_id }) => tenant_id);
    await Promise.all([...byTenant].map(([tenantId, tickets]) => readTenant(tenantId, tickets)));
    return due.length === BATCH && !signal.aborted;
  };
  const onError = (error: unknown) => log.error({ err: error }, 'statuses of tickets could not be read');
  const loop = periodic({ turn, pauseMs: PAUSE_MS, clock: means.clock, onError });
  return {
    ...loop,
    stop: () => {
      stopping.abort();
      return loop.stop();
    },
  };
}

async function readStatus(
  tenant: TenantMetadata,
  open: () => Promise<Tracker>,
  { id, key }: DueTicket['ticket'],
): Promise<DeliveryFailure | undefined> {
  try {
    const status = await (await open()).status(key);
    await tenant.tickets.noteStatus(id, { status });
    return undefined;
  } catch (error) {
    if (error instanceof DeliveryFailure) return error;
    // Among others, that the service stops.
    return new DeliveryFailure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** Reported once, until the ticket can be read again. */
async function noteFailure(tenant: TenantMetadata, ticket: DueTicket['ticket'], failure: DeliveryFailure): Promise<void> {
  await tenant.tickets.noteStatus(ticket.id, { error: failure.message });
  if (ticket.last_error !== null) return;
  const message = `The status of ticket ${ticket.key} of incident ${ticket.incident_id} could not be read: ${failure.message}.`;
  const entry = { error_class: 'INTEGRATION_TRACKER', message, exception_type: failure.name, stack_trace: '' };
  await tenant.backgroundErrors.append(entry);
}
