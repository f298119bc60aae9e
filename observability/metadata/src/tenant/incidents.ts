// SPDX-License-Identifier: Apache-2.0
import {
  type Incident,
  type IncidentDetail,
  type IncidentDistribution,
  type IncidentFilter,
  type IncidentHistoryItem,
  type IncidentMetric,
  type IncidentStepActor,
  type IncidentSummary,
  SYSTEM_ACTOR,
} from '@sextant/contracts-observability';
import { insertAll, ownRows, type Queries, type TenantScope, takeNumbers } from '../database/scope.ts';
import { caseless, definedOnly, fromJson, toDay, toJson, toMs, toTime } from '../database/values.ts';
import { MetadataMissing } from '../errors.ts';
import { bounded, type Page } from '../page.ts';
import { incidentCondition } from './incident-filter.ts';
import { type IncidentRow, LISTED, toHistoryItem, toIncident } from './incident-rows.ts';
import { distribution, summary } from './incident-statistics.ts';
import { insertStep, stepCount } from './incident-steps.ts';
import { deleteClosedIncidents } from './old-incidents.ts';
import { getRow } from './references.ts';
import { type TrackedFilter, type TrackedIncident, trackedIncidents } from './tracked-incidents.ts';

/** An incident as it begins: its first history item decides `created_time` and that it is open. */
export type NewIncident = Pick<
  Incident,
  'asset_id' | 'last_upload_timestamp' | 'severity' | 'alert_policy_id' | 'alert_policy_name' | 'description' | 'tags'
> & {
  readonly impact: Incident['impact'] | null;
  /** VIOLATION when left out. */
  readonly kind?: Incident['kind'];
  readonly created_time: string;
  readonly metrics: readonly IncidentMetric[];
  readonly history: IncidentHistoryItem;
  /** Who made it; `system` when left out. */
  readonly actor?: string;
};

/** RESOLVED closes the incident, every other state leaves or makes it open. Metrics are added to those that it has, up to 1,000. */
export type IncidentStep = IncidentHistoryItem &
  Partial<Pick<Incident, 'last_upload_timestamp' | 'severity' | 'impact' | 'description' | 'kind'>> & {
    readonly metrics?: readonly IncidentMetric[];
    /** Who made it; `system` when left out. */
    readonly actor?: string;
  };

/** Steps mark the alerts that they refer to as the incident's, and are recorded in the audit trail, all but ONGOING. */
export type IncidentStore = {
  /** @throws MetadataMissing for an unknown asset */
  readonly open: (incident: NewIncident) => Promise<IncidentDetail>;
  /** @throws MetadataMissing */
  readonly advance: (id: number, step: IncidentStep) => Promise<IncidentDetail>;
  /** Oldest first. */
  readonly trackedOfAsset: (assetId: string, filter?: TrackedFilter) => Promise<readonly TrackedIncident[]>;
  readonly openOfAsset: (assetId: string) => Promise<readonly TrackedIncident[]>;
  /** Who made each step, in the order of the history. @throws MetadataMissing */
  readonly actors: (id: number) => Promise<readonly IncidentStepActor[]>;
  /** Newest first, at most 10,000. */
  readonly list: (filter?: IncidentFilter, page?: Page) => Promise<readonly Incident[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<IncidentDetail>;
  /** The newest, at most 10,000, with what they are about and when they ended. */
  readonly outcomes: (page?: Page) => Promise<readonly IncidentOutcome[]>;
  /** @throws MetadataRefused when it would have more than 36,600 days */
  readonly distribution: (filter?: IncidentFilter) => Promise<IncidentDistribution>;
  readonly summary: () => Promise<IncidentSummary>;
  /** Forgets incidents that were closed before a time, with their alerts, comments and tickets; returns how many. */
  readonly deleteClosedBefore: (time: string) => Promise<number>;
};

export type IncidentOutcome = Incident & { readonly metrics: readonly IncidentMetric[]; readonly closed_time: string | null };

/** What a search compares of a policy's name: an entry of PostgreSQL's index holds at most 2,704 bytes. */
const POLICY_KEY_LENGTH = 500;
/** Metrics of one incident, the first ones: the top values of a column alone could add some with every scan. */
const METRICS_MAX = 1000;

export function incidentStore(scope: TenantScope): IncidentStore {
  const { tenantId, db, write, own } = scope;
  const rowOf = (queries: Queries, id: number) => getRow(queries, tenantId, { table: 'incidents', id });
  const getDetail = async (queries: Queries, id: number): Promise<IncidentDetail> => {
    const row = await rowOf(queries, id);
    const history = await own(queries)
      .selectFrom('incident_history')
      .selectAll()
      .where('incident_id', '=', id)
      .orderBy('position')
      .execute();
    return { ...toIncident(row), metrics: fromJson(row.metrics), history: history.map(toHistoryItem) };
  };
  return {
    open: ({ history, metrics, tags, actor = SYSTEM_ACTOR, ...incident }) =>
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
          impact: impact || null,
          status,
          ticket_id: null,
          alert_policy_id,
          alert_policy_name,
          policy_key: caseless(alert_policy_name).slice(0, POLICY_KEY_LENGTH),
          description,
          tags: toJson(tags),
          metrics: toJson(distinct(metrics)),
          assignee_id: null,
          kind: incident.kind ?? 'VIOLATION',
        };
        await transaction.insertInto('incidents').values(row).execute();
        const tagRows = [...new Set(tags)].map((tag) => ({ tenant_id: tenantId, incident_id: id, tag, status }));
        await insertAll(transaction, 'incident_tags', tagRows);
        await insertStep(transaction, scope, { id, position: 0, asset_id, alert_policy_id }, { ...history, actor });
        return getDetail(transaction, id);
      }),
    advance: (id, { timestamp, state, alert_refs, actor = SYSTEM_ACTOR, ...change }) =>
      write(async (transaction) => {
        const row = await rowOf(transaction, id);
        const status = state === 'RESOLVED' ? 'CLOSED' : 'OPEN';
        const next = { ...toIncident(row), ...definedOnly(change) };
        const known = fromJson<readonly IncidentMetric[]>(row.metrics);
        await own(transaction)
          .updateTable('incidents')
          .set({
            status,
            closed_ms: status === 'CLOSED' ? toMs(timestamp) : null,
            last_upload_ms: toMs(next.last_upload_timestamp),
            severity: next.severity,
            impact: next.impact || null,
            description: next.description,
            kind: next.kind,
            metrics: toJson(distinct([...known, ...(change.metrics ?? [])])),
          })
          .where('id', '=', id)
          .execute();
        await own(transaction).updateTable('incident_tags').set({ status }).where('incident_id', '=', id).execute();
        const position = await stepCount(transaction, tenantId, id);
        await insertStep(transaction, scope, { ...row, position }, { timestamp, state, alert_refs, actor });
        return getDetail(transaction, id);
      }),
    trackedOfAsset: (assetId, filter) => trackedIncidents(scope, assetId, filter),
    openOfAsset: (assetId) => trackedIncidents(scope, assetId, { closedSinceMs: Number.MAX_SAFE_INTEGER }),
    actors: async (id) => {
      const rows = await own(db)
        .selectFrom('incident_history')
        .select(['event_ms', 'state', 'actor'])
        .where('incident_id', '=', id)
        .orderBy('position')
        .execute();
      if (rows.length === 0) throw new MetadataMissing('incident', id);
      // The store wrote the state from an `IncidentHistoryItem`.
      return rows.map(({ event_ms, state, actor }) => ({ timestamp: toTime(event_ms), state: state as IncidentStepActor['state'], actor }));
    },
    list: async (filter = {}, page) => {
      const { limit, offset } = bounded(page);
      // Finds the ids in an index that holds all that filters ask, then reads only those rows.
      const rows = await own(db)
        .selectFrom('incidents')
        .select(LISTED)
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
    outcomes: async (page) => {
      const { limit, offset } = bounded(page);
      const rows = await own(db)
        .selectFrom('incidents')
        .select([...LISTED, 'metrics', 'closed_ms'])
        .orderBy('created_ms', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .offset(offset)
        .execute();
      return rows.map((row) => ({
        ...toIncident(row),
        metrics: fromJson<readonly IncidentMetric[]>(row.metrics),
        closed_time: row.closed_ms === null ? null : toTime(row.closed_ms),
      }));
    },
    get: (id) => getDetail(db, id),
    distribution: (filter = {}) => distribution(scope, filter),
    summary: () => summary(scope),
    deleteClosedBefore: (time) => deleteClosedIncidents(scope, toMs(time)),
  };
}

async function projectOf(db: Queries, tenantId: string, assetId: string): Promise<number> {
  const row = await ownRows(db, tenantId).selectFrom('assets').select('project_id').where('id', '=', assetId).executeTakeFirst();
  if (row === undefined) throw new MetadataMissing('asset', assetId);
  return row.project_id;
}

function distinct(metrics: readonly IncidentMetric[]): readonly IncidentMetric[] {
  return [...new Map(metrics.map((metric) => [metricKey(metric), metric])).values()].slice(0, METRICS_MAX);
}

function metricKey({ metric_name, metric_aggregation, display_metric_name, segment, rule, attribute }: IncidentMetric): string {
  return JSON.stringify([metric_name, metric_aggregation, display_metric_name, segment, rule, attribute]);
}
