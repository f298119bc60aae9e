// SPDX-License-Identifier: Apache-2.0
/** What runs here, and how it is used: more of it by the level of detail, as the published service has its levels. */
import { createHash } from 'node:crypto';
import { type CollectionTelemetry, type RequestTelemetry, ServiceError, type Telemetry } from '@sextant/contracts-vector';
import { addedUp, type RequestStatistic } from '@sextant/foundation-service';
import type { EngineReads } from '@sextant/vector-collection';
import type { ClusterReads } from '../../cluster/cluster-reads.ts';
import type { ShardsOfCollection } from '../../cluster/peers.ts';
import { PRODUCT } from '../../product.ts';
import { operation } from '../operation.ts';
import { clusterTelemetry, type Detail, shardOfWhole, shardsOfDivided } from './telemetry-shards.ts';

/** Collections are described from the first level on, by name and configuration from the second, with their shards from the third. */
const LEVELS = { described: 1, named: 2, shards: 3 } as const;

export const telemetry = operation(
  'telemetry',
  async ({ engine, instance, clusterReads: cluster, clock }, { query }): Promise<Telemetry> => {
    const names = await engine.listCollections();
    const detail = { level: Number(query.details_level ?? 0), hidden: query.anonymize === 'true' ? anonymised : undefined };
    const collections = detail.level < LEVELS.described ? {} : { collections: await describeAll({ engine, cluster }, names, detail) };
    const threads = (await instance?.requests()) ?? [];
    return {
      id: instance?.id ?? '',
      app: {
        name: PRODUCT.name,
        version: PRODUCT.version,
        ...(instance === undefined ? {} : { startup: new Date(instance.startedMs).toISOString() }),
      },
      collections: { number_of_collections: names.length, ...collections },
      cluster: clusterTelemetry(cluster, clock.nowMs(), detail),
      requests: { rest: responsesOf(threads, 'rest'), grpc: responsesOf(threads, 'grpc') },
    };
  },
);

type Sources = { readonly engine: EngineReads; readonly cluster: ClusterReads | undefined };

async function describeAll(sources: Sources, names: readonly string[], detail: Detail): Promise<CollectionTelemetry[]> {
  const divided = detail.level < LEVELS.shards ? undefined : await sources.cluster?.shardsOf(names);
  const described = await Promise.all(names.map((name) => describe(sources, name, { ...detail, divided: divided?.get(name) })));
  return described.flatMap((each) => each ?? []);
}

/** Undefined for a collection that is gone meanwhile, or cannot be read, which `/issues` tells. */
async function describe(
  { engine, cluster }: Sources,
  name: string,
  { divided, ...detail }: Detail & { readonly divided: ShardsOfCollection | undefined },
): Promise<CollectionTelemetry | undefined> {
  const { level, hidden } = detail;
  try {
    if (level < LEVELS.named) {
      const { config, optimizer_status: status } = await engine.collectionInfo(name);
      const { vectors } = await engine.collectionFigures(name);
      const { params } = config as { readonly params: { readonly [member: string]: unknown } };
      return { vectors, optimizers_status: status, params };
    }
    // Of a collection in shards this node has the definition; its shards are described where they are.
    const { config } = await (cluster?.own ?? engine).collectionInfo(name);
    const named = { id: hidden?.(name) ?? name, config };
    if (level < LEVELS.shards) return named;
    const isDivided = divided !== undefined && cluster !== undefined;
    return { ...named, ...(isDivided ? await shardsOfDivided(cluster, name, divided, detail) : await shardOfWhole(engine, name, cluster)) };
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
