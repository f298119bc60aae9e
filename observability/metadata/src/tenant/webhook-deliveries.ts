import { hexId } from '../database/ids.ts';
import type { Schema } from '../database/schema.ts';
import type { Queries, TenantScope } from '../database/scope.ts';
import { fromJson, toJson, toMs, toTime } from '../database/values.ts';

/** A request to somebody's server that has to arrive at least once. */
export type WebhookDelivery = {
  readonly id: string;
  readonly url: string;
  /** JSON. */
  readonly body: unknown;
  /** Attempts that were begun, this one included once it is claimed. */
  readonly attempts: number;
  readonly created_at: string;
  readonly next_attempt_at: string;
  readonly last_error: string | null;
};

/** The outbox. A delivery that is neither delivered nor given up comes due again when its claim ends. */
export type WebhookDeliveryStore = {
  readonly enqueue: (delivery: { readonly url: string; readonly body: unknown }) => Promise<WebhookDelivery>;
  readonly list: (limit?: number) => Promise<readonly WebhookDelivery[]>;
  readonly delivered: (id: string) => Promise<void>;
  readonly retry: (id: string, attempt: { readonly next_attempt_at: string; readonly error: string }) => Promise<void>;
  readonly giveUp: (id: string) => Promise<void>;
};

const LISTED_MAX = 1000;

export function webhookDeliveryStore(scope: TenantScope): WebhookDeliveryStore {
  const { tenantId, db } = scope;
  const remove = async (id: string) => {
    await db.deleteFrom('webhook_deliveries').where('tenant_id', '=', tenantId).where('id', '=', id).execute();
  };
  return {
    enqueue: (delivery) => insertDelivery(db, scope, delivery),
    list: async (limit = LISTED_MAX) => {
      const rows = await db
        .selectFrom('webhook_deliveries')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .orderBy('created_ms')
        .orderBy('id')
        .limit(Math.min(limit, LISTED_MAX))
        .execute();
      return rows.map(toDelivery);
    },
    delivered: remove,
    retry: async (id, { next_attempt_at, error }) => {
      await db
        .updateTable('webhook_deliveries')
        .set({ next_attempt_ms: toMs(next_attempt_at), last_error: error })
        .where('tenant_id', '=', tenantId)
        .where('id', '=', id)
        .execute();
    },
    giveUp: remove,
  };
}

/** Also inside a transaction, so that what is told and what happened are one. */
export async function insertDelivery(
  db: Queries,
  { tenantId, clock, randomBytes }: Pick<TenantScope, 'tenantId' | 'clock' | 'randomBytes'>,
  { url, body }: { readonly url: string; readonly body: unknown },
): Promise<WebhookDelivery> {
  const nowMs = clock.nowMs();
  const row: Schema['webhook_deliveries'] = {
    tenant_id: tenantId,
    id: hexId(randomBytes, 'w'),
    url,
    body: toJson(body),
    attempts: 0,
    created_ms: nowMs,
    next_attempt_ms: nowMs,
    last_error: null,
  };
  await db.insertInto('webhook_deliveries').values(row).execute();
  return toDelivery(row);
}

export function toDelivery(row: Schema['webhook_deliveries']): WebhookDelivery {
  const { id, url, attempts, last_error } = row;
  return {
    id,
    url,
    attempts,
    last_error,
    body: fromJson<unknown>(row.body),
    created_at: toTime(row.created_ms),
    next_attempt_at: toTime(row.next_attempt_ms),
  };
}
