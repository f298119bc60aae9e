import type { Schedule } from '@sextant/contracts-observability';

export type ScheduleStore = {
  readonly find: (assetId: string) => Promise<Schedule | undefined>;
  /** `nextRunAt` is null for a schedule that never runs. @throws MetadataMissing for an unknown asset */
  readonly put: (assetId: string, schedule: Schedule, nextRunAt: string | null) => Promise<void>;
  /** Moves the next run on; false when somebody else has, so that one run starts once. */
  readonly advance: (assetId: string, run: { readonly from: string; readonly to: string | null }) => Promise<boolean>;
  /** @throws MetadataMissing */
  readonly delete: (assetId: string) => Promise<void>;
};
