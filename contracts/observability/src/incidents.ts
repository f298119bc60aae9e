// SPDX-License-Identifier: Apache-2.0
/** Alerts and the incidents that group them. */
import type { IncidentStatus } from './incident-schemas.ts';

/** Among the assignees of a filter: incidents that nobody looks after. No e-mail address is written like it. */
export const NO_ASSIGNEE = 'nobody';

/** Among the impacts of a filter: incidents whose monitor says none. */
export const NO_IMPACT = 'NONE';

export type IncidentFilter = {
  readonly project_ids?: readonly number[];
  readonly asset_ids?: readonly string[];
  readonly connection_types?: readonly string[];
  readonly statuses?: readonly IncidentStatus[];
  readonly alert_policy_ids?: readonly string[];
  readonly severities?: readonly string[];
  /** Levels, and `NO_IMPACT`. */
  readonly impacts?: readonly string[];
  readonly connection_ids?: readonly string[];
  /** E-mail addresses, and `NO_ASSIGNEE`. */
  readonly assignees?: readonly string[];
  readonly tags?: readonly string[];
  readonly from_time?: string;
  readonly to_time?: string;
  readonly text_to_search?: string;
};
