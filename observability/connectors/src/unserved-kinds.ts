// SPDX-License-Identifier: Apache-2.0
/** Connections of kinds that this release stores and does not scan: their payloads and credentials are checked as those of the others are. */
import type { Credential, UnservedKind } from '@sextant/contracts-observability';
import { SourceError } from './connector.ts';
import { credentialOfType, optionalText, type Payload, requiredText } from './payload.ts';

type Members = { readonly [member: string]: string };

type Outline = {
  /** With an example of each. */
  readonly required: Members;
  readonly optional: Members;
  /** Undefined where it follows from the place of the data. */
  readonly credential: string | undefined;
};

/** As the published API names them. */
const OUTLINES: { readonly [Kind in UnservedKind]: Outline } = {
  BIGQUERY: { required: { project: 'the id of a project' }, optional: {}, credential: 'GCP' },
  REDSHIFT: { required: { endpoint_prefix: 'the beginning of the endpoint' }, optional: { database: 'a name' }, credential: 'SIMPLE' },
  SNOWFLAKE: { required: { account: 'the name of an account' }, optional: { warehouse: 'a name', role: 'a name' }, credential: 'SIMPLE' },
  DELTALAKE: { required: { host: 'the name of a host' }, optional: { httppath: 'a path' }, credential: 'TOKEN' },
  HIVE_ICEBERG: {
    required: { thrift_uri: 'such as thrift://host:9083' },
    optional: { location_type: 'S3, GCS or AZURE', region: 'a region', bucket: 'a bucket' },
    credential: undefined,
  },
  GENERIC_JDBC: { required: { db_type: 'the name of a database system' }, optional: { db_or_schema: 'a name' }, credential: 'GENERIC_MAP' },
};

/** @throws SourceError that names the member which is wrong; nothing for kinds that have a connector */
export function validateUnserved(kind: string, payload: Payload, credential: Credential | null): void {
  const outlines: { readonly [kind: string]: Outline | undefined } = OUTLINES;
  const outline = Object.hasOwn(outlines, kind) ? outlines[kind] : undefined;
  if (outline === undefined) return;
  for (const [member, example] of Object.entries(outline.required)) requiredText(payload, member, example);
  for (const [member, example] of Object.entries(outline.optional)) optionalText(payload, member, example);
  const properties = payload.connection_properties ?? {};
  if (kind === 'GENERIC_JDBC' && (typeof properties !== 'object' || Array.isArray(properties)))
    throw new SourceError('payload.connection_properties must be an object', { member: 'payload.connection_properties' });
  if (credential !== null && outline.credential !== undefined) credentialOfType(credential, outline.credential);
}
