// SPDX-License-Identifier: Apache-2.0
import type { DqScoreConfig, Incident, IncidentDetail, ScorePart } from '@sextant/contracts-observability';
import type { Schema } from '../database/schema.ts';
import type { TenantScope } from '../database/scope.ts';
import { fromJson, fromJsonOrNull, toJson, toMs, toTime } from '../database/values.ts';
import { assetsMeasuredBefore } from './past-assets.ts';
import { requireAsset, requireJobOf } from './references.ts';

/** What one scan made of the score of its asset. The parts are kept while scores are disabled, so that enabling them has something to go on. */
export type ScoreRecord = {
  readonly asset_id: string;
  readonly job_id: string;
  readonly metric_time: string;
  /** Null while scores are disabled, and where nothing with a weight was known. */
  readonly score: number | null;
  readonly parts: readonly ScorePart[];
};

/** All that the score of an asset hangs on now, but for its monitors. */
export type ScoreStanding = {
  readonly asset_id: string;
  readonly asset_name: string;
  readonly project_id: number;
  /** Null while the asset stands on the default. */
  readonly config: DqScoreConfig | null;
  readonly last: ScoreRecord | undefined;
  readonly exposure: Exposure;
};

/** The open incidents of an asset with the attributes that each is about, and how many attributes the asset has. */
type Exposure = {
  readonly open_incidents: readonly (Pick<Incident, 'id' | 'alert_policy_id' | 'severity'> & {
    readonly attributes: readonly (string | null)[];
  })[];
  readonly attributes: number;
};

export type DqScoreStore = {
  /** @throws MetadataMissing for an unknown job of the asset */
  readonly append: (record: ScoreRecord) => Promise<void>;
  /** Newest first, with those that have no score. @throws MetadataMissing for an unknown asset */
  readonly newest: (assetId: string, limit: number) => Promise<readonly ScoreRecord[]>;
  /** Those that have a score: the newest that fit the limit, oldest first. Times are inclusive. @throws MetadataMissing for an unknown asset */
  readonly history: (filter: {
    readonly asset_id: string;
    readonly from_time?: string;
    readonly to_time?: string;
    readonly limit: number;
  }) => Promise<readonly (ScoreRecord & { readonly score: number })[]>;
  /** @throws MetadataMissing for an unknown asset */
  readonly exposure: (assetId: string) => Promise<Exposure>;
  /** One for each asset, in the order of their names. */
  readonly standings: () => Promise<readonly ScoreStanding[]>;
  /** Forgets scores measured before a time; returns how many. */
  readonly deleteBefore: (time: string) => Promise<number>;
};

export function dqScoreStore(scope: TenantScope): DqScoreStore {
  const { tenantId, db, write, own } = scope;
  const records = () => own(db).selectFrom('dq_scores').selectAll();
  return {
    append: ({ asset_id, job_id, metric_time, score, parts }) =>
      write(async (transaction) => {
        await requireJobOf(transaction, tenantId, { id: job_id, asset_id });
        const row = { tenant_id: tenantId, job_id, asset_id, metric_ms: toMs(metric_time), score, parts: toJson(parts) };
        await transaction.insertInto('dq_scores').values(row).execute();
      }),
    newest: async (assetId, limit) => {
      await requireAsset(db, tenantId, assetId);
      const rows = await records()
        .where('asset_id', '=', assetId)
        .orderBy('metric_ms', 'desc')
        .orderBy('job_id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRecord);
    },
    history: async ({ asset_id, from_time, to_time, limit }) => {
      await requireAsset(db, tenantId, asset_id);
      let query = records().where('asset_id', '=', asset_id).where('score', 'is not', null);
      if (from_time !== undefined) query = query.where('metric_ms', '>=', toMs(from_time));
      if (to_time !== undefined) query = query.where('metric_ms', '<=', toMs(to_time));
      const rows = await query.orderBy('metric_ms', 'desc').orderBy('job_id', 'desc').limit(limit).execute();
      return rows.toReversed().flatMap((row) => (row.score === null ? [] : [{ ...toRecord(row), score: row.score }]));
    },
    exposure: async (assetId) => {
      await requireAsset(db, tenantId, assetId);
      return (await exposures(scope, assetId)).get(assetId) ?? NOT_EXPOSED;
    },
    standings: async () => {
      const assets = await own(db)
        .selectFrom('assets')
        .leftJoin('dq_score_configs as configured', (join) =>
          join.onRef('configured.tenant_id', '=', 'assets.tenant_id').onRef('configured.asset_id', '=', 'assets.id'),
        )
        .select(['assets.id', 'assets.name', 'assets.project_id', 'configured.config'])
        .orderBy('assets.name')
        .orderBy('assets.id')
        .execute();
      // One look into the index for each asset, however many scans it has had.
      const newest = await records()
        .where('job_id', 'in', (select) =>
          select
            .selectFrom('assets')
            .select((of) =>
              of
                .selectFrom('dq_scores as one')
                .select('one.job_id')
                .whereRef('one.tenant_id', '=', 'assets.tenant_id')
                .whereRef('one.asset_id', '=', 'assets.id')
                .orderBy('one.metric_ms', 'desc')
                .orderBy('one.job_id', 'desc')
                .limit(1)
                .as('newest'),
            )
            .where('assets.tenant_id', '=', tenantId),
        )
        .execute();
      const exposed = await exposures(scope);
      const lastOf = new Map(newest.map((row) => [row.asset_id, toRecord(row)]));
      return assets.map(({ id, name, project_id, config }) => ({
        asset_id: id,
        asset_name: name,
        project_id,
        config: fromJsonOrNull<DqScoreConfig>(config),
        last: lastOf.get(id),
        exposure: exposed.get(id) ?? NOT_EXPOSED,
      }));
    },
    deleteBefore: async (time) => {
      const beforeMs = toMs(time);
      let deleted = 0;
      for (const assetIds of await assetsMeasuredBefore(db, 'dq_scores', { tenantId, beforeMs })) {
        const ofAssets = own(db).deleteFrom('dq_scores').where('asset_id', 'in', assetIds);
        deleted += Number((await ofAssets.where('metric_ms', '<', beforeMs).executeTakeFirst()).numDeletedRows);
      }
      return deleted;
    },
  };
}

function toRecord({ asset_id, job_id, metric_ms, score, parts }: Schema['dq_scores']): ScoreRecord {
  return { asset_id, job_id, metric_time: toTime(metric_ms), score, parts: fromJson(parts) };
}

const NOT_EXPOSED: Exposure = { open_incidents: [], attributes: 0 };

/** By asset, of one or of all. */
async function exposures({ db, own }: TenantScope, assetId?: string): Promise<ReadonlyMap<string, Exposure>> {
  let incidents = own(db)
    .selectFrom('incidents')
    .select(['id', 'asset_id', 'alert_policy_id', 'severity', 'metrics'])
    .where('status', '=', 'OPEN')
    .orderBy('id');
  let counts = own(db)
    .selectFrom('attributes')
    .select(['asset_id', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('asset_id');
  if (assetId !== undefined) {
    incidents = incidents.where('asset_id', '=', assetId);
    counts = counts.where('asset_id', '=', assetId);
  }
  const open = Map.groupBy(await incidents.execute(), ({ asset_id }) => asset_id);
  const countOf = new Map((await counts.execute()).map(({ asset_id, count }) => [asset_id, Number(count)]));
  const exposed = new Set([...open.keys(), ...countOf.keys()]);
  return new Map([...exposed].map((id) => [id, { open_incidents: (open.get(id) ?? []).map(toScored), attributes: countOf.get(id) ?? 0 }]));
}

type OpenRow = Pick<Schema['incidents'], 'id' | 'alert_policy_id' | 'severity' | 'metrics'>;

function toScored({ id, alert_policy_id, severity, metrics }: OpenRow): Exposure['open_incidents'][number] {
  const attributes = fromJson<IncidentDetail['metrics']>(metrics).map(({ attribute }) => attribute);
  // The store wrote the severity from an `Incident`.
  return { id, alert_policy_id, severity: severity as Incident['severity'], attributes: [...new Set(attributes)] };
}
