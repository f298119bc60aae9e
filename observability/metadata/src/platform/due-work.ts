import type { Schedule } from '@sextant/contracts-observability';
import type { WebhookDelivery } from '../tenant/webhook-deliveries.ts';

export type DueSchedule = {
  readonly tenant_id: string;
  readonly asset_id: string;
  readonly schedule: Schedule;
  readonly next_run_at: string;
};

/** What has come due in any tenant. */
export type DueWork = {
  /** Enabled schedules whose next run is not in the future, the most overdue first. */
  readonly schedules: (limit: number) => Promise<readonly DueSchedule[]>;
  /** Takes deliveries whose next attempt is due; nobody else gets them before the lease ends. */
  readonly claimDeliveries: (options: {
    readonly limit: number;
    readonly leaseMs: number;
  }) => Promise<readonly (WebhookDelivery & { readonly tenant_id: string })[]>;
};
