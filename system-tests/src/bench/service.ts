// SPDX-License-Identifier: Apache-2.0
/** The vector service as a child process with its own data directory, filled and asked over HTTP like by any client. */
import { readFile } from 'node:fs/promises';
import type { CreateCollection } from '@sextant/contracts-vector';
import { shortestFloat32 } from '@sextant/foundation-std';
import { type ChildServer, jsonClient } from '@sextant/foundation-testing';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { inLanes } from '../lanes.ts';
import { untilIndexed } from '../until.ts';
import { type CollectionApi, RequestError, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { type DataSet, readVectors, type VectorFile, vectorAt } from './data-sets/data-set.ts';
import { LIMIT } from './data-sets/truth.ts';
import { M } from './libraries/library.ts';

const COLLECTION = 'bench';
export const UPSERT_PATH = `/collections/${COLLECTION}/points`;
export const SEARCH_PATH = `/collections/${COLLECTION}/points/search`;
export const BATCH = 1000;
export const EF_CONSTRUCT = 128;
const UPSERTS_IN_FLIGHT = 2;
const WAIT_MS = 60 * 60_000;

/** How vectors are kept, as a request that creates a collection says it. */
export type CollectionForm = Pick<CreateCollection, 'quantization_config'> & { readonly onDisk?: boolean };

export type BenchService = AsyncDisposable & {
  readonly server: ChildServer;
  readonly collection: CollectionApi;
  /** Creates the collection, upserts points that were encoded ahead or are encoded on the way, and waits until all are in its graph. */
  fill(set: DataSet, bodies: (batch: number) => Buffer | Promise<Buffer>, form?: CollectionForm): Promise<void>;
  upsert(body: Buffer): Promise<void>;
  search(body: Buffer): Promise<readonly number[]>;
  residentBytes(): Promise<number | undefined>;
  /** Of these, those that are no copy of a file, which the system could not take back. */
  unbackedBytes(): Promise<number | undefined>;
  /** Processor time of its process so far. */
  cpuSeconds(): Promise<number>;
};

export async function startService({
  directory,
  threads,
  environment = {},
}: {
  readonly directory: string;
  readonly threads?: number;
  readonly environment?: { readonly [name: string]: string };
}): Promise<BenchService> {
  const server = await startVectorServer({
    directory,
    startTimeoutMs: WAIT_MS,
    stopTimeoutMs: WAIT_MS,
    environment: threads === undefined ? environment : { ...environment, SERVICE_THREADS: String(threads) },
  });
  const client = jsonClient({ baseUrl: server.address });
  const collection = vectorApi(client).collection(COLLECTION);
  const call = async (method: string, path: string, body: Buffer): Promise<unknown> => {
    const reply = await client.request(method, path, body);
    if (reply.status !== 200) throw new RequestError(path, reply.status, reply.body);
    return reply.body;
  };
  return {
    server,
    collection,
    fill: async ({ points, metric }, bodies, { onDisk = false, ...form } = {}) => {
      await collection.create({
        vectors: { size: points.dimension, distance: metric, on_disk: onDisk },
        ...form,
        ...GRAPH_ALWAYS,
        hnsw_config: { ...GRAPH_ALWAYS.hnsw_config, m: M, ef_construct: EF_CONSTRUCT },
      });
      await inLanes(Math.ceil(points.count / BATCH), UPSERTS_IN_FLIGHT, async (batch) => {
        await call('PUT', UPSERT_PATH, await bodies(batch));
      });
      await untilIndexed(collection, WAIT_MS);
    },
    upsert: async (body) => void (await call('PUT', UPSERT_PATH, body)),
    search: async (body) => {
      // The contract's answer to a search that went well.
      const { result } = (await call('POST', SEARCH_PATH, body)) as { readonly result: readonly { readonly id: number }[] };
      return result.map(({ id }) => id);
    },
    residentBytes: () => memoryOf(server, ['VmRSS']),
    unbackedBytes: () => memoryOf(server, ['RssAnon', 'RssShmem']),
    cpuSeconds: async () => {
      const { body } = await client.request('GET', '/metrics');
      return Number(/^process_cpu_seconds_total (\S+)$/m.exec(String(body))?.[1]);
    },
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      if (server.running) await server.stop();
    },
  };
}

/** The body that upserts a batch of the points, with ids from `firstId` on. */
export async function upsertBody(points: VectorFile, batch: number, firstId = 0): Promise<Buffer> {
  const from = batch * BATCH;
  const to = Math.min(points.count, from + BATCH);
  const values = await readVectors(points, from, to);
  const inputs = Array.from({ length: to - from }, (_, row) => {
    return { id: firstId + from + row, vector: numbersOf(vectorAt(values, row, points.dimension)) };
  });
  return Buffer.from(JSON.stringify({ points: inputs }));
}

/** A body for each query, encoded ahead, so that a latency is the server's and the wire's. */
export async function searchBodies({ queries }: DataSet, ef: number): Promise<readonly Buffer[]> {
  const values = await readVectors(queries, 0, queries.count);
  return Array.from({ length: queries.count }, (_, query) => {
    const vector = numbersOf(vectorAt(values, query, queries.dimension));
    return Buffer.from(JSON.stringify({ vector, limit: LIMIT, params: { hnsw_ef: ef } }));
  });
}

/** In as few digits as tell a float32 apart, as a client that knows what it holds would send it. */
function numbersOf(vector: Float32Array): number[] {
  return Array.from(vector, shortestFloat32);
}

/** By the account of the operating system, the sum of these lines; undefined where there is no /proc. */
async function memoryOf({ pid }: ChildServer, names: readonly string[]): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const kilobytes = names.map((name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]));
  const sum = kilobytes.reduce((total, each) => total + each, 0);
  return Number.isNaN(sum) ? undefined : sum * 1024;
}
