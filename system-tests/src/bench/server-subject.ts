/** The server as a subject: a child process with its own data directory, spoken to over HTTP like by any client. */
import { readFile } from 'node:fs/promises';
import type { ScoredPoint } from '@sextant/contracts-vector';
import { type ChildServer, type JsonClient, jsonClient } from '@sextant/foundation-testing';
import { rowOf } from '../data/low-rank-mixture.ts';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { inLanes } from '../lanes.ts';
import { untilIndexed } from '../until.ts';
import { RequestError, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import type { SearchRun, Subject } from './subject.ts';
import { GRAPH, LIMIT, SELECTIONS, type Workload } from './workload.ts';

const COLLECTION = 'bench';
const SEARCH_PATH = `/collections/${COLLECTION}/points/search`;
const UPSERT_PATH = `/collections/${COLLECTION}/points`;
const BATCH = 1000;
const BATCHES_AHEAD = 10;
const UPSERTS_IN_FLIGHT = 2;

export type ServerSubject = Subject & {
  /** Searches per second with `inFlight` requests at a time. */
  throughput(selection: number, inFlight: number): Promise<number>;
  /** Latencies of one client's searches while another upserts batches of 1,000, for about `seconds`. */
  searchWhileUpserting(seconds: number): Promise<{ readonly latenciesMs: readonly number[]; readonly pointsPerSecond: number }>;
};

export async function startServerSubject(directory: string, { points, queries, fields }: Workload): Promise<ServerSubject> {
  const server = await startVectorServer({ directory });
  const client = jsonClient({ baseUrl: server.address, connectionsMax: 64 });
  const api = vectorApi(client).collection(COLLECTION);
  const payloadOf = (row: number) => Object.fromEntries(SELECTIONS.map(({ field }, index) => [field ?? 'all', fields[index]?.[row] ?? 0]));
  const batchOf = (batch: number, firstId: number) => {
    const rows = Array.from({ length: Math.min(BATCH, points.count - batch * BATCH) }, (_, index) => batch * BATCH + index);
    return rows.map((row) => ({ id: firstId + row, vector: rowOf(points, row), payload: payloadOf(row) }));
  };
  // Encoded ahead, so that a latency is the server's and the wire's.
  const bodies = SELECTIONS.map(({ field }) =>
    Array.from({ length: queries.count }, (_, query) => {
      const filter = field === undefined ? {} : { filter: { must: [{ key: field, match: { value: 0 } }] } };
      return Buffer.from(JSON.stringify({ vector: rowOf(queries, query), limit: LIMIT, params: { hnsw_ef: GRAPH.ef }, ...filter }));
    }),
  );
  const searchAll = async (selection: number, inFlight: number): Promise<SearchRun> => {
    const latenciesMs: number[] = [];
    const answers: (readonly number[])[] = [];
    await inLanes(queries.count, inFlight, async (query) => {
      const startedMs = performance.now();
      const hits = await search(client, bodies[selection]?.[query]);
      latenciesMs.push(performance.now() - startedMs);
      answers[query] = hits.map(({ id }) => Number(id));
    });
    return { latenciesMs, answers };
  };
  return {
    name: 'sextant (HTTP)',
    build: async () => {
      await api.create({
        vectors: { size: points.dimension, distance: 'Euclid' },
        ...GRAPH_ALWAYS,
        hnsw_config: { ...GRAPH_ALWAYS.hnsw_config, m: GRAPH.m, ef_construct: GRAPH.efConstruct },
      });
      for (const { field } of SELECTIONS) if (field !== undefined) await api.createIndex(field, 'integer');
      const startedMs = performance.now();
      await inLanes(Math.ceil(points.count / BATCH), UPSERTS_IN_FLIGHT, async (batch) => void (await api.upsert(batchOf(batch, 0))));
      const uploadSeconds = (performance.now() - startedMs) / 1000;
      await untilIndexed(api, 60 * 60_000);
      return { uploadSeconds, seconds: (performance.now() - startedMs) / 1000 };
    },
    search: async (selection) => {
      // What a first search of its kind needs once is not part of any search, as with the libraries.
      await search(client, bodies[selection]?.[0]);
      return searchAll(selection, 1);
    },
    throughput: async (selection, inFlight) => {
      const startedMs = performance.now();
      await searchAll(selection, inFlight);
      return (queries.count * 1000) / (performance.now() - startedMs);
    },
    searchWhileUpserting: async (seconds) => {
      // Encoded ahead, too: this process must not be what makes its own searches wait.
      const batches = Array.from({ length: Math.min(BATCHES_AHEAD, Math.floor(points.count / BATCH)) }, (_, batch) =>
        Buffer.from(JSON.stringify({ points: batchOf(batch, points.count) })),
      );
      const endMs = performance.now() + seconds * 1000;
      let upserted = 0;
      using other = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
      const upserts = (async () => {
        for (let batch = 0; performance.now() < endMs; batch = (batch + 1) % batches.length) {
          const reply = await other.request('PUT', UPSERT_PATH, batches[batch]);
          if (reply.status !== 200) throw new RequestError(UPSERT_PATH, reply.status, reply.body);
          upserted += BATCH;
        }
      })();
      const latenciesMs: number[] = [];
      for (let query = 0; performance.now() < endMs; query = (query + 1) % queries.count) {
        const startedMs = performance.now();
        await search(client, bodies[0]?.[query]);
        latenciesMs.push(performance.now() - startedMs);
      }
      await upserts;
      return { latenciesMs, pointsPerSecond: upserted / seconds };
    },
    residentBytes: () => residentBytes(server),
    [Symbol.asyncDispose]: async () => {
      client[Symbol.dispose]();
      await server.stop();
    },
  };
}

async function search(client: JsonClient, body: Uint8Array | undefined): Promise<readonly ScoredPoint[]> {
  const reply = await client.request('POST', SEARCH_PATH, body);
  if (reply.status !== 200) throw new RequestError(SEARCH_PATH, reply.status, reply.body);
  // The contract's answer to a search that went well.
  return (reply.body as { readonly result: readonly ScoredPoint[] }).result;
}

/** Resident memory of the server's process by the kernel's account; NaN where there is no /proc. */
async function residentBytes({ pid }: ChildServer): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes = 'NaN'] = /^VmRSS:\s+(\d+) kB$/m.exec(status) ?? [];
  return Number(kilobytes) * 1024;
}
