// SPDX-License-Identifier: Apache-2.0
import type { Delivery } from '@sextant/contracts-observability';
import { type SqlBool, sql } from 'kysely';
import { hexId } from '../database/ids.ts';
import type { PlatformScope, Queries } from '../database/scope.ts';
import { fromJson, toTime } from '../database/values.ts';
import { toDelivery } from '../tenant/deliveries.ts';
import { CLOCK_STEP_MS } from './clock-step.ts';

/** A delivery that one process holds until its lease ends; the token proves it. */
export type ClaimedDelivery = {
  readonly tenant_id: string;
  readonly delivery: Delivery;
  readonly payload: unknown;
  readonly target: string;
  readonly lease: string;
  /** Of this run of attempts: a replay begins a new one. */
  readonly first_attempt_at: string;
};

/** What all tenants have to send, the longest due first. */
export type DeliveryQueue = {
  /**
   * Takes deliveries that are due and whose lane has nothing earlier that is pending; nobody else gets them before the lease ends.
   *
   * @param options.perTarget how many at most are under way to one receiver of one tenant, from all processes together
   * @param options.busy receivers of tenants that get none now: of what this process sends, also where the clock was set back since
   */
  readonly claim: (options: {
    readonly limit: number;
    readonly perTarget: number;
    readonly busy: readonly Receiver[];
    readonly leaseMs: number;
  }) => Promise<readonly ClaimedDelivery[]>;
  readonly countPending: () => Promise<number>;
  /**
   * Ends all leases at once: for a start after a crash. What may have reached a tracker keeps its own: a tracker finds a ticket by its
   * label only when its index has caught up, and the rest of the lease gives it that time.
   */
  readonly releaseLeases: () => Promise<number>;
};

async function isAnyDue(db: Queries, nowMs: number): Promise<boolean> {
  const row = await db
    .selectFrom('deliveries')
    .select('id')
    .where('status', '=', 'PENDING')
    .where(isDue('deliveries', nowMs))
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Its time has come, or it was noted in the future, as the clock was set back since: who waited for that time would wait for as long as the clock was set back. */
function isDue(table: string, nowMs: number) {
  const [next, last, created] = ['next_attempt_ms', 'last_attempt_ms', 'created_ms'].map((column) => sql.ref(`${table}.${column}`));
  return sql<SqlBool>`(${next} <= ${nowMs} or coalesce(${last}, ${created}) > ${nowMs + CLOCK_STEP_MS})`;
}

type Receiver = Pick<ClaimedDelivery, 'tenant_id' | 'target'>;

function distinct(receivers: readonly Receiver[]): Iterable<Receiver> {
  return new Map(receivers.map((receiver) => [JSON.stringify([receiver.tenant_id, receiver.target]), receiver])).values();
}

export function deliveryQueue({ database, db, clock, randomBytes }: PlatformScope): DeliveryQueue {
  return {
    claim: async ({ limit, perTarget, busy, leaseMs }) => {
      // Asked each second, answered "nothing" mostly: a read does.
      if (!(await isAnyDue(db, clock.nowMs()))) return [];
      return database.kysely.transaction().execute(async (transaction) => {
        const nowMs = clock.nowMs();
        let free = transaction
          .selectFrom('deliveries as own')
          .selectAll('own')
          .select((select) => [
            sql<number>`row_number() over (partition by own.tenant_id, own.target order by own.next_attempt_ms, own.number)`.as('place'),
            select
              .selectFrom('deliveries as held')
              .select(({ fn }) => fn.countAll<number>().as('count'))
              .where('held.status', '=', 'PENDING')
              .where('held.lease', 'is not', null)
              .where(sql<SqlBool>`not ${isDue('held', nowMs)}`)
              .whereRef('held.tenant_id', '=', 'own.tenant_id')
              .whereRef('held.target', '=', 'own.target')
              .as('under_way'),
          ])
          .where('own.status', '=', 'PENDING')
          .where(isDue('own', nowMs))
          .where((where) =>
            where.not(
              where.exists(
                where
                  .selectFrom('deliveries as earlier')
                  .select('earlier.id')
                  .where('earlier.status', '=', 'PENDING')
                  .whereRef('earlier.tenant_id', '=', 'own.tenant_id')
                  .whereRef('earlier.lane', '=', 'own.lane')
                  .whereRef('earlier.number', '<', 'own.number'),
              ),
            ),
          );
        for (const { tenant_id, target } of distinct(busy)) {
          free = free.where((where) => where.or([where('own.tenant_id', '!=', tenant_id), where('own.target', '!=', target)]));
        }
        // Rows that a window function has numbered cannot be locked, hence by their ids. Another process that looks at the same moment numbers the same
        // rows and goes without those that are taken here: no receiver gets more than its number.
        const places = transaction.selectFrom(free.as('free')).select('id').where(sql<SqlBool>`place + under_way <= ${perTarget}`);
        const rows = await database
          .taking(
            transaction
              .selectFrom('deliveries')
              .selectAll()
              .where('id', 'in', places)
              .where('status', '=', 'PENDING')
              .where(isDue('deliveries', nowMs))
              .orderBy('next_attempt_ms')
              .orderBy('number')
              .limit(limit),
          )
          .execute();
        const claimed: ClaimedDelivery[] = [];
        for (const row of rows) {
          const change = {
            lease: hexId(randomBytes, 'l'),
            attempts: row.attempts + 1,
            first_attempt_ms: row.first_attempt_ms ?? nowMs,
            last_attempt_ms: nowMs,
            next_attempt_ms: nowMs + leaseMs,
          };
          await transaction.updateTable('deliveries').set(change).where('tenant_id', '=', row.tenant_id).where('id', '=', row.id).execute();
          claimed.push({
            tenant_id: row.tenant_id,
            delivery: toDelivery({ ...row, ...change }),
            payload: fromJson<unknown>(row.payload),
            target: row.target,
            lease: change.lease,
            first_attempt_at: toTime(change.first_attempt_ms),
          });
        }
        return claimed;
      });
    },
    countPending: async () => {
      const row = await db
        .selectFrom('deliveries')
        .select((select) => select.fn.countAll<number>().as('pending'))
        .where('status', '=', 'PENDING')
        .executeTakeFirstOrThrow();
      return Number(row.pending);
    },
    releaseLeases: async () => {
      const { numUpdatedRows } = await db
        .updateTable('deliveries')
        .set({ lease: null, next_attempt_ms: clock.nowMs() })
        .where('status', '=', 'PENDING')
        .where('lease', 'is not', null)
        .where('kind', 'not in', ['TICKET', 'TICKET_COMMENT'])
        .executeTakeFirst();
      return Number(numUpdatedRows);
    },
  };
}
