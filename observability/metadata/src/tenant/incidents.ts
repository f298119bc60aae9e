import type {
  Incident,
  IncidentDetail,
  IncidentDistribution,
  IncidentFilter,
  IncidentHistoryItem,
  IncidentMetric,
  IncidentSummary,
} from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import { insertAll, type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { caseless, fromJson, toDay, toJson, toMs, toTime } from '../database/values.ts';
import { MetadataMissing } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import { incidentCondition } from './incident-filter.ts';
import { distribution, summary } from './incident-statistics.ts';

/** An incident as it begins: its first history item decides `created_time` and that it is open. */
export type NewIncident = Pick<
  Incident,
  'asset_id' | 'last_upload_timestamp' | 'severity' | 'impact' | 'alert_policy_id' | 'alert_policy_name' | 'description' | 'tags'
> & { readonly created_time: string; readonly metrics: readonly IncidentMetric[]; readonly history: IncidentHistoryItem };

/** RESOLVED closes the incident, every other state leaves or makes it open. Metrics are added to those that it has. */
export type IncidentStep = IncidentHistoryItem &
  Partial<Pick<Incident, 'last_upload_timestamp' | 'severity' | 'impact' | 'description' | 'ticket_id'>> & {
    readonly metrics?: readonly IncidentMetric[];
  };

export type IncidentStore = {
  /** @throws MetadataMissing for an unknown asset */
  readonly open: (incident: NewIncident) => Promise<IncidentDetail>;
  /** @throws MetadataMissing */
  readonly advance: (id: number, step: IncidentStep) => Promise<IncidentDetail>;
  /** @throws MetadataMissing */
  readonly setTicket: (id: number, ticketId: number | null) => Promise<void>;
  /** The newest incident of an asset and a policy. */
  readonly findLatest: (assetId: string, alertPolicyId: string) => Promise<Incident | undefined>;
  /** Newest first, at most 10,000. */
  readonly list: (filter?: IncidentFilter, page?: Page) => Promise<readonly Incident[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<IncidentDetail>;
  /** @throws MetadataRefused when it would have more than 36,600 days */
  readonly distribution: (filter?: IncidentFilter) => Promise<IncidentDistribution>;
  readonly summary: () => Promise<IncidentSummary>;
};

/** What a list item needs; the metrics of the detail are larger. */
const LISTED = [
  'id',
  'project_id',
  'asset_id',
  'last_upload_ms',
  'created_ms',
  'severity',
  'impact',
  'status',
  'ticket_id',
  'alert_policy_id',
  'alert_policy_name',
  'description',
  'tags',
] as const;

/** What a search compares of a policy's name: an entry of PostgreSQL's index holds at most 2,704 bytes. */
const POLICY_KEY_LENGTH = 500;

type IncidentRow = Schema['incidents'];

export function incidentStore(scope: TenantScope): IncidentStore {
  const { tenantId, db, write } = scope;
  const getDetail = async (queries: Queries, id: number): Promise<IncidentDetail> => {
    const row = await queries.selectFrom('incidents').selectAll().where('tenant_id', '=', tenantId).where('id', '=', id).executeTakeFirst();
    if (row === undefined) throw new MetadataMissing('incident', id);
    const history = await queries
      .selectFrom('incident_history')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .where('incident_id', '=', id)
      .orderBy('position')
      .execute();
    return { ...toIncident(row), metrics: fromJson(row.metrics), history: history.map(toHistoryItem) };
  };
  const insertHistory = (queries: Queries, id: number, position: number, { timestamp, state, alert_refs }: IncidentHistoryItem) =>
    queries
      .insertInto('incident_history')
      .values({ tenant_id: tenantId, incident_id: id, position, event_ms: toMs(timestamp), state, alert_refs: toJson(alert_refs) })
      .execute();

  return {
    open: ({ history, metrics, tags, ...incident }) =>
      write(async (transaction) => {
        const project_id = await projectOf(transaction, tenantId, incident.asset_id);
        const id = await takeNumbers(transaction, tenantId, 'incident');
        const created_ms = toMs(incident.created_time);
        const { asset_id, severity, impact, alert_policy_id, alert_policy_name, description } = incident;
        const status = 'OPEN';
        const row: IncidentRow = {
          tenant_id: tenantId,
          id,
          project_id,
          asset_id,
          last_upload_ms: toMs(incident.last_upload_timestamp),
          created_ms,
          created_day: toDay(created_ms),
          closed_ms: null,
          severity,
          impact,
          status,
          ticket_id: null,
          alert_policy_id,
          alert_policy_name,
          policy_key: caseless(alert_policy_name).slice(0, POLICY_KEY_LENGTH),
          description,
          tags: toJson(tags),
          metrics: toJson(distinct(metrics)),
        };
        await transaction.insertInto('incidents').values(row).execute();
        const tagRows = [...new Set(tags)].map((tag) => ({ tenant_id: tenantId, incident_id: id, tag, status }));
        await insertAll(transaction, 'incident_tags', tagRows);
        await insertHistory(transaction, id, 0, history);
        return getDetail(transaction, id);
      }),
    advance: (id, { timestamp, state, alert_refs, ...change }) =>
      write(async (transaction) => {
        const incident = await getDetail(transaction, id);
        const status = state === 'RESOLVED' ? 'CLOSED' : 'OPEN';
        const next = { ...incident, ...Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)) };
        await transaction
          .updateTable('incidents')
          .set({
            status,
            closed_ms: status === 'CLOSED' ? toMs(timestamp) : null,
            last_upload_ms: toMs(next.last_upload_timestamp),
            severity: next.severity,
            impact: next.impact,
            description: next.description,
            ticket_id: next.ticket_id,
            metrics: toJson(distinct([...incident.metrics, ...(change.metrics ?? [])])),
          })
          .where('tenant_id', '=', tenantId)
          .where('id', '=', id)
          .execute();
        await transaction
          .updateTable('incident_tags')
          .set({ status })
          .where('tenant_id', '=', tenantId)
          .where('incident_id', '=', id)
          .execute();
        await insertHistory(transaction, id, incident.history.length, { timestamp, state, alert_refs });
        return getDetail(transaction, id);
      }),
    setTicket: async (id, ticket_id) => {
      const query = db.updateTable('incidents').set({ ticket_id }).where('tenant_id', '=', tenantId).where('id', '=', id);
      const { numUpdatedRows } = await query.executeTakeFirst();
      if (numUpdatedRows === 0n) throw new MetadataMissing('incident', id);
    },
    findLatest: async (assetId, alertPolicyId) => {
      const row = await db
        .selectFrom('incidents')
        .select(LISTED)
        .where('tenant_id', '=', tenantId)
        .where('asset_id', '=', assetId)
        .where('alert_policy_id', '=', alertPolicyId)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst();
      return row && toIncident(row);
    },
    list: async (filter = {}, page) => {
      const { limit, offset } = bounded(page);
      // Finds the ids in an index that holds all that filters ask, then reads only those rows.
      const rows = await db
        .selectFrom('incidents')
        .select(LISTED)
        .where('tenant_id', '=', tenantId)
        .where('id', 'in', (select) =>
          select
            .selectFrom('incidents')
            .select('incidents.id')
            .where((where) => incidentCondition(where, scope, filter))
            .orderBy('created_ms', 'desc')
            .orderBy('id', 'desc')
            .limit(limit)
            .offset(offset),
        )
        .orderBy('created_ms', 'desc')
        .orderBy('id', 'desc')
        .execute();
      return rows.map(toIncident);
    },
    get: (id) => getDetail(db, id),
    distribution: (filter = {}) => distribution(scope, filter),
    summary: () => summary(scope),
  };
}

async function projectOf(db: Queries, tenantId: string, assetId: string): Promise<number> {
  const row = await db
    .selectFrom('assets')
    .select('project_id')
    .where('tenant_id', '=', tenantId)
    .where('id', '=', assetId)
    .executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('asset', assetId);
  return row.project_id;
}

function distinct(metrics: readonly IncidentMetric[]): readonly IncidentMetric[] {
  return [...new Map(metrics.map((metric) => [metricKey(metric), metric])).values()];
}

function metricKey({ metric_name, metric_aggregation, display_metric_name, segment, rule, attribute }: IncidentMetric): string {
  return JSON.stringify([metric_name, metric_aggregation, display_metric_name, segment, rule, attribute]);
}

function toIncident(row: Pick<IncidentRow, (typeof LISTED)[number]>): Incident {
  const { id, project_id, asset_id, ticket_id, alert_policy_id, alert_policy_name, description } = row;
  return {
    id,
    project_id,
    asset_id,
    last_upload_timestamp: toTime(row.last_upload_ms),
    created_time: toTime(row.created_ms),
    // The store wrote these from an `Incident`.
    severity: row.severity as Incident['severity'],
    impact: row.impact as Incident['impact'],
    status: row.status as Incident['status'],
    ticket_id,
    alert_policy_id,
    alert_policy_name,
    description,
    tags: fromJson<readonly string[]>(row.tags),
  };
}

function toHistoryItem({ event_ms, state, alert_refs }: Schema['incident_history']): IncidentHistoryItem {
  // The store wrote the state from an `IncidentHistoryItem`.
  return { timestamp: toTime(event_ms), state: state as IncidentHistoryItem['state'], alert_refs: fromJson(alert_refs) };
}
