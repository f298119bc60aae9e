// SPDX-License-Identifier: Apache-2.0
/** Which columns a column is made of. A column without a row is unknown; one with a row without a source is known to have none. */
import { OF_ASSET, table } from './table.ts';

export const COLUMN_LINEAGE = {
  column_lineage: table(
    [
      'primary key (tenant_id, asset_id, attribute, position)',
      OF_ASSET,
      // The edge of the assets carries those of their columns, so that they go with it.
      'foreign key (tenant_id, source_id, asset_id) references lineage_edges (tenant_id, parent_id, child_id) on delete cascade',
    ],
    {
      tenant_id: 'text',
      asset_id: 'text',
      attribute: 'text',
      position: 'integer',
      origin: 'text',
      source_id: 'text?',
      source_attribute: 'text?',
    },
  ),
};

export type ColumnOrigin = 'PERSON' | 'OPENLINEAGE' | 'DBT' | 'VIEW';
