// SPDX-License-Identifier: Apache-2.0
import type { IncidentEvidence, RelatedIncident } from '@sextant/contracts-observability';
import { putRow, type TenantScope } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';
import { LISTED, toIncident } from './incident-rows.ts';
import { requireIncident } from './references.ts';

/** The incident that is the cause of another, and why it is taken for that. */
export type CommonCause = { readonly root_id: number; readonly reason: string };

export type StoredStory = {
  readonly job_id: string | null;
  readonly evidence: readonly IncidentEvidence[];
  readonly why: readonly string[];
  /** Null where it stands alone, or is the cause itself. */
  readonly cause: CommonCause | null;
};

/** Why incidents are there. */
export type IncidentStoryStore = {
  /** Takes the place of what was known; a cause that is left out stays as it was. @throws MetadataMissing for an unknown incident */
  readonly put: (incidentId: number, story: Omit<StoredStory, 'cause'> & { readonly cause?: CommonCause | null }) => Promise<void>;
  /** Undefined where no scan has said anything. */
  readonly find: (incidentId: number) => Promise<StoredStory | undefined>;
  /** The cause by incident; those without one are left out. */
  readonly rootsOf: (incidentIds: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** All incidents of one cause, the cause first, then the oldest, at most 100; empty where it stands alone. @throws MetadataMissing */
  readonly related: (incidentId: number) => Promise<readonly RelatedIncident[]>;
};

const RELATED_MAX = 100;

export function incidentStoryStore({ tenantId, db, write, own }: TenantScope): IncidentStoryStore {
  const find = async (id: number): Promise<StoredStory | undefined> => {
    const row = await own(db).selectFrom('incident_stories').selectAll().where('incident_id', '=', id).executeTakeFirst();
    if (row === undefined) return undefined;
    const { job_id, root_id, reason } = row;
    return {
      job_id,
      evidence: fromJson(row.evidence),
      why: fromJson(row.why),
      cause: root_id === null ? null : { root_id, reason: reason ?? '' },
    };
  };
  return {
    find,
    put: (incident_id, { job_id, evidence, why, cause }) =>
      write(async (transaction) => {
        await requireIncident(transaction, tenantId, incident_id);
        const story = { job_id, evidence: toJson(evidence), why: toJson(why) };
        const caused = { root_id: cause?.root_id ?? null, reason: cause?.reason ?? null };
        const columns = cause === undefined ? story : { ...story, ...caused };
        await putRow(transaction, 'incident_stories', { key: { tenant_id: tenantId, incident_id }, columns, ofNew: caused });
      }),
    rootsOf: async (ids) => {
      if (ids.length === 0) return new Map();
      const rows = await own(db)
        .selectFrom('incident_stories')
        .select(['incident_id', 'root_id'])
        .where('incident_id', 'in', ids)
        .where('root_id', 'is not', null)
        .execute();
      return new Map(rows.flatMap(({ incident_id, root_id }) => (root_id === null ? [] : [[incident_id, root_id] as const])));
    },
    related: async (id) => {
      await requireIncident(db, tenantId, id);
      const root = (await find(id))?.cause?.root_id ?? id;
      const rows = await own(db)
        .selectFrom('incidents')
        .leftJoin('incident_stories as story', (join) =>
          join.onRef('story.tenant_id', '=', 'incidents.tenant_id').onRef('story.incident_id', '=', 'incidents.id'),
        )
        .innerJoin('assets', (join) =>
          join.onRef('assets.tenant_id', '=', 'incidents.tenant_id').onRef('assets.id', '=', 'incidents.asset_id'),
        )
        .select([...LISTED.map((column) => `incidents.${column}` as const), 'assets.name as asset_name', 'story.reason', 'story.root_id'])
        .where((where) => where.or([where('incidents.id', '=', root), where('story.root_id', '=', root)]))
        .orderBy('incidents.created_ms')
        .orderBy('incidents.id')
        .limit(RELATED_MAX)
        .execute();
      if (rows.length < 2) return [];
      return rows
        .map(({ asset_name, reason, root_id, ...row }): RelatedIncident => {
          const {
            id: incident_id,
            asset_id,
            alert_policy_id,
            alert_policy_name,
            severity,
            status,
            created_time,
            description,
          } = toIncident(row);
          const place = { incident_id, asset_id, asset_name, alert_policy_id, alert_policy_name };
          const isCause = incident_id === root || root_id === null;
          return {
            ...place,
            severity,
            status,
            created_time,
            description,
            role: isCause ? 'CAUSE' : 'EFFECT',
            reason: isCause ? null : reason,
          };
        })
        .toSorted((one, other) => Number(one.role === 'EFFECT') - Number(other.role === 'EFFECT'));
    },
  };
}
