// SPDX-License-Identifier: Apache-2.0
import type { Migration } from '../migration.ts';
import { COLUMN_LINEAGE } from '../schema/lineage.ts';
import { createTables } from '../schema/table.ts';

export const columnLineage: Migration = [
  ...createTables(COLUMN_LINEAGE),
  'create index column_lineage_by_source on column_lineage (tenant_id, source_id)',
];
