/** Schemas of projects and connections. */
import { jsonObject, maybe, oneOf, schemaOf, strict } from '@sextant/foundation-contract';
import Type from 'typebox';
import type { Connection, Project } from './sources.ts';
import { answer, description, name, nullable, text, timestamp } from './value-schemas.ts';

export const kind = oneOf(
  'FILE',
  'UPLOAD',
  'S3',
  'GCS',
  'AZURE',
  'POSTGRESQL',
  'VECTOR_COLLECTION',
  'BIGQUERY',
  'REDSHIFT',
  'SNOWFLAKE',
  'DELTALAKE',
  'HIVE_ICEBERG',
  'GENERIC_JDBC',
);
export const projectId = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

export const projectSchema = schemaOf<Project>()(
  answer('Project', {
    id: projectId,
    name: Type.String(),
    description: nullable(Type.String()),
    created_by: Type.String(),
    created_at: timestamp,
  }),
);
export const createProjectSchema = strict({ name, description: maybe(description) }, { title: 'CreateProject' });
export const updateProjectSchema = strict({ name: Type.Optional(name), description: maybe(description) }, { title: 'UpdateProject' });

export const connectionSchema = schemaOf<Connection>()(
  answer('Connection', {
    id: Type.Integer(),
    project_id: projectId,
    name: Type.String(),
    scope: oneOf('PROJECT', 'GLOBAL'),
    created_by: Type.String(),
    created_at: timestamp,
    type: kind,
    payload: jsonObject,
    db_type: nullable(Type.String()),
  }),
);

/** Which members a payload has is a matter of the kind. */
const credential = strict({ type: text, payload: jsonObject }, { title: 'Credential', description: 'Encrypted at rest, never returned.' });
export const createConnectionSchema = strict(
  { name, type: kind, payload: jsonObject, credential: maybe(credential) },
  { title: 'CreateConnection' },
);
export const updateConnectionSchema = strict(
  { name: Type.Optional(name), type: Type.Optional(kind), payload: Type.Optional(jsonObject), credential: maybe(credential) },
  { title: 'UpdateConnection', description: 'Only what is sent changes; a credential of null is removed.' },
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
