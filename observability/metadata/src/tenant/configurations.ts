import type { DqReportingConfig, DqScoreConfig, SparkJobConfig } from '@sextant/contracts-observability';

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
