// SPDX-License-Identifier: Apache-2.0
import type { DqReportingConfig, DqScoreConfig, SparkJobConfig } from '@sextant/contracts-observability';
import { putRow, type Queries, type TenantScope } from '../database/scope.ts';
import { definedOnly, fromJson, toFlag, toJson } from '../database/values.ts';
import { requireAsset, requireConnection } from './references.ts';

/** A block that is left out stays, null clears it, an object replaces it whole. */
export type SparkJobConfigChange = { readonly [Block in keyof SparkJobConfig]?: SparkJobConfig[Block] | null };

export type SparkConfigStore = {
  /** An empty object when nothing is stored. */
  readonly get: () => Promise<SparkJobConfig>;
  readonly change: (change: SparkJobConfigChange) => Promise<SparkJobConfig>;
  readonly delete: () => Promise<void>;
};

export type DqScoreConfigStore = {
  /** Undefined while the asset stands on the default. @throws MetadataMissing for an unknown asset */
  readonly find: (assetId: string) => Promise<DqScoreConfig | undefined>;
  /** @throws MetadataMissing for an unknown asset */
  readonly put: (assetId: string, config: DqScoreConfig) => Promise<DqScoreConfig>;
  /** @throws MetadataMissing for an unknown asset */
  readonly delete: (assetId: string) => Promise<void>;
};

export type DqReportingConfigStore = {
  readonly find: () => Promise<DqReportingConfig | undefined>;
  /** @throws MetadataMissing for an unknown connection */
  readonly put: (config: DqReportingConfig) => Promise<DqReportingConfig>;
  readonly delete: () => Promise<void>;
};

export function sparkConfigStore({ tenantId, db, write, own }: TenantScope): SparkConfigStore {
  const get = async (queries: Queries): Promise<SparkJobConfig> => {
    const row = await own(queries).selectFrom('spark_configs').select('config').executeTakeFirst();
    return row === undefined ? {} : fromJson<SparkJobConfig>(row.config);
  };
  return {
    get: () => get(db),
    change: (change) =>
      write(async (transaction) => {
        const blocks = Object.entries({ ...(await get(transaction)), ...definedOnly(change) });
        const next: SparkJobConfig = Object.fromEntries(blocks.filter(([, block]) => block !== null));
        const config = toJson(next);
        await putRow(transaction, 'spark_configs', { key: { tenant_id: tenantId }, columns: { config } });
        return next;
      }),
    delete: async () => {
      await own(db).deleteFrom('spark_configs').execute();
    },
  };
}

export function dqScoreConfigStore({ tenantId, db, write, own }: TenantScope): DqScoreConfigStore {
  return {
    find: async (assetId) => {
      await requireAsset(db, tenantId, assetId);
      const row = await own(db).selectFrom('dq_score_configs').select('config').where('asset_id', '=', assetId).executeTakeFirst();
      return row && fromJson<DqScoreConfig>(row.config);
    },
    put: (assetId, score) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        const config = toJson(score);
        await putRow(transaction, 'dq_score_configs', { key: { tenant_id: tenantId, asset_id: assetId }, columns: { config } });
        return score;
      }),
    delete: (assetId) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        await own(transaction).deleteFrom('dq_score_configs').where('asset_id', '=', assetId).execute();
      }),
  };
}

export function dqReportingConfigStore({ tenantId, db, write, own }: TenantScope): DqReportingConfigStore {
  return {
    find: async () => {
      const row = await own(db).selectFrom('dq_reporting_configs').selectAll().executeTakeFirst();
      return row && { enabled: row.is_enabled === 1, path: row.path, connection_id: row.connection_id };
    },
    put: ({ enabled, path, connection_id }) =>
      write(async (transaction) => {
        await requireConnection(transaction, tenantId, connection_id);
        const columns = { is_enabled: toFlag(enabled), path, connection_id };
        await putRow(transaction, 'dq_reporting_configs', { key: { tenant_id: tenantId }, columns });
        return { enabled, path, connection_id };
      }),
    delete: async () => {
      await own(db).deleteFrom('dq_reporting_configs').execute();
    },
  };
}
