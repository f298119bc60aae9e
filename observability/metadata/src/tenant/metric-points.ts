// SPDX-License-Identifier: Apache-2.0
import type { MetricHistoryItem, MetricPoint } from '@sextant/contracts-observability';
import type { Insertable } from 'kysely';
import { deleteInBatches } from '../database/batches.ts';
import type { Schema } from '../database/schema.ts';
import { insertAll, ownRows, type Queries, type TenantScope } from '../database/scope.ts';
import { toFlag, toMs } from '../database/values.ts';
import { type ExclusionStore, exclusionStore } from './metric-exclusions.ts';
import { toHistoryItem } from './metric-rows.ts';
import { assetsMeasuredBefore } from './past-assets.ts';
import { requireJobOf } from './references.ts';
import { type FinishedScan, finishedScans, type RecentScans, type SeriesHistory, seriesHistory } from './series-history.ts';

export type NewMetricPoint = MetricPoint & Partial<Pick<MetricHistoryItem, 'lower_bound' | 'upper_bound' | 'is_violation'>>;

/** What is undefined does not filter; null asks for points of the whole. Times are inclusive. */
export type MetricHistoryFilter = {
  readonly asset_id: string;
  readonly metric_name?: string;
  readonly metric_aggregation?: string;
  readonly attribute?: string | null;
  readonly segment?: string | null;
  readonly monitor_id?: string | null;
  readonly from_time?: string;
  readonly to_time?: string;
  readonly limit?: number;
};

export type MetricPointStore = ExclusionStore & {
  /** All or none. @throws MetadataMissing for an unknown job of the asset */
  readonly append: (scan: {
    readonly asset_id: string;
    readonly job_id: string;
    readonly metric_time: string;
    readonly points: readonly NewMetricPoint[];
  }) => Promise<void>;
  /** The newest that fit the limit, oldest first. */
  readonly history: (filter: MetricHistoryFilter) => Promise<readonly MetricHistoryItem[]>;
  /** Of the newest scans, each series with its points: all the history that the evaluation of a scan reads. */
  readonly recent: (assetId: string, scans: RecentScans) => Promise<readonly SeriesHistory[]>;
  /** Scans that ended well since a time and measured something, oldest first, the newest 10,000. */
  readonly scans: (assetId: string, since: string) => Promise<readonly FinishedScan[]>;
  /** Forgets points measured before a time; returns how many. */
  readonly deleteBefore: (time: string) => Promise<number>;
};

const HISTORY_MAX = 100_000;
const POINTS_PER_DELETION = 5000;

export function metricPointStore(scope: TenantScope): MetricPointStore {
  const { tenantId, db, write, own } = scope;
  return {
    ...exclusionStore(scope),
    append: ({ asset_id, job_id, metric_time, points }) =>
      write(async (transaction) => {
        await requireJobOf(transaction, tenantId, { id: job_id, asset_id });
        await insertMetricPoints(transaction, { tenant_id: tenantId, id: job_id, asset_id, metric_ms: toMs(metric_time) }, points);
      }),
    history: async (filter) => {
      let query = own(db).selectFrom('metric_points').selectAll().where('asset_id', '=', filter.asset_id);
      if (filter.metric_name !== undefined) query = query.where('metric_name', '=', filter.metric_name);
      if (filter.metric_aggregation !== undefined) query = query.where('metric_aggregation', '=', filter.metric_aggregation);
      for (const column of ['attribute', 'segment', 'monitor_id'] as const) {
        const value = filter[column];
        if (value !== undefined) query = query.where(column, value === null ? 'is' : '=', value);
      }
      if (filter.from_time !== undefined) query = query.where('metric_ms', '>=', toMs(filter.from_time));
      if (filter.to_time !== undefined) query = query.where('metric_ms', '<=', toMs(filter.to_time));
      const rows = await query
        .orderBy('metric_ms', 'desc')
        .orderBy('job_id', 'desc')
        .orderBy('position', 'desc')
        .limit(Math.min(filter.limit ?? HISTORY_MAX, HISTORY_MAX))
        .execute();
      return rows.toReversed().map(toHistoryItem);
    },
    recent: (assetId, scans) => seriesHistory(scope, assetId, scans),
    scans: (assetId, since) => finishedScans(scope, assetId, since),
    deleteBefore: async (time) => {
      const beforeMs = toMs(time);
      let deleted = 0;
      for (const assetIds of await assetsMeasuredBefore(db, 'metric_points', { tenantId, beforeMs })) {
        deleted += await deleteInBatches(POINTS_PER_DELETION, (limit) => deletePoints(db, { tenantId, assetIds, beforeMs, limit }));
      }
      return deleted;
    },
  };
}

type PastPoints = { readonly tenantId: string; readonly assetIds: readonly string[]; readonly beforeMs: number; readonly limit: number };

/** Some of the points of these assets that were measured before a time; answers how many. */
async function deletePoints(db: Queries, { tenantId, assetIds, beforeMs, limit }: PastPoints): Promise<number> {
  const past = ownRows(db, tenantId)
    .selectFrom('metric_points as past')
    .select(['past.tenant_id', 'past.job_id', 'past.position'])
    .where('past.asset_id', 'in', assetIds)
    .where('past.metric_ms', '<', beforeMs)
    .limit(limit);
  const { numDeletedRows } = await db
    .deleteFrom('metric_points')
    .where((where) => where(where.refTuple('tenant_id', 'job_id', 'position'), 'in', past.$asTuple('tenant_id', 'job_id', 'position')))
    .executeTakeFirst();
  return Number(numDeletedRows);
}

/** Puts the points behind those that the job has already. */
export async function insertMetricPoints(
  transaction: Queries,
  { tenant_id, id: job_id, asset_id, metric_ms }: Pick<Schema['jobs'], 'tenant_id' | 'id' | 'asset_id'> & { readonly metric_ms: number },
  points: readonly NewMetricPoint[],
): Promise<void> {
  const { last } = await transaction
    .selectFrom('metric_points')
    .select((select) => select.fn.max('position').as('last'))
    .where('tenant_id', '=', tenant_id)
    .where('job_id', '=', job_id)
    .executeTakeFirstOrThrow();
  // Kysely types max() as if there were always a row to take it of.
  const first = ((last as number | null) ?? -1) + 1;
  const rows = points.map(
    (point, index): Insertable<Schema['metric_points']> => ({
      tenant_id,
      job_id,
      position: first + index,
      asset_id,
      metric_ms,
      metric_name: point.metric_name,
      metric_aggregation: point.metric_aggregation,
      attribute: point.attribute,
      segment: point.segment,
      monitor_id: point.monitor_id,
      value: finiteOrNull(point.value),
      lower_bound: finiteOrNull(point.lower_bound),
      upper_bound: finiteOrNull(point.upper_bound),
      is_violation: toFlag(point.is_violation ?? false),
      is_excluded: 0,
      is_expected: 0,
    }),
  );
  await insertAll(transaction, 'metric_points', rows);
}

/** JSON has no NaN and no infinity: such a measurement has no value. */
function finiteOrNull(value: number | null | undefined): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
