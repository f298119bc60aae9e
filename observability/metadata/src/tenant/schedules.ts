// SPDX-License-Identifier: Apache-2.0
import type { Schedule } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { ownRows, putRow, type Queries, type TenantScope } from '../database/scope.ts';
import { toFlag, toMs } from '../database/values.ts';
import { MetadataMissing } from '../errors.ts';
import { requireAsset } from './references.ts';

export type ScheduleStore = {
  readonly find: (assetId: string) => Promise<Schedule | undefined>;
  /** `nextRunAt` is null for a schedule that never runs. @throws MetadataMissing for an unknown asset */
  readonly put: (assetId: string, schedule: Schedule, nextRunAt: string | null) => Promise<void>;
  /** Moves the next run on; false when somebody else has, so that one run starts once. */
  readonly advance: (assetId: string, run: { readonly from: string; readonly to: string | null }) => Promise<boolean>;
  /** @throws MetadataMissing */
  readonly delete: (assetId: string) => Promise<void>;
};

export function scheduleStore({ tenantId, db, write, own }: TenantScope): ScheduleStore {
  return {
    find: async (assetId) => (await schedulesByAsset(db, tenantId, assetId)).get(assetId),
    put: (assetId, schedule, nextRunAt) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        const columns = {
          schedule: schedule.schedule,
          is_enabled: toFlag(schedule.enabled),
          is_delta_only: toFlag(schedule.delta_only),
          sample_fraction: schedule.sample_fraction,
          skips_investigator: toFlag(schedule.skip_investigator),
          timestamp_attribute: schedule.timestamp_attribute,
          next_run_ms: nextRunAt === null ? null : toMs(nextRunAt),
        };
        await putRow(transaction, 'schedules', { key: { tenant_id: tenantId, asset_id: assetId }, columns });
      }),
    advance: async (assetId, { from, to }) => {
      const { numUpdatedRows } = await own(db)
        .updateTable('schedules')
        .set({ next_run_ms: to === null ? null : toMs(to) })
        .where('asset_id', '=', assetId)
        .where('next_run_ms', '=', toMs(from))
        .executeTakeFirst();
      return numUpdatedRows > 0n;
    },
    delete: async (assetId) => {
      const { numDeletedRows } = await own(db).deleteFrom('schedules').where('asset_id', '=', assetId).executeTakeFirst();
      if (numDeletedRows === 0n) throw new MetadataMissing('schedule', assetId);
    },
  };
}

export async function schedulesByAsset(db: Queries, tenantId: string, only?: string): Promise<Map<string, Schedule>> {
  let query = ownRows(db, tenantId).selectFrom('schedules').selectAll();
  if (only !== undefined) query = query.where('asset_id', '=', only);
  return new Map((await query.execute()).map((row) => [row.asset_id, toSchedule(row)]));
}

export function toSchedule(row: Schema['schedules']): Schedule {
  return {
    schedule: row.schedule,
    enabled: row.is_enabled === 1,
    delta_only: row.is_delta_only === 1,
    sample_fraction: row.sample_fraction,
    skip_investigator: row.skips_investigator === 1,
    timestamp_attribute: row.timestamp_attribute,
  };
}
