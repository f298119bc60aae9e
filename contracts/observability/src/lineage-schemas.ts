// SPDX-License-Identifier: Apache-2.0
/** Schemas of lineage: which assets an asset is made of, and which columns a column is made of. */
import { oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { answer, text } from './value-schemas.ts';

/** Far beyond what tables have, so that one request stays small. */
const COLUMNS_MAX = 2000;
const SOURCES_MAX = 200;
const DATASETS_MAX = 200;

export const lineageSchema = answer('Lineage', { parents: Type.Array(Type.String()), children: Type.Array(Type.String()) });
export const putLineageSchema = strict({ parents: Type.Array(text, { maxItems: 10_000 }) }, { title: 'PutLineage' });

const columnSources = strict(
  {
    /** A column of this asset. */
    attribute: text,
    /** The columns of its parents that it is made of; none for a column that comes from no other, such as a constant. */
    sources: Type.Array(strict({ asset_id: text, attribute: text }), { maxItems: SOURCES_MAX }),
  },
  { title: 'ColumnSources' },
);
export type ColumnSources = Static<typeof columnSources>;

export const columnLineageSchema = answer('ColumnLineages', {
  /** Those whose sources are known. A column that is not listed is unknown. */
  columns: Type.Array(
    answer('ColumnLineage', {
      attribute: Type.String(),
      /** Who said so: a person, an event of OpenLineage, a manifest of dbt, or the SQL of the view. */
      origin: oneOf('PERSON', 'OPENLINEAGE', 'DBT', 'VIEW'),
      sources: Type.Array(answer('ColumnSource', { asset_id: Type.String(), attribute: Type.String() })),
    }),
  ),
});
export type ColumnLineage = Static<typeof columnLineageSchema>['columns'][number];

export const putColumnLineageSchema = Type.Refine(
  strict({ columns: Type.Array(columnSources, { maxItems: COLUMNS_MAX }) }, { title: 'PutColumnLineage' }),
  ({ columns }) => new Set(columns.map(({ attribute }) => attribute)).size === columns.length,
  () => 'expected each `attribute` once',
);

const dataset = Type.Object({ namespace: text, name: text }, { title: 'OpenLineageDataset' });
/** `fields` of the facet: https://openlineage.io/docs/spec/facets/dataset-facets/column_lineage_facet */
const columnLineageFacet = Type.Object({
  fields: Type.Record(
    Type.String({ pattern: '^[\\s\\S]{1,1024}$' }),
    Type.Object({ inputFields: Type.Array(Type.Object({ namespace: text, name: text, field: text }), { maxItems: SOURCES_MAX }) }),
    { maxProperties: COLUMNS_MAX },
  ),
});
/** What is read of an event; other members are let through, as events carry many facets. */
export const openLineageEventSchema = Type.Object(
  {
    eventType: Type.Optional(text),
    inputs: Type.Optional(Type.Array(dataset, { maxItems: DATASETS_MAX })),
    outputs: Type.Optional(
      Type.Array(
        Type.Object({
          namespace: text,
          name: text,
          facets: Type.Optional(Type.Object({ columnLineage: Type.Optional(columnLineageFacet) })),
        }),
        { maxItems: DATASETS_MAX },
      ),
    ),
  },
  { title: 'OpenLineageEvent' },
);
export type OpenLineageEvent = Static<typeof openLineageEventSchema>;
export const openLineageResultSchema = answer('OpenLineageResult', {
  /** Assets whose parents or columns the event names. */
  assets: Type.Array(Type.String()),
  /** Datasets that no asset stands for, and that were left out. */
  unknown: Type.Array(answer('UnknownDataset', { namespace: Type.String(), name: Type.String() })),
});
