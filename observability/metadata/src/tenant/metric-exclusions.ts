// SPDX-License-Identifier: Apache-2.0
/** What people said of points: those left out neither teach nor alert, and as far as those to be expected learned bands reach. */
import type { MetricExclusion, MetricHistoryItem, MetricName, MetricSeries } from '@sextant/contracts-observability';
import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../database/schema.ts';
import type { Queries, TenantScope } from '../database/scope.ts';
import { toMs, toTime } from '../database/values.ts';
import { MetadataMissing } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import { toHistoryItem } from './metric-rows.ts';
import { requireAsset } from './references.ts';

/** One point: the series and the job that measured it. */
export type MetricPointKey = MetricSeries & { readonly asset_id: string; readonly job_id: string };

/** One point: the series and when it was measured. */
export type MetricPointTime = MetricSeries & { readonly asset_id: string; readonly metric_time: string };

/** Of one scan and one subject, what violated. */
export type ViolatedPoints = Pick<MetricPointKey, 'asset_id' | 'job_id' | 'attribute' | 'monitor_id'> & {
  readonly metric_names: readonly MetricName[];
  /** Null for all: segments that moved along with the whole have no alert of their own. */
  readonly segment: string | null;
};

export type ExclusionStore = {
  readonly find: (point: MetricPointKey | MetricPointTime) => Promise<MetricHistoryItem | undefined>;
  /** @throws MetadataMissing */
  readonly exclude: (point: MetricPointKey, exclusion: { readonly by: string; readonly comment: string | null }) => Promise<void>;
  /** @throws MetadataMissing */
  readonly include: (point: MetricPointKey) => Promise<void>;
  /** Such values are to be expected: those of a scan that violated. It lasts until a point is left out. Answers how many they are. */
  readonly markExpected: (violated: ViolatedPoints) => Promise<number>;
  /** The excluded points of an asset, newest first, at most 10,000. @throws MetadataMissing for an unknown asset */
  readonly exclusions: (assetId: string, page?: Page) => Promise<readonly MetricExclusion[]>;
};

type Columns = Partial<Pick<Schema['metric_points'], 'is_excluded' | 'is_expected' | 'excluded_by' | 'excluded_ms' | 'exclusion_comment'>>;

export function exclusionStore({ tenantId, db, clock, own }: TenantScope): ExclusionStore {
  return {
    find: async (point) => {
      const query = db.selectFrom('metric_points').selectAll();
      const row = await query
        .where((where) => isPoint(where, tenantId, point))
        .orderBy('job_id')
        .executeTakeFirst();
      return row && toHistoryItem(row);
    },
    exclude: (point, { by, comment }) =>
      setColumns(db, tenantId, point, {
        is_excluded: 1,
        is_expected: 0,
        excluded_by: by,
        excluded_ms: clock.nowMs(),
        exclusion_comment: comment,
      }),
    include: (point) => setColumns(db, tenantId, point, { is_excluded: 0, excluded_by: null, excluded_ms: null, exclusion_comment: null }),
    markExpected: async ({ asset_id, job_id, attribute, monitor_id, metric_names, segment }) => {
      let query = db
        .updateTable('metric_points')
        .set({ is_expected: 1 })
        .where((where) => where.and({ tenant_id: tenantId, asset_id, job_id, is_violation: 1 }))
        .where('metric_name', 'in', metric_names)
        .where('attribute', attribute === null ? 'is' : '=', attribute)
        .where('monitor_id', monitor_id === null ? 'is' : '=', monitor_id);
      if (segment !== null) query = query.where('segment', '=', segment);
      const { numUpdatedRows } = await query.executeTakeFirst();
      return Number(numUpdatedRows);
    },
    exclusions: async (assetId, page) => {
      await requireAsset(db, tenantId, assetId);
      const { limit, offset } = bounded(page);
      const rows = await own(db)
        .selectFrom('metric_points')
        .selectAll()
        .where('asset_id', '=', assetId)
        .where('is_excluded', '=', 1)
        .orderBy('metric_ms', 'desc')
        .orderBy('position')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(toExclusion);
    },
  };
}

async function setColumns(db: Queries, tenantId: string, point: MetricPointKey, columns: Columns): Promise<void> {
  const query = db
    .updateTable('metric_points')
    .set(columns)
    .where((where) => isPoint(where, tenantId, point));
  const { numUpdatedRows } = await query.executeTakeFirst();
  if (numUpdatedRows === 0n) throw new MetadataMissing('metric point', `${point.metric_name} of job ${point.job_id}`);
}

function isPoint(where: ExpressionBuilder<Schema, 'metric_points'>, tenant_id: string, point: MetricPointKey | MetricPointTime) {
  const { asset_id, metric_name, metric_aggregation } = point;
  const nullable = (['attribute', 'segment', 'monitor_id'] as const).map((column) =>
    point[column] === null ? where(column, 'is', null) : where(column, '=', point[column]),
  );
  const scan = 'job_id' in point ? where('job_id', '=', point.job_id) : where('metric_ms', '=', toMs(point.metric_time));
  return where.and([where.and({ tenant_id, asset_id, metric_name, metric_aggregation }), scan, ...nullable]);
}

function toExclusion(row: Schema['metric_points']): MetricExclusion {
  const { asset_id, job_id, metric_aggregation, attribute, segment, monitor_id, value } = row;
  return {
    asset_id,
    job_id,
    metric_time: toTime(row.metric_ms),
    // The store wrote the name from a `MetricPoint`.
    metric_name: row.metric_name as MetricName,
    metric_aggregation,
    attribute,
    segment,
    monitor_id,
    value,
    excluded_by: row.excluded_by ?? '',
    excluded_time: toTime(row.excluded_ms ?? 0),
    comment: row.exclusion_comment,
  };
}
