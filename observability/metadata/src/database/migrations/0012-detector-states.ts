// SPDX-License-Identifier: Apache-2.0
/** What the learned thresholds of an asset keep of its series, so that they need not learn from all points at each scan. */
import type { Migration } from '../migration.ts';

export const detectorStates: Migration = [
  `create table detector_states (
    tenant_id text not null,
    asset_id text not null,
    states text not null,
    primary key (tenant_id, asset_id),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade
  )`,
];
