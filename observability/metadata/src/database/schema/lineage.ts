// SPDX-License-Identifier: Apache-2.0
/** Lineage as queries see it: names and types follow the migrations. */

export type LineageSchema = {
  lineage_edges: {
    tenant_id: string;
    parent_id: string;
    child_id: string;
  };
  column_lineage: {
    tenant_id: string;
    asset_id: string;
    attribute: string;
    position: number;
    origin: 'PERSON' | 'OPENLINEAGE' | 'DBT' | 'VIEW';
    source_id: string | null;
    source_attribute: string | null;
  };
};
