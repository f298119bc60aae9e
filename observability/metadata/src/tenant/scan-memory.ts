/** What a scan hands to the next one of its asset. */
export type ScanMemoryStore = {
  readonly get: (assetId: string) => Promise<unknown>;
  /** @throws MetadataMissing for an unknown asset */
  readonly put: (assetId: string, memory: unknown) => Promise<void>;
};
