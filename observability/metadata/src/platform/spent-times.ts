// SPDX-License-Identifier: Apache-2.0
import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import type { PlatformScope } from '../database/scope.ts';

/** What one use costs, by what it is counted for. */
export type Costs = readonly (readonly [key: string, costMs: number])[];

/** Limits over all processes by the generic cell rate algorithm: each use costs a span of time, and a key may be ahead of the clock by a window at most. */
export type SpentTimes = {
  /** Spends the costs of all keys, or of none: answers 0, or in how many milliseconds it would. */
  readonly take: (costs: Costs, windowMs: number) => Promise<number>;
  /** Gives back what was taken. */
  readonly release: (costs: Costs) => Promise<void>;
  /** Forgets keys whose time has come back. */
  readonly deletePast: () => Promise<void>;
};

export function spentTimes({ database, db, clock }: PlatformScope): SpentTimes {
  return {
    take: (costs, windowMs) =>
      database.kysely.transaction().execute(async (transaction) => {
        await database.lock(transaction, 'spent times');
        const nowMs = clock.nowMs();
        const keys = costs.map(([key]) => hashed(key));
        const rows = await transaction.selectFrom('spent_times').selectAll().where('key', 'in', keys).execute();
        const known = new Map(rows.map(({ key, spent_ms }) => [key, spent_ms]));
        const spent = costs.map(([, costMs], place) => {
          const key = keys[place] ?? '';
          return { key, spent_ms: Math.max(nowMs, known.get(key) ?? 0) + costMs };
        });
        const waitMs = Math.max(...spent.map(({ spent_ms }) => spent_ms)) - nowMs - windowMs;
        if (waitMs > 0) return waitMs;
        await transaction
          .insertInto('spent_times')
          .values(spent)
          .onConflict((conflict) => conflict.column('key').doUpdateSet((row) => ({ spent_ms: row.ref('excluded.spent_ms') })))
          .execute();
        return 0;
      }),
    release: async (costs) => {
      for (const [key, costMs] of costs) {
        await db
          .updateTable('spent_times')
          .set({ spent_ms: sql<number>`spent_ms - ${costMs}` })
          .where('key', '=', hashed(key))
          .execute();
      }
    },
    deletePast: async () => {
      await db.deleteFrom('spent_times').where('spent_ms', '<', clock.nowMs()).execute();
    },
  };
}

function hashed(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
