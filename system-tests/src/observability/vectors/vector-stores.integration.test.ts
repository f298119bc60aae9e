// SPDX-License-Identifier: Apache-2.0
/** Every kind of vector store through the whole of the service: registered, scanned twice while all is well, then damaged. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection, Credential } from '@sextant/contracts-observability';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { type ChildServer, isLongRun, type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import {
  hasLance,
  hasMilvus,
  lanceClient,
  MILVUS_START_TIMEOUT_MS,
  milvusClient,
  startMilvus,
  startVectorDatabase,
  VECTOR_CLIENTS,
} from '@sextant/observability-connectors/vector-stores-for-tests';
import { parquetWriteFile } from 'hyparquet-writer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { vectorApi } from '../../vector-api.ts';
import { startVectorServer } from '../../vector-server.ts';
import { openIncidents } from '../incidents/open-incidents.ts';
import type { ObservabilityApi } from '../observability-api.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { createAsset, scanned } from '../scanning.ts';

const DIMENSION = 8;
const POINTS = 300;
const ZEROS = [11, 12, 13, 14, 15, 16, 17, 18, 19, 20];

type Row = { readonly id: number; readonly title: string; readonly embedding: readonly number[] };

type Store = AsyncDisposable & {
  readonly connection: Pick<Connection, 'payload'> & { readonly credential?: Credential };
  /** Payload of the asset. */
  readonly asset: { readonly [member: string]: unknown };
  readonly write: (rows: readonly Row[]) => Promise<void>;
};

type Case = {
  readonly kind: 'QDRANT' | 'PGVECTOR' | 'FILE' | 'LANCEDB' | 'MILVUS';
  /** Name of the vector. */
  readonly vector: string;
  readonly isMissing?: boolean;
  /** Of which every point is found, if it is asked. */
  readonly hasIndex?: true;
  readonly open: (directory: string) => Promise<Store>;
};

const STORES: readonly Case[] = [
  {
    kind: 'QDRANT',
    vector: '',
    open: async (directory) => {
      const server = await startVectorServer({ directory });
      const collection = vectorApi(server.client).collection('rows');
      await collection.create({ vectors: { size: DIMENSION, distance: 'Euclid' } });
      return {
        connection: { payload: { url: server.address } },
        asset: { collection: 'rows' },
        write: async (rows) =>
          void (await collection.upsert(rows.map(({ id, title, embedding }) => ({ id, vector: embedding, payload: { title } })))),
        [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
      };
    },
  },
  {
    kind: 'PGVECTOR',
    vector: 'embedding',
    open: async () => {
      const database = await startVectorDatabase();
      await database.run(`CREATE TABLE rows (id int PRIMARY KEY, title text, embedding vector(${DIMENSION}))`);
      const tuple = ({ id, title, embedding }: Row) => `(${id}, '${title}', '[${embedding.join(',')}]')`;
      return {
        connection: {
          payload: { host: '127.0.0.1', port: database.port, database: 'postgres', ssl: false },
          credential: { type: 'SIMPLE', payload: { username: 'postgres', password: 'unasked' } },
        },
        asset: { table: 'rows' },
        write: (rows) => database.run(`DELETE FROM rows; INSERT INTO rows VALUES ${rows.map(tuple).join(', ')}`),
        [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
      };
    },
  },
  {
    kind: 'FILE',
    vector: 'embedding',
    open: async (directory) => ({
      connection: { payload: { directory } },
      asset: { path: 'rows.parquet', vectors: ['embedding'], id: 'id' },
      write: async (rows) =>
        parquetWriteFile({
          filename: join(directory, 'rows.parquet'),
          columnData: [
            { name: 'id', data: rows.map(({ id }) => id), type: 'INT32' },
            { name: 'title', data: rows.map(({ title }) => title), type: 'STRING' },
            { name: 'embedding', data: rows.map(({ embedding }) => JSON.stringify(embedding)), type: 'STRING' },
          ],
        }),
      [Symbol.asyncDispose]: async () => undefined,
    }),
  },
  {
    kind: 'LANCEDB',
    vector: 'embedding',
    isMissing: !hasLance,
    open: async (directory) => {
      const database = await lanceClient().connect(directory);
      return {
        connection: { payload: { directory } },
        asset: { table: 'rows' },
        write: async (rows) =>
          void (await database.createTable(
            'rows',
            rows.map((row) => ({ ...row, embedding: [...row.embedding] })),
            { mode: 'overwrite' },
          )),
        [Symbol.asyncDispose]: async () => undefined,
      };
    },
  },
  {
    kind: 'MILVUS',
    vector: 'embedding',
    hasIndex: true,
    isMissing: !hasMilvus,
    open: async (directory) => {
      const server = await startMilvus(directory);
      const client = milvusClient(server.port);
      await client.createCollection({
        collection_name: 'rows',
        fields: [
          { name: 'id', data_type: 'Int64', is_primary_key: true },
          { name: 'title', data_type: 'VarChar', max_length: 100 },
          { name: 'embedding', data_type: 'FloatVector', dim: DIMENSION },
        ],
      });
      await client.createIndex({ collection_name: 'rows', field_name: 'embedding', index_type: 'FLAT', metric_type: 'L2' });
      await client.loadCollection({ collection_name: 'rows' });
      return {
        connection: { payload: { host: '127.0.0.1', port: server.port, ssl: false } },
        asset: { collection: 'rows' },
        write: async (rows) => {
          const { status } = await client.upsert({
            collection_name: 'rows',
            data: rows.map((row) => ({ ...row, embedding: [...row.embedding] })),
          });
          if (status.error_code !== 'Success') throw new Error(JSON.stringify(status));
        },
        [Symbol.asyncDispose]: async () => {
          await client.closeConnection();
          await server[Symbol.asyncDispose]();
        },
      };
    },
  },
];

const missing = STORES.filter(({ isMissing }) => isMissing === true);

let directory: TemporaryDirectory;
let server: ChildServer;
let api: ObservabilityApi;

beforeAll(async () => {
  directory = await temporaryDirectory();
  const environment = {
    OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
    OBSERVABILITY_ALLOWED_DIRECTORIES: directory.path,
    NODE_PATH: VECTOR_CLIENTS,
  };
  server = await startObservabilityServer({ directory: join(directory.path, 'observability'), environment });
  api = await adminApi(server);
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await directory[Symbol.asyncDispose]();
});

test.skipIf(missing.length > 0)('every store was there (.ci/run installs the clients of LanceDB and Milvus, and milvus-lite)', () => {
  expect(missing).toEqual([]);
});

/** They take long to start; the quick run reads their points in the tests of the connectors, and scans one that speaks like Qdrant in `watched-collection.test.ts`. */
const SLOW: readonly Case['kind'][] = ['QDRANT', 'PGVECTOR', 'MILVUS'];

test.each(STORES.filter(({ kind, isMissing }) => isMissing !== true && (isLongRun() || !SLOW.includes(kind))))(
  '$kind: zero vectors open an incident, and are shown',
  async ({ kind, vector, hasIndex, open }) => {
    const folder = join(directory.path, kind);
    await mkdir(folder);
    await using store = await open(folder);
    const random = seededRandom(5);
    await store.write(rowsOf(random));
    const { id } = await api.call('create_connection', {}, { body: { name: kind, type: kind, ...store.connection } });
    expect(await api.call('test_connection', { connection_id: id })).toMatchObject({ success: true });
    const asset = await createAsset(api, { name: kind, type: kind, connection_id: id, payload: store.asset });
    for (let number = 0; number < 2; number += 1) {
      const { found } = await scanned(api, asset.id);
      expect(found.value('RECORD_COUNT')).toBe(POINTS);
      expect(found.value('VECTOR_DIMENSION_CONFORMITY', { attribute: vector })).toBe(100);
      if (hasIndex === true) expect(found.value('SEARCH_RECALL', { attribute: vector, aggregation: 'ratio' })).toBe(100);
      expect(await openIncidents(api, asset.id)).toEqual([]);
    }
    await store.write(rowsOf(random).map((row) => (ZEROS.includes(row.id) ? { ...row, embedding: row.embedding.map(() => 0) } : row)));
    const { job, found } = await scanned(api, asset.id);
    expect(found.value('VECTOR_ZERO_COUNT', { attribute: vector })).toBe(ZEROS.length);
    const incidents = await openIncidents(api, asset.id);
    expect(incidents.map(({ alert_policy_id }) => alert_policy_id)).toContain('DATA_DRIFTS');
    const samples = await api.call('list_samples', { job_id: job.id });
    const zeros = samples.filter(({ reason }) => reason.endsWith('is zero')).map(({ record_id }) => Number(record_id));
    expect(zeros.toSorted((one, other) => one - other)).toEqual(ZEROS);
  },
  MILVUS_START_TIMEOUT_MS,
);

/** The same rows with a little noise. */
function rowsOf(random: Random): readonly Row[] {
  const steady = seededRandom(9);
  return Array.from({ length: POINTS }, (_, index) => ({
    id: index + 1,
    title: `row ${index + 1}`,
    embedding: Array.from({ length: DIMENSION }, () => steady.next() - 0.5 + 0.001 * random.next()),
  }));
}
