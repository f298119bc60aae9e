import type { Alert } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { insertAll, type TenantScope, takeNumbers } from '../database/scope.ts';
import { fromJson, toFlag, toJson, toMs, toTime } from '../database/values.ts';
import { MetadataRefused } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import { requireAsset, requireJobOf } from './references.ts';

/** The monitor that raised it is kept beside the alert, so that it goes with the monitor. */
export type NewAlert = Alert & { readonly monitor_id: string };

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
};

/** More than an answer needs: an incident of a year with a scan each hour refers to fewer. */
const FILTER_VALUES_MAX = 10_000;

export function alertStore({ tenantId, db, write }: TenantScope): AlertStore {
  return {
    append: (alerts) =>
      write(async (transaction) => {
        for (const source of new Set(alerts.map((alert) => alert.source))) await requireAsset(transaction, tenantId, source);
        const first = await takeNumbers(transaction, tenantId, 'alert', alerts.length);
        const rows = alerts.map((alert, index) => toRow(tenantId, first + index, alert));
        await insertAll(transaction, 'alerts', rows);
      }),
    byFilters: async ({ sources, upload_dates, violation_names }, page) => {
      const values = sources.length + upload_dates.length + violation_names.length;
      if (values > FILTER_VALUES_MAX)
        throw new MetadataRefused(`The filters have ${values} values; at most ${FILTER_VALUES_MAX} are compared.`);
      if (sources.length === 0 || upload_dates.length === 0 || violation_names.length === 0) return [];
      const { limit, offset } = bounded(page);
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('tenant_id', '=', tenantId)
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
      const rows = await db
        .selectFrom('alerts')
        .selectAll()
        .where('tenant_id', '=', tenantId)
        .where('job_id', '=', job_id)
        .where('source', '=', source)
        .orderBy('metric_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(bounded().limit)
        .execute();
      return rows.map(toAlert);
    },
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
  };
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
