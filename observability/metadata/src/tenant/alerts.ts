import type { Alert } from '@sextant/contracts-observability';
import type { Page } from '../page.ts';

/** The monitor that raised it is kept beside the alert, so that it goes with the monitor. */
export type NewAlert = Alert & { readonly monitor_id: string };

export type AlertFilter = {
  readonly sources: readonly string[];
  readonly upload_dates: readonly string[];
  readonly violation_names: readonly string[];
};

export type AlertStore = {
  /** All or none. @throws MetadataMissing for an unknown asset */
  readonly append: (alerts: readonly NewAlert[]) => Promise<void>;
  /** Source in A and metric time in B and violation in C; newest first. An empty array matches nothing. */
  readonly byFilters: (filter: AlertFilter, page?: Page) => Promise<readonly Alert[]>;
  /** @throws MetadataMissing for an unknown asset, or a job that is not of it */
  readonly ofJob: (job: { readonly source: string; readonly job_id: string }) => Promise<readonly Alert[]>;
};
