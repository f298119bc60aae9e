// SPDX-License-Identifier: Apache-2.0
import type { BackgroundError } from '@sextant/contracts-observability';
import { type TenantScope, takeNumbers } from '../database/scope.ts';
import { toTime } from '../database/values.ts';

export type BackgroundErrorStore = {
  /** The oldest give way beyond 1,000. */
  readonly append: (error: Omit<BackgroundError, 'timestamp'>) => Promise<void>;
  /** Newest first. */
  readonly list: (limit: number) => Promise<readonly BackgroundError[]>;
};

const KEPT = 1000;

export function backgroundErrorStore({ tenantId, db, write, clock, own }: TenantScope): BackgroundErrorStore {
  return {
    append: ({ error_class, message, exception_type, stack_trace }) =>
      write(async (transaction) => {
        const number = await takeNumbers(transaction, tenantId, 'background error');
        await transaction
          .insertInto('background_errors')
          .values({ tenant_id: tenantId, number, event_ms: clock.nowMs(), error_class, message, exception_type, stack_trace })
          .execute();
        await own(transaction)
          .deleteFrom('background_errors')
          .where('number', '<=', number - KEPT)
          .execute();
      }),
    list: async (limit) => {
      const rows = await own(db)
        .selectFrom('background_errors')
        .selectAll()
        .orderBy('number', 'desc')
        .limit(Math.min(limit, KEPT))
        .execute();
      return rows.map(({ event_ms, error_class, message, exception_type, stack_trace }) => ({
        timestamp: toTime(event_ms),
        error_class,
        message,
        exception_type,
        stack_trace,
      }));
    },
  };
}
