// SPDX-License-Identifier: Apache-2.0
/** What is read of a manifest of dbt; other members are let through: https://docs.getdbt.com/reference/artifacts/manifest-json */
import type { Static } from '@sextant/foundation-contract';
import Type from 'typebox';
import { answer, nullable, text } from './value-schemas.ts';

const NODES_MAX = 20_000;
const DEPENDENCIES_MAX = 1000;
const SQL_MAX = 1_000_000;

const named = {
  database: Type.Optional(nullable(text)),
  schema: Type.Optional(nullable(text)),
  name: text,
};

const nodeSchema = Type.Object(
  {
    ...named,
    resource_type: text,
    alias: Type.Optional(nullable(text)),
    config: Type.Optional(Type.Object({ materialized: Type.Optional(nullable(text)) })),
    depends_on: Type.Optional(Type.Object({ nodes: Type.Optional(Type.Array(text, { maxItems: DEPENDENCIES_MAX })) })),
    compiled_code: Type.Optional(nullable(Type.String({ maxLength: SQL_MAX }))),
  },
  { title: 'DbtNode' },
);
const sourceSchema = Type.Object({ ...named, identifier: Type.Optional(nullable(text)) }, { title: 'DbtSource' });
const byId = Type.String({ pattern: '^[\\s\\S]{1,1024}$' });

export const dbtManifestSchema = Type.Object(
  {
    nodes: Type.Record(byId, nodeSchema, { maxProperties: NODES_MAX }),
    sources: Type.Optional(Type.Record(byId, sourceSchema, { maxProperties: NODES_MAX })),
  },
  { title: 'DbtManifest' },
);
export type DbtManifest = Static<typeof dbtManifestSchema>;
export type DbtNode = Static<typeof nodeSchema>;

export const dbtLineageSchema = answer('DbtLineage', {
  /** Assets whose parents or columns the manifest names. */
  assets: Type.Array(Type.String()),
  /** Models, seeds, snapshots and sources that no asset stands for, by their ids in the manifest. */
  unknown: Type.Array(Type.String()),
});
