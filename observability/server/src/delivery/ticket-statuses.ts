/** Reads the statuses of open incidents' tickets from their trackers, each at the interval of its tenant's connection. */
import { DeliveryFailure, type Tracker, TrackerRefusal } from '@sextant/observability-delivery';
import type { DueTicket, Metadata, TenantMetadata } from '@sextant/observability-metadata';
import { Loop } from '../jobs/loop.ts';
import type { DeliveryMeans } from './attempt.ts';
import { openTracker } from './open-tracker.ts';

export type TicketStatusesOptions = {
  readonly metadata: Metadata;
  readonly means: DeliveryMeans;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 5000;
const BATCH = 100;

export class TicketStatuses {
  readonly #options: TicketStatusesOptions;
  readonly #loop: Loop;
  readonly #stopping = new AbortController();

  constructor(options: TicketStatusesOptions) {
    this.#options = options;
    const onError = (error: unknown) => options.log.error({ err: error }, 'statuses of tickets could not be read');
    this.#loop = new Loop({ turn: () => this.turn(), pauseMs: PAUSE_MS, onError });
  }

  start(): void {
    this.#loop.wake();
  }

  stop(): Promise<void> {
    this.#stopping.abort();
    return this.#loop.stop();
  }

  async turn(): Promise<boolean> {
    const due = await this.#options.metadata.platform.due.tickets(BATCH);
    const byTenant = Map.groupBy(due, ({ tenant_id }) => tenant_id);
    await Promise.all([...byTenant].map(([tenantId, tickets]) => this.#readTenant(tenantId, tickets)));
    return due.length === BATCH && !this.#stopping.signal.aborted;
  }

  async #readTenant(tenantId: string, due: readonly DueTicket[]): Promise<void> {
    const { metadata, means } = this.#options;
    const tenant = metadata.forTenant(tenantId);
    const wire = { guard: means.guard, clock: means.clock, signal: this.#stopping.signal };
    // A tracker that does not answer is asked once for all of the tenant's tickets; a ticket that it does not know is that ticket's own matter.
    let common: DeliveryFailure | undefined;
    for (const { ticket } of due) {
      if (this.#stopping.signal.aborted) return;
      const failure = common ?? (await readStatus(tenant, () => openTracker(tenant, wire), ticket));
      if (failure === undefined || this.#stopping.signal.aborted) continue;
      if (!(failure instanceof TrackerRefusal && failure.status === 404)) common = failure;
      await noteFailure(tenant, ticket, failure);
    }
  }
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
