// SPDX-License-Identifier: Apache-2.0
/**
 * Starts the threads of the service, connects them, and ends them in order. A thread that dies ends the service: what was
 * acknowledged is on disk, and half a service would only hide the fault.
 */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import {
  ConnectionCap,
  createLog,
  DiskRoom,
  descriptorLimit,
  missingTelemetry,
  openDescriptors,
  Pending,
  tlsFilesOf,
} from '@sextant/foundation-service';
import { assert, systemClock } from '@sextant/foundation-std';
import { ClusterGauges } from '../cluster/cluster-gauges.ts';
import { clusterSettingsOf } from '../cluster/cluster-settings.ts';
import type { VectorConfiguration } from '../configuration.ts';
import { denseModelsOf } from '../embedding/open-embedder.ts';
import { BodyBudget } from '../resources/body-budget.ts';
import { collectionsIn, DescriptorLimitError, planDescriptors } from '../resources/descriptor-plan.ts';
import { boundOf } from '../resources/open-bound.ts';
import { OpeningGauges } from '../resources/opening-gauges.ts';
import { Transfers } from '../resources/transfers.ts';
import { SnapshotGauges } from '../snapshots/snapshot-gauges.ts';
import { Broadcaster } from './broadcast.ts';
import { Ending } from './ending.ts';
import type {
  AllCounts,
  EmbeddingLink,
  EmbeddingThreadData,
  IndexerThreadData,
  LinkerThreadData,
  MetricsQuestion,
  NamedRun,
  Ports,
  ResourceData,
  ServingThreadData,
  ThreadCounts,
  WriterThreadData,
} from './messages.ts';
import { RpcClient, serveRpc } from './rpc.ts';
import { Thread } from './supervised-thread.ts';
import { Traffic } from './traffic.ts';

export type VectorService = {
  /** Of the REST interface. */
  readonly address: string;
  readonly grpcAddress: string;
  /** What a browser has to send to create the first admin, while there is none. */
  readonly setupCode: string | undefined;
  /** Resolves with the number of collections when all are loaded. */
  readonly ready: Promise<number>;
  /** Rejects when a thread dies. */
  readonly failed: Promise<never>;
  /** Takes over settings that may change while the service runs. */
  reconfigure(configuration: VectorConfiguration): void;
  /** Finishes the requests in flight, then writes, then graphs. */
  stop(): Promise<void>;
  /** What `stop` waits for. */
  unfinished(): string;
};

export type SupervisorOptions = {
  readonly configuration: VectorConfiguration;
  /** Seeds the random samples of the threads. */
  readonly seed: number;
  readonly startedMs: number;
  /** Rows of a shard of a vector space, a multiple of 32; by default as many as its memory can hold. */
  readonly rowsPerShard?: number;
};

type RunOptions = SupervisorOptions & NamedRun;

/** Of the time that the service has to end: from then on nobody waits for graphs, so that the stores are closed in order. */
const HURRY_SHARE = 0.8;
/** Of the threads beside those that serve and link. */
const WRITER_AND_INDEXER = 2;
/** Of the 64 reader slots of a space, some are the writer's and the indexer's. */
const READER_SLOTS_FOR_THREADS = 60;

/** What Node.js and the lock have open on systems that do not say it. */
const DESCRIPTORS_BEFORE_THREADS = 32;

/** The service must not run as it is configured; the message says what to change. */
export class ServiceRefusedError extends Error {
  override readonly name = 'ServiceRefusedError';
}

export async function startVectorService(options: SupervisorOptions): Promise<VectorService> {
  const { configuration } = options;
  const threadCount = servingThreadCount(configuration);
  requireRoomForFirstStart(configuration);
  const missing = await missingTelemetry(configuration);
  if (missing !== undefined) throw new ServiceRefusedError(missing);
  const resources = divideResources(configuration, { serving: threadCount, other: linkerCount(configuration) + WRITER_AND_INDEXER });
  for (const port of [configuration.restPort, configuration.grpcPort]) if (port !== 0) await checkPortFree(configuration.host, port);

  const channels = createChannels(threadCount, linkerCount(configuration), denseModelsOf(configuration));
  const instanceId = randomUUID();
  const indexer = startIndexer(options, channels);
  const linkers = startLinkers(options, channels);
  const writer = startWriter({ ...options, instanceId }, resources, channels);
  const serving = startServingThreads({ ...options, instanceId }, resources, channels);
  const embedding = startEmbedding({ ...options, instanceId }, channels);
  const threads = [writer, indexer, ...linkers, ...serving, ...embedding];
  const ending = new Ending(channels.ending);
  const pending = new Pending();
  const log = createLog({ level: configuration.logLevel, clock: systemClock });
  /** These threads yield to all others and touch no storage: on a busy machine the service ends without them, and loses nothing that it cannot build again. */
  const saveGraphs = async () => {
    // The indexer saves what the linkers have left.
    await pending.until('linking', Promise.all(linkers.map((thread) => thread.stop())));
    await pending.until('saving graphs', indexer.stop());
  };
  const stop = async () => {
    ending.begin();
    const hurried = Promise.withResolvers<'hurried'>();
    systemClock
      .after(configuration.shutdownSeconds * HURRY_SHARE * 1000, () => {
        ending.hurry();
        hurried.resolve('hurried');
      })
      .unref();
    await pending.until('requests', Promise.all(serving.map((thread) => thread.stop())));
    const outcome = await Promise.race([saveGraphs(), hurried.promise]);
    if (outcome === 'hurried') log.warn('there is no time left to save graphs; the next start builds what is missing');
    await pending.until('writes and snapshots', writer.stop());
    await pending.until('embedding', Promise.all(embedding.map((thread) => thread.stop())));
  };

  const started = await writer.reported('started', 'refused');
  const embeds = await Promise.all(embedding.map((thread) => thread.reported('embeds', 'refused')));
  for (const report of [started, ...embeds]) {
    if (report.kind !== 'refused') continue;
    await stop();
    throw new ServiceRefusedError(report.problem);
  }
  assert(started.kind === 'started', 'a refusal has ended the start');
  let ports: Ports = { rest: configuration.restPort, grpc: configuration.grpcPort };
  // One after the other: with port 0 the first thread chooses the port for all.
  for (const thread of serving) ports = await thread.listen(ports);

  const scheme = tlsFilesOf(configuration) === undefined ? 'http' : 'https';
  const host = configuration.host.includes(':') ? `[${configuration.host}]` : configuration.host;
  return {
    address: `${scheme}://${host}:${ports.rest}`,
    grpcAddress: `${scheme}://${host}:${ports.grpc}`,
    setupCode: started.setupCode,
    ready: writer.reported('ready').then(({ collections }) => collections),
    failed: Promise.race(threads.map(({ died }) => died)),
    reconfigure: (changed) => {
      log.level = changed.logLevel;
      for (const thread of threads) thread.configure(changed);
    },
    stop,
    unfinished: () => pending.names,
  };
}

/** A first start has to write; later ones come up for reading. Asked before any thread runs, so that all that happens is a sentence. */
function requireRoomForFirstStart({ dataDirectory, diskReserveBytes }: VectorConfiguration): void {
  if (existsSync(join(dataDirectory, 'system', 'data.mdb'))) return;
  const disk = new DiskRoom(DiskRoom.allocate());
  using _watch = disk.watch({ directory: dataDirectory, reserveBytes: diskReserveBytes, clock: systemClock, onChange: () => undefined });
  const { isFull, free, reserve } = disk.figures;
  if (!isFull) return;
  const room = `${free} bytes are free, ${reserve} are kept in reserve`;
  throw new ServiceRefusedError(
    `cannot create the data directory: the disk of ${dataDirectory} is full (${room}). Free disk space, or choose another directory with SERVICE_DATA_DIR.`,
  );
}

/** @throws ServiceRefusedError where the process may not have as many file descriptors as the service needs */
function divideResources(configuration: VectorConfiguration, threads: { readonly serving: number; readonly other: number }): ResourceData {
  try {
    const descriptors = planDescriptors({
      limit: descriptorLimit(),
      open: openDescriptors() ?? DESCRIPTORS_BEFORE_THREADS,
      threads,
      connectionsMax: configuration.connectionsMax,
      collections: collectionsIn(configuration.dataDirectory),
      canClose: clusterSettingsOf(configuration) === undefined,
    });
    return {
      descriptors,
      openMax: boundOf(configuration, descriptors).max,
      openings: OpeningGauges.allocate(),
      connections: ConnectionCap.allocate(),
      transfers: Transfers.allocate(),
      disk: DiskRoom.allocate(),
    };
  } catch (error) {
    throw error instanceof DescriptorLimitError ? new ServiceRefusedError(error.message, { cause: error }) : error;
  }
}

/** All that connects the threads: the writer is at `port1` of each channel, its partner at `port2`. */
type Channels = {
  readonly snapshotGauges: SharedArrayBuffer;
  readonly clusterGauges: SharedArrayBuffer;
  readonly traffic: SharedArrayBuffer;
  readonly ending: SharedArrayBuffer;
  readonly counter: SharedArrayBuffer;
  readonly indexerCounter: SharedArrayBuffer;
  readonly toIndexer: MessageChannel;
  readonly toLinkers: readonly MessageChannel[];
  readonly toServing: readonly { readonly events: MessageChannel; readonly requests: MessageChannel }[];
  /** From the writer and each serving thread, in this order; none where no model is configured. */
  readonly toEmbedding: readonly MessageChannel[];
  readonly denseModels: readonly string[];
};

function createChannels(servingThreads: number, linkers: number, denseModels: readonly string[]): Channels {
  return {
    denseModels,
    toEmbedding: Array.from({ length: denseModels.length === 0 ? 0 : servingThreads + 1 }, () => new MessageChannel()),
    snapshotGauges: SnapshotGauges.allocate(),
    clusterGauges: ClusterGauges.allocate(),
    traffic: Traffic.allocate(),
    ending: Ending.allocate(),
    counter: Broadcaster.allocateCounter(),
    indexerCounter: Broadcaster.allocateCounter(),
    toIndexer: new MessageChannel(),
    toLinkers: Array.from({ length: linkers }, () => new MessageChannel()),
    toServing: Array.from({ length: servingThreads }, () => ({ events: new MessageChannel(), requests: new MessageChannel() })),
  };
}

function startIndexer({ configuration }: SupervisorOptions, { toIndexer, indexerCounter, traffic, ending }: Channels): Thread {
  const events = toIndexer.port2;
  const data: IndexerThreadData = { configuration, events, traffic, ending, counter: indexerCounter };
  return new Thread(new URL('./indexer-thread.ts', import.meta.url), data, [events]);
}

/** A thread where a model is configured, none otherwise. */
function startEmbedding({ configuration, startedMs, instanceId }: RunOptions, { toEmbedding }: Channels): Thread[] {
  if (toEmbedding.length === 0) return [];
  const data: EmbeddingThreadData = { configuration, startedMs, instanceId, asked: toEmbedding.map(({ port2 }) => port2) };
  return [new Thread(new URL('./embedding-thread.ts', import.meta.url), data, [...data.asked])];
}

/** @param asking 0 for the writer, 1 for the first serving thread */
function embeddingLink({ toEmbedding, denseModels: models }: Channels, asking: number): EmbeddingLink | undefined {
  const channel = toEmbedding[asking];
  return channel && { models, port: channel.port1 };
}

function startLinkers({ configuration }: SupervisorOptions, { toLinkers, indexerCounter, traffic, ending }: Channels): Thread[] {
  return toLinkers.map(({ port2: events }, index) => {
    const data: LinkerThreadData = { configuration, events, traffic, ending, counter: indexerCounter, place: index + 1 };
    return new Thread(new URL('./linker-thread.ts', import.meta.url), data, [events]);
  });
}

function startWriter(
  { configuration, seed, startedMs, instanceId, rowsPerShard }: RunOptions,
  resources: ResourceData,
  channels: Channels,
): Thread {
  const { counter, indexerCounter, snapshotGauges, clusterGauges, traffic, ending, toIndexer, toLinkers, toServing } = channels;
  const serving = toServing.map(({ events, requests }) => ({ events: events.port1, requests: requests.port1 }));
  const indexing = { events: [toIndexer, ...toLinkers].map(({ port1 }) => port1), counter: indexerCounter };
  const embedding = embeddingLink(channels, 0);
  const data: WriterThreadData = {
    configuration,
    startedMs,
    instanceId,
    resources,
    seed,
    rowsPerShard,
    snapshotGauges,
    clusterGauges,
    traffic,
    ending,
    counter,
    serving,
    indexing,
    embedding,
  };
  return new Thread(new URL('./writer-thread.ts', import.meta.url), data, [
    ...indexing.events,
    ...serving.flatMap(({ events, requests }) => [events, requests]),
    ...(embedding === undefined ? [] : [embedding.port]),
  ]);
}

/** Each thread counts its own responses; whichever is asked for metrics gets everybody's by way of main. */
function startServingThreads(
  { configuration, seed, startedMs, instanceId }: RunOptions,
  resources: ResourceData,
  channels: Channels,
): Thread[] {
  const { counter, snapshotGauges, clusterGauges, traffic, toServing } = channels;
  const bodyBytesHeld = BodyBudget.allocate();
  const counts: RpcClient<MetricsQuestion, ThreadCounts>[] = [];
  const allCounts = (): Promise<AllCounts> => Promise.all(counts.map((thread) => thread.call('counts')));
  const others = connectEach(toServing.length);
  return toServing.map(({ events, requests }, index) => {
    const own = new MessageChannel();
    const all = new MessageChannel();
    counts.push(new RpcClient(own.port1));
    serveRpc<MetricsQuestion, AllCounts>(all.port1, allCounts);
    const data: ServingThreadData = {
      configuration,
      resources,
      sharesPort: toServing.length > 1,
      seed: seed + index,
      startedMs,
      instanceId,
      sendsMetrics: index === 0,
      snapshotGauges,
      clusterGauges,
      bodyBytesHeld,
      traffic,
      counter,
      events: events.port2,
      writer: requests.port2,
      allCounts: all.port2,
      ownCounts: own.port2,
      embedding: embeddingLink(channels, index + 1),
      others: others[index] ?? [],
    };
    const toOthers = data.others.flatMap(({ asked, asking }) => [asked, asking]);
    return new Thread(new URL('./serving-thread.ts', import.meta.url), data, [
      events.port2,
      requests.port2,
      all.port2,
      own.port2,
      ...(data.embedding === undefined ? [] : [data.embedding.port]),
      ...toOthers,
    ]);
  });
}

/** A channel from each serving thread to each other one, by who asks. */
function connectEach(threads: number): ServingThreadData['others'][] {
  const channels = Array.from({ length: threads }, () => Array.from({ length: threads }, () => new MessageChannel()));
  return channels.map((toOthers, own) =>
    toOthers.flatMap(({ port1: asked }, other) => {
      const back = channels[other]?.[own];
      return other === own || back === undefined ? [] : [{ asked, asking: back.port2 }];
    }),
  );
}

/** Several listeners on one port need SO_REUSEPORT with balancing, which Node offers on Linux alone. */
function servingThreadCount({ threads }: VectorConfiguration): number {
  return process.platform === 'linux' ? threads : 1;
}

/** With the indexer, as many threads build graphs as serve; each linker takes two reader slots of a space. */
function linkerCount({ threads }: VectorConfiguration): number {
  return Math.min(threads - 1, Math.floor((READER_SLOTS_FOR_THREADS - threads) / 2));
}

/** A shared port can be shared by another process too, unnoticed; a listener that does not share it finds out. */
async function checkPortFree(host: string, port: number): Promise<void> {
  const probe = createServer();
  await new Promise<void>((resolve, reject) => {
    probe.once('error', reject);
    probe.listen({ host, port }, resolve);
  });
  await new Promise<void>((resolve) => probe.close(() => resolve()));
}
