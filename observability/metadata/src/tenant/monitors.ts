import type { Monitor } from '@sextant/contracts-observability';

export type NewMonitor = Pick<
  Monitor,
  'type' | 'name' | 'enabled' | 'description' | 'impact' | 'tags' | 'monitor' | 'threshold' | 'notification' | 'ticketing' | 'created_by'
>;

export type MonitorChange = Partial<Omit<NewMonitor, 'type' | 'created_by'>> & { readonly modified_by: string };

export type MonitorStore = {
  /** @throws MetadataMissing for an unknown asset or ticket template; MetadataConflict when the asset has one of that name */
  readonly create: (assetId: string, monitor: NewMonitor) => Promise<Monitor>;
  /** The pre-built ones first. @throws MetadataMissing for an unknown asset */
  readonly list: (assetId: string) => Promise<readonly Monitor[]>;
  /** @throws MetadataMissing */
  readonly get: (assetId: string, id: string) => Promise<Monitor>;
  /** @throws MetadataMissing; MetadataConflict when the name is taken */
  readonly update: (assetId: string, id: string, change: MonitorChange) => Promise<Monitor>;
  /** Also removes the alerts that it raised. @throws MetadataMissing; MetadataConflict for a pre-built one */
  readonly delete: (assetId: string, id: string) => Promise<void>;
};
