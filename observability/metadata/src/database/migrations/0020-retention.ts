// SPDX-License-Identifier: Apache-2.0
/** What is removed after its time is found by its end. Checks go with their jobs, so no index of them by time is needed. */
import type { Migration } from '../migration.ts';

export const retention: Migration = [
  'create index jobs_by_end on jobs (tenant_id, end_ms, id) where end_ms is not null',
  'create index alerts_by_incident on alerts (tenant_id, incident_id) where incident_id is not null',
  'drop index checks_by_time',
];
