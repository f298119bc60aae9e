import type { RowSample, SchemaChange } from '@sextant/contracts-observability';

/** What a job found beside its metrics. Written by `jobs.finish`. */
export type JobFindingStore = {
  readonly schemaChanges: (jobId: string) => Promise<readonly SchemaChange[]>;
  readonly rowSamples: (jobId: string, filter?: { readonly monitor_id?: string | null }) => Promise<readonly RowSample[]>;
};
