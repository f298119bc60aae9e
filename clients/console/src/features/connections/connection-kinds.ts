// SPDX-License-Identifier: Apache-2.0
/** What a connection of each kind is made of, as its connector reads it. */
import type { Connection } from '@sextant/sdk';
import type { ConnectionValues } from '../../data/connections.ts';

export type ConnectionField = {
  readonly name: string;
  readonly label: string;
  readonly example?: string;
  readonly help?: string;
  readonly isRequired?: boolean;
  readonly kind?: 'text' | 'secret' | 'long-secret' | 'number' | 'flag' | 'long' | 'choice';
  /** Of a choice; without one, the first is what the service does. */
  readonly options?: readonly { readonly value: string; readonly label: string }[];
};

export type ConnectionKind = {
  readonly label: string;
  /** As the service calls it; several kinds here may be one there, which a member of the payload tells apart. */
  readonly type: Connection['type'];
  readonly fixed?: ConnectionValues;
  readonly payload: readonly ConnectionField[];
  /** Undefined for a kind that takes none. */
  readonly credential?: { readonly type: string; readonly isOptional?: boolean; readonly fields: readonly ConnectionField[] };
};

const ENCRYPTIONS = [
  { value: 'verify-full', label: 'encrypted, certificate and host name verified' },
  { value: 'require', label: 'encrypted, certificate not verified' },
  { value: 'disable', label: 'not encrypted' },
];

const CHANNEL_ENCRYPTION = {
  name: 'ssl',
  label: 'Encryption',
  kind: 'choice',
  options: [
    { value: 'true', label: 'encrypted, certificate and host name verified' },
    { value: 'false', label: 'not encrypted' },
  ],
} as const;

const CA_CERTIFICATES = {
  name: 'ssl_ca',
  label: 'CA certificates',
  help: 'In PEM format; leave empty to trust the CAs of the system',
  kind: 'long',
} as const;

/** How a server of PostgreSQL is reached. */
const POSTGRESQL = {
  payload: [
    { name: 'host', label: 'Host', example: 'db.example.com', isRequired: true },
    { name: 'port', label: 'Port', example: '5432', kind: 'number' },
    { name: 'database', label: 'Database', isRequired: true },
    { name: 'ssl', label: 'Encryption', kind: 'choice', options: ENCRYPTIONS },
    CA_CERTIFICATES,
  ],
  credential: {
    type: 'SIMPLE',
    fields: [
      { name: 'username', label: 'User', isRequired: true },
      { name: 'password', label: 'Password', kind: 'secret', isRequired: true },
    ],
  },
} as const;

const AWS_KEYS = {
  type: 'AWS',
  fields: [
    { name: 'access_key', label: 'Access key ID', isRequired: true },
    { name: 'secret_key', label: 'Secret access key', kind: 'secret', isRequired: true },
    { name: 'session_token', label: 'Session token', kind: 'secret' },
  ],
} as const;

const GCP_KEY = {
  type: 'GCP',
  fields: [
    { name: 'project_id', label: 'Project ID', isRequired: true },
    { name: 'client_email', label: 'Service account', example: 'reader@project.iam.gserviceaccount.com', isRequired: true },
    { name: 'private_key', label: 'Private key', help: 'In PEM format, as in the key file', kind: 'long-secret', isRequired: true },
  ],
} as const;

const OPTIONAL_TOKEN = {
  type: 'TOKEN',
  isOptional: true,
  fields: [{ name: 'token', label: 'Access token', help: 'Needed only if the server requires one', kind: 'secret' }],
} as const;

const DIRECTORY = {
  name: 'directory',
  label: 'Directory',
  help: 'Must be inside a directory that the operator allows',
  isRequired: true,
} as const;

const IDLE = { name: 'idle_minutes', label: 'Idle minutes before the cluster is deleted', example: '30', kind: 'number' } as const;

const SPARK_CLUSTERS = {
  SPARK_DATAPROC: {
    label: 'Spark on Google Dataproc',
    type: 'SPARK',
    fixed: { cluster: 'DATAPROC' },
    payload: [
      {
        name: 'region',
        label: 'Region',
        example: 'europe-west3',
        help: 'The settings under Spark jobs, cluster A, define the machines',
        isRequired: true,
      },
      { name: 'project', label: 'Project', help: 'Leave empty to use the project of the key' },
      { name: 'subnetwork', label: 'Subnetwork', help: 'The service and the subnetwork must be able to reach each other' },
      { name: 'service_account', label: 'Service account of the nodes', example: 'nodes@project.iam.gserviceaccount.com' },
      { name: 'image_version', label: 'Image version', example: '3.0' },
      IDLE,
    ],
    credential: GCP_KEY,
  },
  SPARK_EMR: {
    label: 'Spark on Amazon EMR',
    type: 'SPARK',
    fixed: { cluster: 'EMR' },
    payload: [
      {
        name: 'region',
        label: 'Region',
        example: 'eu-central-1',
        help: 'The settings under Spark jobs, cluster B, define the machines',
        isRequired: true,
      },
      { name: 'subnet_id', label: 'Subnet', example: 'subnet-0abc' },
      { name: 'release_label', label: 'Release', example: 'emr-spark-8.0.0' },
      { name: 'service_role', label: 'Service role', example: 'EMR_DefaultRole' },
      { name: 'instance_profile', label: 'Instance profile of the nodes', example: 'EMR_EC2_DefaultRole' },
      IDLE,
    ],
    credential: AWS_KEYS,
  },
  SPARK_DATABRICKS: {
    label: 'Spark on Databricks',
    type: 'SPARK',
    fixed: { cluster: 'DATABRICKS' },
    payload: [
      {
        name: 'host',
        label: 'Workspace host',
        example: 'dbc-a1b2.cloud.databricks.com',
        help: 'The settings under Spark jobs, cluster C, define the machines',
        isRequired: true,
      },
      IDLE,
    ],
    credential: { type: 'TOKEN', fields: [{ name: 'token', label: 'Access token', kind: 'secret', isRequired: true }] },
  },
} as const;

/** The kinds that can be read, in the order in which they are offered. Files that are uploaded need no connection. */
export const CONNECTION_KINDS = {
  POSTGRESQL: { label: 'PostgreSQL', type: 'POSTGRESQL', ...POSTGRESQL },
  PGVECTOR: { label: 'PostgreSQL tables with vectors (pgvector)', type: 'PGVECTOR', ...POSTGRESQL },
  SPARK: {
    label: 'Spark',
    type: 'SPARK',
    payload: [
      { name: 'host', label: 'Host', example: 'spark.example.com', help: 'The host of a Spark Connect server' },
      { name: 'port', label: 'Port', example: '15002', kind: 'number' },
      CHANNEL_ENCRYPTION,
      CA_CERTIFICATES,
      { name: 'local', label: 'Run Spark on the machine of the service', kind: 'flag' },
    ],
    credential: OPTIONAL_TOKEN,
  },
  ...SPARK_CLUSTERS,
  S3: {
    label: 'Amazon S3 or a compatible store',
    type: 'S3',
    payload: [
      { name: 'bucket', label: 'Bucket', isRequired: true },
      { name: 'region', label: 'Region', example: 'us-east-1' },
      { name: 'endpoint', label: 'Address', example: 'https://storage.example.com', help: 'Only for a store other than Amazon S3' },
      { name: 'path_style', label: 'Use path-style addresses', kind: 'flag' },
    ],
    credential: AWS_KEYS,
  },
  GCS: {
    label: 'Google Cloud Storage',
    type: 'GCS',
    payload: [
      { name: 'bucket', label: 'Bucket', isRequired: true },
      { name: 'api_endpoint', label: 'Address', example: 'https://storage.example.com', help: 'Only for a store other than Google’s' },
    ],
    credential: GCP_KEY,
  },
  AZURE: {
    label: 'Azure Blob Storage',
    type: 'AZURE',
    payload: [
      { name: 'storage_account', label: 'Storage account', isRequired: true },
      { name: 'bucket', label: 'Container', isRequired: true },
      {
        name: 'endpoint',
        label: 'Address',
        example: 'https://storage.example.com/account',
        help: 'Only for a store other than Microsoft’s',
      },
    ],
    credential: {
      type: 'AZURE_SAS',
      fields: [{ name: 'sas_key', label: 'Shared access signature', example: 'sv=…&sig=…', kind: 'secret', isRequired: true }],
    },
  },
  VECTOR_COLLECTION: {
    label: 'Vector service',
    type: 'VECTOR_COLLECTION',
    payload: [{ name: 'url', label: 'Address', example: 'http://127.0.0.1:6573', isRequired: true }],
    credential: OPTIONAL_TOKEN,
  },
  QDRANT: {
    label: 'Qdrant',
    type: 'QDRANT',
    payload: [
      { name: 'url', label: 'Address', example: 'https://qdrant.example.com:6333', help: 'The address of the REST API', isRequired: true },
    ],
    credential: {
      type: 'TOKEN',
      isOptional: true,
      fields: [{ name: 'token', label: 'API key', help: 'Needs read access; required only if the server asks for a key', kind: 'secret' }],
    },
  },
  MILVUS: {
    label: 'Milvus or Zilliz Cloud',
    type: 'MILVUS',
    payload: [
      { name: 'host', label: 'Host', example: 'milvus.example.com', isRequired: true },
      { name: 'port', label: 'Port', example: '19530', kind: 'number' },
      { name: 'database', label: 'Database', help: 'Leave empty for the default database' },
      CHANNEL_ENCRYPTION,
      CA_CERTIFICATES,
    ],
    credential: {
      type: 'TOKEN',
      isOptional: true,
      fields: [
        { name: 'token', label: 'API key', help: 'An API key or user:password; needed only if the server requires one', kind: 'secret' },
      ],
    },
  },
  LANCEDB: {
    label: 'LanceDB on the machine of the service',
    type: 'LANCEDB',
    payload: [{ ...DIRECTORY, example: '/data/lancedb' }],
  },
  FILE: {
    label: 'Files on the machine of the service',
    type: 'FILE',
    payload: [{ ...DIRECTORY, example: '/data/deliveries' }],
  },
} as const satisfies { readonly [kind: string]: ConnectionKind };

export type OfferedKind = keyof typeof CONNECTION_KINDS;

export function isOffered(kind: string): kind is OfferedKind {
  return Object.hasOwn(CONNECTION_KINDS, kind);
}

/** The kind by whose form a connection can be changed. */
export function kindOf({ type, payload }: Pick<Connection, 'type' | 'payload'>): OfferedKind | undefined {
  const kinds = Object.keys(CONNECTION_KINDS).filter(isOffered);
  const ofType = kinds.filter((kind) => CONNECTION_KINDS[kind].type === type);
  const exact = ofType.find((kind) => {
    const { fixed }: ConnectionKind = CONNECTION_KINDS[kind];
    return fixed !== undefined && Object.entries(fixed).every(([name, value]) => payload[name] === value);
  });
  return exact ?? ofType[0];
}

/** What is filled in; empty fields are left to their defaults. */
export function givenOf(fields: readonly ConnectionField[], values: ConnectionValues): ConnectionValues {
  return Object.fromEntries(
    fields.flatMap(({ name, kind }) => {
      const value = values[name];
      if (value === undefined || value === '' || (kind === 'flag' && value === false)) return [];
      return [[name, typeof value === 'string' && kind !== 'secret' ? value.trim() : value]];
    }),
  );
}
