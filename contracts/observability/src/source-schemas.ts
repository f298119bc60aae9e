// SPDX-License-Identifier: Apache-2.0
/** Schemas of projects and connections. */
import { jsonObject, maybe, oneOf, type Static, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import { answer, description, name, nullable, text, timestamp } from './value-schemas.ts';

/** Kinds that are scanned. */
const CONNECTION_KINDS = [
  'FILE',
  'UPLOAD',
  'S3',
  'GCS',
  'AZURE',
  'POSTGRESQL',
  'SPARK',
  'VECTOR_COLLECTION',
  'QDRANT',
  'PGVECTOR',
  'LANCEDB',
  'MILVUS',
] as const;
export type ConnectionKind = (typeof CONNECTION_KINDS)[number];

/** Kinds that are known by name, stored and returned, and refused with a clear sentence when they are scanned. */
const UNSERVED_KINDS = ['BIGQUERY', 'REDSHIFT', 'SNOWFLAKE', 'DELTALAKE', 'HIVE_ICEBERG', 'GENERIC_JDBC'] as const;
export type UnservedKind = (typeof UNSERVED_KINDS)[number];

/** Kinds whose assets are files. */
const FILE_KINDS: readonly string[] = ['FILE', 'UPLOAD', 'S3', 'GCS', 'AZURE'] satisfies readonly ConnectionKind[];

/** Kinds whose assets are collections of points with vectors. */
const VECTOR_KINDS = ['VECTOR_COLLECTION', 'QDRANT', 'PGVECTOR', 'LANCEDB', 'MILVUS'] as const satisfies readonly ConnectionKind[];

/** Whether an asset holds points with vectors: all of such kinds do, and files whose payload names the columns of vectors. */
export function holdsVectors({
  type,
  payload,
}: {
  readonly type: string;
  readonly payload: { readonly [member: string]: unknown };
}): boolean {
  const kinds: readonly string[] = VECTOR_KINDS;
  return kinds.includes(type) || (FILE_KINDS.includes(type) && (payload.vectors ?? null) !== null);
}

/** Whether this release reads sources of a kind. */
export function isServedKind(kind: string): boolean {
  const served: readonly string[] = CONNECTION_KINDS;
  return served.includes(kind);
}

/** Of connections and of the assets that lie behind them. */
export const KINDS = [...CONNECTION_KINDS, ...UNSERVED_KINDS] as const;
export const kind = oneOf(...KINDS);
export const projectId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const projectSchema = answer('Project', {
  /** 0 is the project `Default`, which every tenant has. */
  id: projectId,
  name: Type.String(),
  description: nullable(Type.String()),
  created_by: Type.String(),
  created_at: timestamp,
});
export type Project = Static<typeof projectSchema>;
export const createProjectSchema = strict({ name, description: maybe(description) }, { title: 'CreateProject' });
export const updateProjectSchema = strict({ name: Type.Optional(name), description: maybe(description) }, { title: 'UpdateProject' });

export const connectionSchema = answer('Connection', {
  id: Type.Integer(),
  /** 0 for global ones. */
  project_id: projectId,
  name: Type.String(),
  scope: oneOf('PROJECT', 'GLOBAL'),
  created_by: Type.String(),
  created_at: timestamp,
  type: kind,
  /** By kind; see the connectors. Never holds a secret. */
  payload: jsonObject,
  db_type: nullable(Type.String()),
  /** Whether this release scans sources of the kind; the others are stored and returned. */
  scannable: Type.Boolean(),
});
export type Connection = Static<typeof connectionSchema>;

/** Which members a payload has is a matter of the kind. */
const credential = strict({ type: text, payload: jsonObject }, { title: 'Credential', description: 'Encrypted at rest, never returned.' });
/** Secrets of a connection; encrypted at rest, never returned. */
export type Credential = Static<typeof credential>;
export const createConnectionSchema = strict(
  { name, type: kind, payload: jsonObject, credential: maybe(credential) },
  { title: 'CreateConnection' },
);
export const updateConnectionSchema = strict(
  { name: Type.Optional(name), type: Type.Optional(kind), payload: Type.Optional(jsonObject), credential: maybe(credential) },
  { title: 'UpdateConnection', description: 'Only the given members change; a credential of null removes the stored one.' },
);
export const connectionTestSchema = answer('ConnectionTest', { success: Type.Boolean(), message: Type.String() });
export const listedItemsSchema = Type.Array(
  answer('ListedItem', {
    name: Type.String(),
    payload: jsonObject,
    bytes: nullable(Type.Integer()),
    modified_at: nullable(timestamp),
  }),
);
