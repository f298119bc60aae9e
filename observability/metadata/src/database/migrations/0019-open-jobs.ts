// SPDX-License-Identifier: Apache-2.0
/** Jobs that wait or run, apart from the many that have ended: the next one of a tenant, and whether an asset has one, is the first entry of an index. */
import type { Migration } from '../migration.ts';

export const openJobs: Migration = [
  'create index jobs_open on jobs (tenant_id, created_ms, number) where end_ms is null',
  'create index jobs_open_by_asset on jobs (tenant_id, asset_id) where end_ms is null',
];
