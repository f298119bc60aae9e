// SPDX-License-Identifier: Apache-2.0
/** Which columns a column is made of. A column without a row is unknown; one with a row without a source is known to have none. */
import type { Migration } from '../migration.ts';

export const columnLineage: Migration = [
  // The edge of the assets carries those of their columns, so that they go with it.
  `create table column_lineage (
    tenant_id text not null,
    asset_id text not null,
    attribute text not null,
    position integer not null,
    origin text not null,
    source_id text,
    source_attribute text,
    primary key (tenant_id, asset_id, attribute, position),
    foreign key (tenant_id, asset_id) references assets (tenant_id, id) on delete cascade,
    foreign key (tenant_id, source_id, asset_id) references lineage_edges (tenant_id, parent_id, child_id) on delete cascade
  )`,
  'create index column_lineage_by_source on column_lineage (tenant_id, source_id)',
];
