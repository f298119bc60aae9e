import type {
  Incident,
  IncidentDetail,
  IncidentDistribution,
  IncidentFilter,
  IncidentHistoryItem,
  IncidentMetric,
  IncidentSummary,
} from '@sextant/contracts-observability';
import type { Page } from '../page.ts';

/** An incident as it begins: its first history item decides `created_time` and that it is open. */
export type NewIncident = Pick<
  Incident,
  'asset_id' | 'last_upload_timestamp' | 'severity' | 'impact' | 'alert_policy_id' | 'alert_policy_name' | 'description' | 'tags'
> & { readonly created_time: string; readonly metrics: readonly IncidentMetric[]; readonly history: IncidentHistoryItem };

/** RESOLVED closes the incident, every other state leaves or makes it open. Metrics are added to those that it has. */
export type IncidentStep = IncidentHistoryItem &
  Partial<Pick<Incident, 'last_upload_timestamp' | 'severity' | 'impact' | 'description' | 'ticket_id'>> & {
    readonly metrics?: readonly IncidentMetric[];
  };

export type IncidentStore = {
  /** @throws MetadataMissing for an unknown asset */
  readonly open: (incident: NewIncident) => Promise<IncidentDetail>;
  /** @throws MetadataMissing */
  readonly advance: (id: number, step: IncidentStep) => Promise<IncidentDetail>;
  /** @throws MetadataMissing */
  readonly setTicket: (id: number, ticketId: number | null) => Promise<void>;
  /** The newest incident of an asset and a policy. */
  readonly findLatest: (assetId: string, alertPolicyId: string) => Promise<Incident | undefined>;
  /** Newest first, at most 10,000. */
  readonly list: (filter?: IncidentFilter, page?: Page) => Promise<readonly Incident[]>;
  /** @throws MetadataMissing */
  readonly get: (id: number) => Promise<IncidentDetail>;
  /** @throws MetadataRefused when it would have more than 36,600 days */
  readonly distribution: (filter?: IncidentFilter) => Promise<IncidentDistribution>;
  readonly summary: () => Promise<IncidentSummary>;
};
