// SPDX-License-Identifier: Apache-2.0
import type { Delivery, DeliveryKind, DeliveryStatus } from '@sextant/contracts-observability';
import { deleteInBatches } from '../database/batches.ts';
import { hexId } from '../database/ids.ts';
import type { Schema } from '../database/schema.ts';
import { type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { fromJson, toJson, toMs, toTime, toTimeOrNull } from '../database/values.ts';
import { MetadataConflict } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import { getRow } from './references.ts';

export type NewDelivery = {
  readonly kind: DeliveryKind;
  /** Whatever was queued once with this key is not queued again. */
  readonly dedup_key: string | null;
  /** Of one lane, each waits until those before it have ended. */
  readonly lane: string;
  /** Who receives it, for fairness: one dead receiver must not hold up the others. */
  readonly target: string;
  readonly recipient: string;
  readonly incident_id: number | null;
  readonly channel: string | null;
  /** JSON, as the kind of delivery needs it. */
  readonly payload: unknown;
};

export type DeliveryFilter = {
  readonly incident_id?: number;
  readonly channel?: string;
  readonly status?: DeliveryStatus;
  readonly kind?: DeliveryKind;
};

export type SentNotification = Pick<NewDelivery, 'channel' | 'payload'>;

/** What came of an attempt. */
export type DeliveryOutcome =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly next_attempt_at: string; readonly error: string }
  | { readonly kind: 'failed'; readonly error: string };

/** The outbox and its log. A delivery that is neither delivered nor given up comes due again when its claim ends. */
export type DeliveryStore = {
  /** Undefined when it was queued before. */
  readonly enqueue: (delivery: NewDelivery) => Promise<Delivery | undefined>;
  /** Newest first. */
  readonly list: (filter?: DeliveryFilter, page?: Page) => Promise<readonly Delivery[]>;
  /** @throws MetadataMissing */
  readonly get: (id: string) => Promise<Delivery>;
  readonly findByKey: (dedupKey: string) => Promise<Delivery | undefined>;
  /** The payload of the newest notification of an incident. */
  readonly lastNotification: (incidentId: number) => Promise<unknown>;
  /** Those about any of these incidents, the newest 1000 first. */
  readonly findNotifications: (incidentIds: readonly number[]) => Promise<readonly SentNotification[]>;
  /** False when the lease has been lost, and somebody else decides. */
  readonly settle: (claim: { readonly id: string; readonly lease: string }, outcome: DeliveryOutcome) => Promise<boolean>;
  /** Sends what has ended once more, as the same message. @throws MetadataMissing; MetadataConflict while it is pending */
  readonly replay: (id: string) => Promise<Delivery>;
  readonly deleteEndedBefore: (time: string) => Promise<number>;
};

type DeliveryRow = Schema['deliveries'];

const NOTIFICATIONS_MAX = 1000;
const DELIVERIES_PER_DELETION = 1000;

export function deliveryStore(scope: TenantScope): DeliveryStore {
  const { tenantId, db, write, clock, own } = scope;
  const rowOf = (queries: Queries, id: string) => getRow(queries, tenantId, { table: 'deliveries', id });
  return {
    enqueue: (delivery) => write((transaction) => insertDelivery(transaction, scope, delivery)),
    list: async (filter = {}, page) => {
      const { limit, offset } = bounded(page);
      let query = own(db).selectFrom('deliveries').selectAll();
      for (const column of ['incident_id', 'channel', 'status', 'kind'] as const) {
        const value = filter[column];
        if (value !== undefined) query = query.where(column, '=', value);
      }
      return (await query.orderBy('number', 'desc').limit(limit).offset(offset).execute()).map(toDelivery);
    },
    get: async (id) => toDelivery(await rowOf(db, id)),
    findByKey: async (dedupKey) => {
      const row = await own(db).selectFrom('deliveries').selectAll().where('dedup_key', '=', dedupKey).executeTakeFirst();
      return row && toDelivery(row);
    },
    lastNotification: async (incidentId) => {
      const row = await own(db)
        .selectFrom('deliveries')
        .select('payload')
        .where('incident_id', '=', incidentId)
        .where('kind', '=', 'NOTIFICATION')
        .orderBy('number', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && fromJson<unknown>(row.payload);
    },
    findNotifications: async (incidentIds) => {
      if (incidentIds.length === 0) return [];
      const rows = await own(db)
        .selectFrom('deliveries')
        .select(['channel', 'payload'])
        .where('incident_id', 'in', incidentIds)
        .where('kind', '=', 'NOTIFICATION')
        .orderBy('number', 'desc')
        .limit(NOTIFICATIONS_MAX)
        .execute();
      return rows.map(({ channel, payload }) => ({ channel, payload: fromJson<unknown>(payload) }));
    },
    settle: async ({ id, lease }, outcome) => {
      const { numUpdatedRows } = await own(db)
        .updateTable('deliveries')
        .set({ lease: null, ...settled(outcome, clock.nowMs()) })
        .where('id', '=', id)
        .where('lease', '=', lease)
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    replay: (id) =>
      write(async (transaction) => {
        const row = await rowOf(transaction, id);
        if (row.status === 'PENDING') throw new MetadataConflict('delivery', `Delivery ${id} is still pending.`);
        const change = { status: 'PENDING', attempts: 0, first_attempt_ms: null, next_attempt_ms: clock.nowMs(), ended_ms: null };
        await own(transaction).updateTable('deliveries').set(change).where('id', '=', id).execute();
        return toDelivery({ ...row, ...change });
      }),
    deleteEndedBefore: (time) =>
      deleteInBatches(DELIVERIES_PER_DELETION, async (limit) => {
        const beforeMs = toMs(time);
        const past = own(db).selectFrom('deliveries').select('id').where('ended_ms', '<', beforeMs).limit(limit);
        const { numDeletedRows } = await own(db)
          .deleteFrom('deliveries')
          // One that is sent once more stays.
          .where('ended_ms', '<', beforeMs)
          .where('id', 'in', past)
          .executeTakeFirst();
        return Number(numDeletedRows);
      }),
  };
}

function settled(outcome: DeliveryOutcome, nowMs: number): Partial<DeliveryRow> {
  switch (outcome.kind) {
    case 'delivered':
      return { status: 'DELIVERED', ended_ms: nowMs };
    case 'retry':
      return { next_attempt_ms: toMs(outcome.next_attempt_at), last_error: outcome.error };
    case 'failed':
      return { status: 'FAILED', ended_ms: nowMs, last_error: outcome.error };
  }
}

/** Also inside a transaction, so that the message and the change that it reports are stored together. */
export async function insertDelivery(
  transaction: Queries,
  { tenantId, clock, randomBytes }: Pick<TenantScope, 'tenantId' | 'clock' | 'randomBytes'>,
  { kind, dedup_key, lane, target, recipient, incident_id, channel, payload }: NewDelivery,
): Promise<Delivery | undefined> {
  const nowMs = clock.nowMs();
  const row: DeliveryRow = {
    tenant_id: tenantId,
    id: hexId(randomBytes, 'd'),
    number: await takeNumbers(transaction, tenantId, 'delivery'),
    kind,
    dedup_key,
    lane,
    target,
    recipient,
    incident_id,
    channel,
    payload: toJson(payload),
    status: 'PENDING',
    attempts: 0,
    lease: null,
    created_ms: nowMs,
    first_attempt_ms: null,
    last_attempt_ms: null,
    next_attempt_ms: nowMs,
    ended_ms: null,
    last_error: null,
  };
  const inserted = await transaction
    .insertInto('deliveries')
    .values(row)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'dedup_key']).doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted && toDelivery(row);
}

export function toDelivery(row: DeliveryRow): Delivery {
  const { id, incident_id, channel, recipient, attempts, last_error } = row;
  return {
    id,
    // The store wrote both from a `NewDelivery`.
    kind: row.kind as DeliveryKind,
    incident_id,
    channel,
    recipient,
    status: row.status as DeliveryStatus,
    attempts,
    last_error,
    created_at: toTime(row.created_ms),
    last_attempt_at: toTimeOrNull(row.last_attempt_ms),
    next_attempt_at: row.status === 'PENDING' ? toTime(row.next_attempt_ms) : null,
    ended_at: toTimeOrNull(row.ended_ms),
  };
}
