// SPDX-License-Identifier: Apache-2.0
/**
 * Reads the statuses of open incidents' tickets from their trackers, each at the interval of its tenant's connection, many with one request. A
 * tracker that fails is left alone, longer each time.
 */
import { type Periodic, periodic } from '@sextant/foundation-service';
import type { Random } from '@sextant/foundation-std';
import { DeliveryFailure, type Tracker, TrackerRefusal, type Wire } from '@sextant/observability-delivery';
import type { DueTicket, Metadata, TenantMetadata } from '@sextant/observability-metadata';
import { nextAttempt } from '../outbox/backoff.ts';
import type { DeliveryMeans } from './attempt.ts';
import { openTracker } from './open-tracker.ts';

export type TicketStatusesOptions = {
  readonly metadata: Metadata;
  readonly means: DeliveryMeans;
  readonly random: Random;
  /** Whether it is this process that reads. */
  readonly leads: () => boolean;
  readonly log: { readonly error: (details: object, message: string) => void };
};

const PAUSE_MS = 5000;
const BATCH = 100;

type Ticket = DueTicket['ticket'];
/** A tracker that failed, so many times in a row, and when it is asked again. */
type Backoff = { readonly attempts: number; readonly untilMs: number };

export function ticketStatuses({ metadata, means, random, leads, log }: TicketStatusesOptions): Periodic {
  const stopping = new AbortController();
  const { signal } = stopping;
  const wire = { guard: means.guard, clock: means.clock, signal };
  const backoffs = new Map<string, Backoff>();
  const backOff = (tenantId: string, failure: DeliveryFailure) => {
    const attempts = (backoffs.get(tenantId)?.attempts ?? 0) + 1;
    const nowMs = means.clock.nowMs();
    // A permanent failure lasts until somebody changes the connection, and asking is how one learns of it.
    const again = { isPermanent: false, retryAfterMs: failure.retryAfterMs };
    const limit = { kind: 'attempts', attemptsMax: Number.POSITIVE_INFINITY } as const;
    const untilMs = nextAttempt({ failure: again, attempts, limit, nowMs }, random) ?? nowMs;
    backoffs.set(tenantId, { attempts, untilMs });
  };
  const readTenant = async (tenantId: string, due: readonly DueTicket[]) => {
    const tickets = due.map(({ ticket }) => ticket);
    const failure = await readStatuses(metadata.forTenant(tenantId), wire, tickets);
    if (signal.aborted) return;
    if (failure === undefined) backoffs.delete(tenantId);
    else backOff(tenantId, failure);
  };
  const turn = async () => {
    if (!leads()) return false;
    const nowMs = means.clock.nowMs();
    const withoutTenants = [...backoffs].filter(([, { untilMs }]) => untilMs > nowMs).map(([tenantId]) => tenantId);
    const due = await metadata.platform.due.tickets(BATCH, { withoutTenants });
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

/** Answers why the tracker did not: the same for all tickets that were still to be read. */
async function readStatuses(tenant: TenantMetadata, wire: Wire, tickets: readonly Ticket[]): Promise<DeliveryFailure | undefined> {
  let unread = tickets;
  try {
    const tracker = await openTracker(tenant, wire);
    const found = await tracker.statuses(tickets.map(({ key }) => key));
    for (const { id, key } of tickets) {
      const status = found.get(key);
      if (status !== undefined) await tenant.tickets.noteStatus(id, { status });
    }
    unread = tickets.filter(({ key }) => !found.has(key));
    for (const ticket of unread) {
      wire.signal.throwIfAborted();
      await readAlone(tenant, tracker, ticket);
      unread = unread.slice(1);
    }
    return undefined;
  } catch (error) {
    // Among others, that the service stops.
    const failure =
      error instanceof DeliveryFailure
        ? error
        : new DeliveryFailure(error instanceof Error ? error.message : String(error), { cause: error });
    if (!wire.signal.aborted) for (const ticket of unread) await noteFailure(tenant, ticket, failure);
    return failure;
  }
}

/** That the tracker does not know a ticket is that ticket's own matter. */
async function readAlone(tenant: TenantMetadata, tracker: Tracker, ticket: Ticket): Promise<void> {
  try {
    await tenant.tickets.noteStatus(ticket.id, { status: await tracker.status(ticket.key) });
  } catch (error) {
    if (!(error instanceof TrackerRefusal && error.status === 404)) throw error;
    await noteFailure(tenant, ticket, error);
  }
}

/** Reported once, until the ticket can be read again. */
async function noteFailure(tenant: TenantMetadata, ticket: Ticket, failure: DeliveryFailure): Promise<void> {
  await tenant.tickets.noteStatus(ticket.id, { error: failure.message });
  if (ticket.last_error !== null) return;
  const message = `The status of ticket ${ticket.key} of incident ${ticket.incident_id} could not be read: ${failure.message}.`;
  const entry = { error_class: 'INTEGRATION_TRACKER', message, exception_type: failure.name, stack_trace: '' };
  await tenant.backgroundErrors.append(entry);
}
