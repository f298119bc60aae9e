// SPDX-License-Identifier: Apache-2.0
/**
 * A node that holds some shards of a large collection: a service with as many collections, each with its own graph and vectors on disk, filled and asked over
 * gRPC. Points are drawn as they are written, and their true neighbours found at once, so that no more of them than a batch is ever in this process.
 */
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { VectorClient } from '@sextant/sdk';
import { createVectorSpace } from '@sextant/vector-kernel';
import { bytesBelow } from '../../bytes-below.ts';
import { lowRankMixture, type VectorSet } from '../../data/low-rank-mixture.ts';
import { GRAPH_ALWAYS } from '../../graph-config.ts';
import { untilIndexed } from '../../until.ts';
import { vectorApi } from '../../vector-api.ts';
import { grpcAddressOf } from '../../vector-server.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { M } from '../libraries/library.ts';
import { BATCH, EF_CONSTRUCT, startService } from '../service.ts';
import { threadsUs } from '../threads-us.ts';

export const DIMENSION = 768;
const WAIT_MS = 6 * 3_600_000;
const SEED = 19;
const WARM_UP_ROUNDS = 5;

export type NodeOptions = { readonly shards: number; readonly points: number; readonly queries: number; readonly efs: readonly number[] };

export type MeasuredNode = {
  readonly shards: number;
  /** Of each shard. */
  readonly points: number;
  /** Of the process, which the system could not take back, when all is in the graphs; undefined where there is no /proc. */
  readonly memoryBytes: number | undefined;
  readonly diskBytes: number;
  /** Processor time of the service for each point, requests and graph included, in microseconds. */
  readonly buildUs: number;
  /** Processor time of the service for a search of a collection without points, in microseconds: a node of a cluster is asked once for all its shards. */
  readonly requestUs: number;
  readonly curve: readonly EfFigures[];
};

export type EfFigures = {
  readonly ef: number;
  /** Of the ten nearest of all shards. */
  readonly recall: number;
  /** Processor time of the service to search all its shards once, one entry for each query, in microseconds. */
  readonly searchUs: readonly number[];
};

type Hit = { readonly id: string; readonly score: number };

export async function measureNode({ shards, points, queries: queryCount, efs }: NodeOptions): Promise<MeasuredNode> {
  await using directory = await temporaryDirectory();
  await using service = await startService({ directory: directory.path });
  const { pid } = service.server;
  const client = new VectorClient({ url: service.server.address, grpc: grpcAddressOf(service.server), timeoutMs: WAIT_MS });
  const draw = lowRankMixture({ dimension: DIMENSION, random: seededRandom(SEED) });
  const queries = rowsOf(draw(queryCount));
  const nearest = queries.map((): Hit[] => []);
  const noteNearest = neighbourNotes(queries, nearest);
  const apiOf = (shard: number) => vectorApi(service.server.client).collection(nameOf(shard));
  for (let shard = 0; shard < shards; shard++) {
    const hnsw = { ...GRAPH_ALWAYS.hnsw_config, m: M, ef_construct: EF_CONSTRUCT };
    await apiOf(shard).create({ vectors: { size: DIMENSION, distance: 'Cosine', on_disk: true }, ...GRAPH_ALWAYS, hnsw_config: hnsw });
  }
  const requestUs = await costOfRequest();
  const beforeUs = threadsUs(pid);
  for (let shard = 0; shard < shards; shard++) {
    const name = nameOf(shard);
    for (let from = 0; from < points; from += BATCH) {
      const batch = rowsOf(draw(Math.min(BATCH, points - from)));
      const written = client.collection(name).upsert(batch.map((vector, at) => ({ id: from + at, vector, payload: {} })));
      noteNearest(batch, (at) => `${shard}/${from + at}`);
      await written;
    }
    await untilIndexed(apiOf(shard), WAIT_MS);
    console.log(`${name}: ${points} points, ${((threadsUs(pid) - beforeUs) / 1e6).toFixed(0)} s of processor time so far`);
  }
  const buildUs = (threadsUs(pid) - beforeUs) / (shards * points);
  const memoryBytes = await service.unbackedBytes();
  const diskBytes = bytesBelow(directory.path);
  const truth = nearest.map((hits) => new Set(hits.map(({ id }) => id)));
  const curve: EfFigures[] = [];
  // The first rounds, in which code is compiled and files are read, are not counted.
  for (const ef of [...efs, ...efs]) for (const query of queries) await searchAll(query, ef);
  for (const ef of efs) {
    const searchUs: number[] = [];
    let found = 0;
    for (const [at, query] of queries.entries()) {
      const startUs = threadsUs(pid);
      const hits = await searchAll(query, ef);
      searchUs.push(threadsUs(pid) - startUs);
      found += hits.filter(({ id }) => truth[at]?.has(id) === true).length;
    }
    curve.push({ ef, recall: found / (queryCount * LIMIT), searchUs });
    console.log(`ef ${ef}: recall ${curve.at(-1)?.recall.toFixed(4)}`);
  }
  client.close();
  return { shards, points, memoryBytes, diskBytes, buildUs, requestUs, curve };

  /** The first rounds, in which code is compiled, are not counted. */
  async function costOfRequest(): Promise<number> {
    const [ef = 0] = efs;
    for (let round = 0; round < WARM_UP_ROUNDS; round++) for (const query of queries) await searchAll(query, ef);
    const startUs = threadsUs(pid);
    for (const query of queries) await searchAll(query, ef);
    return (threadsUs(pid) - startUs) / (queryCount * shards);
  }

  async function searchAll(vector: number[], ef: number): Promise<readonly Hit[]> {
    const answers = await Promise.all(
      Array.from({ length: shards }, async (_, shard) => {
        const hits = await client.collection(nameOf(shard)).search({ vector, limit: LIMIT, params: { hnsw_ef: ef } });
        return hits.map(({ id, score }) => ({ id: `${shard}/${id}`, score }));
      }),
    );
    return best(answers.flat());
  }
}

function nameOf(shard: number): string {
  return `shard-${shard}`;
}

function rowsOf({ count, dimension, values }: VectorSet): number[][] {
  return Array.from({ length: count }, (_, row) => Array.from(values.subarray(row * dimension, (row + 1) * dimension)));
}

/** Keeps in `nearest` what is nearest to each query of all batches that have come; the kernel's scan is exact. */
function neighbourNotes(queries: readonly number[][], nearest: Hit[][]) {
  const units = queries.map(unit);
  return (batch: readonly number[][], idOf: (at: number) => string): void => {
    const space = createVectorSpace({ dimension: DIMENSION, metric: 'dot', m: 0, efConstruct: 1, seed: 1, quantization: 'none' });
    for (const [row, vector] of batch.entries()) space.put(row, unit(vector), 1);
    for (const [at, query] of units.entries()) {
      const { rows, distances } = space.scan(query, { k: LIMIT, fromRow: 0, toRow: batch.length });
      const hits = Array.from(rows, (row, which) => ({ id: idOf(row), score: -(distances[which] ?? 0) }));
      nearest[at] = best([...(nearest[at] ?? []), ...hits]);
    }
  };
}

function best(hits: readonly Hit[]): Hit[] {
  return hits.toSorted((one, other) => other.score - one.score).slice(0, LIMIT);
}

function unit(vector: readonly number[]): Float32Array {
  const norm = Math.sqrt(vector.reduce((sum, component) => sum + component ** 2, 0));
  return new Float32Array(vector).map((component) => component / norm);
}
