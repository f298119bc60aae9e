// SPDX-License-Identifier: Apache-2.0
/** What runs here, and how it is used: more of it by the level of detail, as the published service has its levels. */
import { createHash } from 'node:crypto';
import { type CollectionTelemetry, type RequestTelemetry, ServiceError, type Telemetry } from '@sextant/contracts-vector';
import { addedUp, type RequestStatistic } from '@sextant/foundation-service';
import type { EngineReads } from '@sextant/vector-collection';
import { PRODUCT } from '../../product.ts';
import { operation } from '../operation.ts';

/** Collections are described from the first level on, by name and configuration from the second, with their shard from the third. */
const LEVELS = { described: 1, named: 2, shards: 3 } as const;

export const telemetry = operation('telemetry', async ({ engine, instance }, { query }): Promise<Telemetry> => {
  const names = await engine.listCollections();
  const level = Number(query.details_level ?? 0);
  const nameOf = query.anonymize === 'true' ? anonymised : (name: string) => name;
  const collections = level < LEVELS.described ? {} : { collections: await describeAll(engine, names, { level, nameOf }) };
  const threads = (await instance?.requests()) ?? [];
  return {
    id: instance?.id ?? '',
    app: {
      name: PRODUCT.name,
      version: PRODUCT.version,
      ...(instance === undefined ? {} : { startup: new Date(instance.startedMs).toISOString() }),
    },
    collections: { number_of_collections: names.length, ...collections },
    cluster: { enabled: false },
    requests: { rest: responsesOf(threads, 'rest'), grpc: responsesOf(threads, 'grpc') },
  };
});

type Detail = { readonly level: number; readonly nameOf: (name: string) => string };

async function describeAll(engine: EngineReads, names: readonly string[], detail: Detail): Promise<CollectionTelemetry[]> {
  const described = await Promise.all(names.map((name) => describe(engine, name, detail)));
  return described.flatMap((each) => each ?? []);
}

/** Undefined for a collection that is gone meanwhile, or cannot be read, which `/issues` tells. */
async function describe(engine: EngineReads, name: string, { level, nameOf }: Detail): Promise<CollectionTelemetry | undefined> {
  try {
    const info = await engine.collectionInfo(name);
    const { params } = info.config as { readonly params: { readonly [member: string]: unknown } };
    const figures = await engine.collectionFigures(name);
    if (level < LEVELS.named) return { vectors: figures.vectors, optimizers_status: info.optimizer_status, params };
    const named = { id: nameOf(name), config: info.config };
    if (level < LEVELS.shards) return named;
    const local = {
      variant_name: 'local' as const,
      status: info.status,
      total_optimized_points: figures.rowsLinked,
      vectors_size_bytes: figures.vectorBytes,
      payloads_size_bytes: figures.payloadBytes,
      num_points: info.points_count,
      num_vectors: figures.vectors,
    };
    return {
      ...named,
      shards: [{ id: 0, key: null, local, remote: [], replicate_states: { '0': 'Active' } }],
      transfers: [],
      resharding: [],
    };
  } catch (error) {
    if (error instanceof ServiceError) return undefined;
    throw error;
  }
}

function responsesOf(threads: readonly (readonly RequestStatistic[])[], transport: 'rest' | 'grpc'): RequestTelemetry {
  const own = threads.map((statistics) => statistics.filter((each) => each.transport === transport));
  const responses: { [endpoint: string]: { [status: string]: ReturnType<typeof figuresOf> } } = {};
  for (const statistic of addedUp(own, ({ endpoint, status }) => `${status} ${endpoint}`).values()) {
    const endpoint = endpointName(statistic.endpoint);
    responses[endpoint] = { ...responses[endpoint], [statistic.status]: figuresOf(statistic) };
  }
  return { responses };
}

/** The published service calls a collection `{name}` here. */
function endpointName(endpoint: string): string {
  return endpoint.replace('{collection_name}', '{name}');
}

const micros = (seconds: number) => seconds * 1e6;

function figuresOf({ count, totalSeconds, minSeconds, maxSeconds, lastMs }: RequestStatistic) {
  return {
    count,
    avg_duration_micros: micros(totalSeconds / count),
    min_duration_micros: micros(minSeconds),
    max_duration_micros: micros(maxSeconds),
    total_duration_micros: Math.round(micros(totalSeconds)),
    last_responded: new Date(lastMs).toISOString(),
  };
}

function anonymised(name: string): string {
  return createHash('sha256').update(name).digest('hex').slice(0, 16);
}
