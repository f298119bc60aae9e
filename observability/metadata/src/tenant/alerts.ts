// SPDX-License-Identifier: Apache-2.0
import type { Alert, IncidentMetric, MetricSeries } from '@sextant/contracts-observability';
import type { ExpressionBuilder } from 'kysely';
import type { Schema } from '../database/schema.ts';
import { insertAll, type TenantScope, takeNumbers } from '../database/scope.ts';
import { fromJson, toFlag, toJson, toMs, toTime } from '../database/values.ts';
import { MetadataMissing, MetadataRefused } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import type { MetricPointKey } from './metric-exclusions.ts';
import { deleteStrayAlerts } from './old-incidents.ts';
import { requireAsset, requireJobOf } from './references.ts';

/** What is kept beside the alert that people see. */
export type NewAlert = Alert & {
  /** The monitor that raised it, so that it goes with the monitor. */
  readonly monitor_id: string;
  /** The measured point, with the job; null where no point was measured, as for a scan that failed. */
  readonly series: MetricSeries | null;
  /** What the incident says of it. */
  readonly metric: IncidentMetric;
};

export type StoredAlert = NewAlert & { readonly id: number; readonly incident_id: number | null };

/** The alerts of an incident that one scan raised. */
export type AlertStep = { readonly source: string; readonly incident_id: number; readonly metric_time: string };

export type AlertFilter = {
  readonly sources: readonly string[];
  readonly upload_dates: readonly string[];
  readonly violation_names: readonly string[];
};

export type AlertStore = {
  /** All or none. @throws MetadataMissing for an unknown asset */
  readonly append: (alerts: readonly NewAlert[]) => Promise<void>;
  /** Source in A and metric time in B and violation in C; newest first. An empty array matches nothing. */
  readonly byFilters: (filter: AlertFilter, page?: Page) => Promise<readonly Alert[]>;
  /** @throws MetadataMissing for an unknown asset, or a job that is not of it */
  readonly ofJob: (job: { readonly source: string; readonly job_id: string }) => Promise<readonly Alert[]>;
  readonly ofStep: (step: AlertStep) => Promise<readonly StoredAlert[]>;
  /** The alerts of a point: of its series in its job. */
  readonly ofPoint: (point: MetricPointKey) => Promise<readonly StoredAlert[]>;
  /** Marks alerts as notified. Nothing happens where there are none. */
  readonly markNotified: (step: AlertStep) => Promise<void>;
  /** Sets `violation_data.is_excluded`, or takes it away. */
  readonly markExcluded: (ids: readonly number[], isExcluded: boolean) => Promise<void>;
  /** Alerts of an asset, or of one of its monitors, that belong to no incident; oldest measurement first, at most 10,000. */
  readonly strays: (from: {
    readonly source: string;
    readonly monitor_id?: string;
    readonly since: string;
  }) => Promise<readonly StoredAlert[]>;
  /** Forgets alerts from before a time that belong to no incident; returns how many. The others go with their incidents. */
  readonly deleteStraysBefore: (time: string) => Promise<number>;
};

/** More than an answer needs: an incident of a year with a scan each hour refers to fewer. */
const FILTER_VALUES_MAX = 10_000;

export function alertStore({ tenantId, db, write, own }: TenantScope): AlertStore {
  const alerts = own(db).selectFrom('alerts');
  return {
    append: (added) =>
      write(async (transaction) => {
        for (const source of new Set(added.map((alert) => alert.source))) await requireAsset(transaction, tenantId, source);
        const first = await takeNumbers(transaction, tenantId, 'alert', added.length);
        const rows = added.map((alert, index) => toRow(tenantId, first + index, alert));
        await insertAll(transaction, 'alerts', rows);
      }),
    ofStep: async ({ source, incident_id, metric_time }) => {
      const query = alerts.selectAll().where('source', '=', source).where('metric_ms', '=', toMs(metric_time));
      return (await query.where('incident_id', '=', incident_id).orderBy('id').execute()).map(toStoredAlert);
    },
    ofPoint: async ({ asset_id, job_id, ...series }) => {
      const rows = await alerts.selectAll().where('job_id', '=', job_id).where('source', '=', asset_id).orderBy('id').execute();
      return rows.map(toStoredAlert).filter((alert) => alert.series !== null && seriesText(alert.series) === seriesText(series));
    },
    markNotified: async ({ source, incident_id, metric_time }) => {
      await own(db)
        .updateTable('alerts')
        .set({ is_notified: 1 })
        .where('source', '=', source)
        .where('incident_id', '=', incident_id)
        .where('metric_ms', '=', toMs(metric_time))
        .execute();
    },
    markExcluded: (ids, isExcluded) =>
      write(async (transaction) => {
        for (const id of ids) {
          const place = (where: ExpressionBuilder<Schema, 'alerts'>) => where.and({ tenant_id: tenantId, id });
          const row = await transaction.selectFrom('alerts').select('violation_data').where(place).executeTakeFirst();
          if (row === undefined) throw new MetadataMissing('alert', id);
          const { is_excluded: _before, ...data } = fromJson<Alert['violation_data']>(row.violation_data);
          const violation_data = toJson(isExcluded ? { ...data, is_excluded: true } : data);
          await transaction.updateTable('alerts').set({ violation_data }).where(place).execute();
        }
      }),
    strays: async ({ source, monitor_id, since }) => {
      let query = alerts.selectAll().where('source', '=', source).where('metric_ms', '>=', toMs(since)).where('incident_id', 'is', null);
      if (monitor_id !== undefined) query = query.where('monitor_id', '=', monitor_id);
      return (await query.orderBy('metric_ms').orderBy('id').limit(bounded().limit).execute()).map(toStoredAlert);
    },
    byFilters: async ({ sources, upload_dates, violation_names }, page) => {
      const values = sources.length + upload_dates.length + violation_names.length;
      if (values > FILTER_VALUES_MAX)
        throw new MetadataRefused(`The filters have ${values} values; at most ${FILTER_VALUES_MAX} are compared.`);
      if (sources.length === 0 || upload_dates.length === 0 || violation_names.length === 0) return [];
      const { limit, offset } = bounded(page);
      const rows = await own(db)
        .selectFrom('alerts')
        .selectAll()
        .where('source', 'in', sources)
        .where('metric_ms', 'in', upload_dates.map(toMs))
        .where('violation_name', 'in', violation_names)
        .orderBy('metric_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map(toAlert);
    },
    ofJob: async ({ source, job_id }) => {
      await requireAsset(db, tenantId, source);
      await requireJobOf(db, tenantId, { id: job_id, asset_id: source });
      const rows = await own(db)
        .selectFrom('alerts')
        .selectAll()
        .where('job_id', '=', job_id)
        .where('source', '=', source)
        .orderBy('metric_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(bounded().limit)
        .execute();
      return rows.map(toAlert);
    },
    deleteStraysBefore: (time) => deleteStrayAlerts({ tenantId, db }, toMs(time)),
  };
}

function toRow(tenant_id: string, id: number, alert: NewAlert): Schema['alerts'] {
  const { source, monitor_id, type, attribute, job_id, violation_name, metric_value, policy_name } = alert;
  const { segment, priority, source_name, source_type, project_name } = alert;
  return {
    tenant_id,
    id,
    source,
    monitor_id,
    type,
    attribute,
    job_id,
    violation_name,
    metric_value,
    policy_name,
    segment,
    priority,
    source_name,
    source_type,
    project_name,
    create_ms: toMs(alert.create_time),
    save_ms: toMs(alert.save_time),
    metric_ms: toMs(alert.metric_time),
    violation_data: toJson(alert.violation_data),
    description: toJson(alert.description),
    tags: toJson(alert.tags),
    notification_channels: toJson(alert.notification_channels),
    is_notification_enabled: toFlag(alert.is_notification_enabled),
    is_notified: toFlag(alert.is_notified),
    series: toJson(alert.series),
    metric: toJson(alert.metric),
    incident_id: null,
  };
}

function toStoredAlert(row: Schema['alerts']): StoredAlert {
  const { id, monitor_id, incident_id } = row;
  return { ...toAlert(row), id, monitor_id, incident_id, series: fromJson(row.series), metric: fromJson(row.metric) };
}

function seriesText({ metric_name, metric_aggregation, attribute, segment, monitor_id }: MetricSeries): string {
  return JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]);
}

function toAlert(row: Schema['alerts']): Alert {
  const { type, source, attribute, job_id, violation_name, metric_value, policy_name } = row;
  const { segment, priority, source_name, source_type, project_name } = row;
  return {
    type,
    source,
    attribute,
    job_id,
    create_time: toTime(row.create_ms),
    save_time: toTime(row.save_ms),
    violation_data: fromJson<Alert['violation_data']>(row.violation_data),
    violation_name,
    notification_channels: fromJson(row.notification_channels),
    is_notification_enabled: row.is_notification_enabled === 1,
    metric_time: toTime(row.metric_ms),
    is_notified: row.is_notified === 1,
    metric_value,
    policy_name,
    segment,
    priority,
    description: fromJson<Alert['description']>(row.description),
    source_name,
    source_type,
    project_name,
    tags: fromJson(row.tags),
  };
}
