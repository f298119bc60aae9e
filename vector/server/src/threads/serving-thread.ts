// SPDX-License-Identifier: Apache-2.0
/** A serving thread: its own HTTP listener on the shared port, reads of its own, writes by way of the writer. */
import type { AddressInfo } from 'node:net';
import { type MessagePort, workerData } from 'node:worker_threads';
import { ServiceError } from '@sextant/contracts-vector';
import { ConnectionCap, createLog, DiskRoom, openServerTls, tlsFilesOf } from '@sextant/foundation-service';
import {
  type CountedRequest,
  certificateFigure,
  changeableAccess,
  collectionMetrics,
  createResponseMetrics,
  drainConnections,
  drainTimes,
  durationMetrics,
  gatherMetrics,
  type MetricsPage,
  OWN_ORIGIN,
  RequestStatistics,
  renderMetrics,
  ServerConnections,
  serveConsole,
} from '@sextant/foundation-service/http';
import { assert, seededRandom, systemClock } from '@sextant/foundation-std';
import { CatalogView, engineReads, SnapshotFolder, snapshotReads, wholeReads } from '@sextant/vector-collection';
import type { IncomingStatus } from '@sextant/vector-replication';
import type { AuthSnapshot } from '../auth/auth.ts';
import { createAuthoriser } from '../auth/authorise.ts';
import { ClusterGauges } from '../cluster/cluster-gauges.ts';
import { type ClusterSettings, clusterSettingsOf } from '../cluster/cluster-settings.ts';
import { snapshotsDirectory } from '../configuration.ts';
import { embeddingMetrics } from '../embedding/embedding-metrics.ts';
import type { CallFacts } from '../grpc/grpc-server.ts';
import { createGrpcListener } from '../grpc/listener.ts';
import { execute } from '../operations/execute.ts';
import type { OperationReply, OperationRequest } from '../operations/operation.ts';
import { isOperation, operationThread, readsPoints } from '../operations/registry.ts';
import { loggingRequests } from '../operations/request-log.ts';
import type { BatchPart, Helper, PartAnswer } from '../operations/search/batch.ts';
import { answerForOther } from '../operations/search/help.ts';
import { tracingOperations } from '../operations/traced-operations.ts';
import { PRODUCT } from '../product.ts';
import { BodyBudget } from '../resources/body-budget.ts';
import { OpeningGauges } from '../resources/opening-gauges.ts';
import { resourceFigures } from '../resources/resource-figures.ts';
import { Transfers } from '../resources/transfers.ts';
import { accessRulesOf } from '../rest/access-rules.ts';
import { buildRestApp, type RestAppOptions } from '../rest/app.ts';
import { snapshotFigures } from '../snapshots/snapshot-figures.ts';
import { SnapshotGauges } from '../snapshots/snapshot-gauges.ts';
import { BroadcastListener } from './broadcast.ts';
import { CATCH_UP, reaching } from './catch-up.ts';
import { embeddingClient } from './embedding-client.ts';
import { MemoryReturn } from './memory-return.ts';
import type { AllCounts, MetricsQuestion, ServingThreadData, StateEvent, ThreadCounts } from './messages.ts';
import { openerVia } from './opening.ts';
import { RpcClient, serveRpc, ThreadGoneError } from './rpc.ts';
import { aboutCopies, answerOfWriter } from './shard-copies.ts';
import { answerMain } from './thread.ts';
import { openThreadTelemetry } from './thread-telemetry.ts';
import { Traffic } from './traffic.ts';

/** As many bodies of the largest size are held at a time by all threads together. */
const BODIES_OF_FULL_SIZE = 8;

const data: ServingThreadData = workerData;
const { configuration } = data;
const clock = systemClock;
const log = createLog({ level: configuration.logLevel, clock }).child({ thread: 'serving' });

const opener = openerVia(
  () => writer,
  () => listener.catchUp(),
);
const catalog = new CatalogView({ clock, log, random: seededRandom(data.seed), opener });
const openings = new OpeningGauges(data.resources.openings);
const snapshots = new SnapshotFolder({ directory: snapshotsDirectory(configuration), clock });
const snapshotGauges = new SnapshotGauges(data.snapshotGauges);
const clusterGauges = new ClusterGauges(data.clusterGauges);
const clusterSettings = clusterSettingsOf(configuration);
const ownReads = engineReads(catalog);
const shardLane = clusterSettings && (await openLane(clusterSettings));
const engine = {
  ...wholeReads(shardLane?.reads ?? ownReads, {
    isRecovering: (collection) => catalog.isRecovering(collection),
    ...(clusterSettings !== undefined && { caughtUp: catchUp }),
  }),
  ...snapshotReads(catalog, snapshots),
};
const threads = { serving: configuration.threads, indexing: configuration.threads };
const counts = createResponseMetrics();
const requests = new RequestStatistics();
const instance = {
  id: data.instanceId,
  startedMs: data.startedMs,
  requests: async () => (await main.call('counts')).map((each) => each.requests),
};
const traffic = new Traffic(data.traffic);
const writer: RpcClient<OperationRequest, OperationReply> = new RpcClient<OperationRequest, OperationReply>(data.writer);
const dense = embeddingClient(data.embedding);
const main = new RpcClient<MetricsQuestion, AllCounts>(data.allCounts);
const caughtUp = clusterSettings === undefined ? undefined : catchUp;
const authoriser = createAuthoriser({ clock });
let auth: AuthSnapshot | undefined;
let state: 'loading' | 'ready' | 'closing' = 'loading';
const memory = new MemoryReturn(clock);

const listener = new BroadcastListener<StateEvent>(data.counter, data.events, (event) => {
  switch (event.kind) {
    case 'catalog':
      memory.after(event.event);
      if (event.event.kind === 'deleted') requests.forget(event.event.name);
      return catalog.apply(event.event);
    case 'auth':
      auth = event.snapshot;
      return;
    case 'peers':
      shardLane?.meet(event.peers);
      return;
    case 'ready':
      if (state === 'loading') state = 'ready';
      return;
  }
});
serveRpc<MetricsQuestion, ThreadCounts>(data.ownCounts, async () => ({ metrics: await counts.snapshot(), requests: requests.snapshot() }));

const helpers = data.others.map(({ asked }) => helperAt(asked));
for (const { asking } of data.others) serveRpc<BatchPart, PartAnswer>(asking, help);

const authorise: RestAppOptions['authorise'] = (caller, requirement) => {
  listener.catchUp();
  assert(auth !== undefined, 'the writer sends its credentials before any thread listens');
  return authoriser(auth, caller, requirement);
};
const currentState = () => {
  listener.catchUp();
  return state;
};
const disk = new DiskRoom(data.resources.disk);
const { descriptors } = data.resources;
const connections = new ConnectionCap(data.resources.connections, { max: descriptors.connectionsMax, clock });
const bodyBudget = new BodyBudget(data.bodyBytesHeld, BODIES_OF_FULL_SIZE * configuration.bodyLimitBytes);

const tlsFiles = tlsFilesOf(configuration);
const tls = tlsFiles && openServerTls(tlsFiles, { clock, log });

const readContext = {
  engine,
  dense,
  clock,
  log,
  helpers,
  threads,
  instance,
  caughtUp,
  clusterReads: await openClusterReads(),
  unknownMembers: configuration.unknownMembers,
};
const metrics = data.sendsMetrics ? async () => gatherMetrics(await metricsPage({ perCollection: false })) : undefined;
const telemetry = await openThreadTelemetry(data, { thread: 'serving', metrics, log });
const executeLogged = loggingRequests(
  configuration,
  { clock, log },
  tracingOperations((request) => execute(request, readContext)),
);

const access = changeableAccess(accessRulesOf(configuration));

const app = buildRestApp({
  tls,
  clientAddress: access.clientAddress,
  dispatch,
  authorise,
  service: {
    state: currentState,
    collections: () => catalog.states,
    metrics: async (asked) => renderMetrics(await metricsPage(asked)),
    observe: (response) => {
      counts.observe(response);
      const { method, endpoint, status, seconds } = response;
      count({ transport: 'rest', collection: response.collection, endpoint: `${method} ${endpoint}`, status }, seconds);
    },
  },
  web: access.web,
  snapshots,
  transfers: new Transfers(data.resources.transfers),
  connections,
  disk,
  bodyBudget,
  config: configuration,
  clock,
  log,
});
const served = new ServerConnections(app.server);
shardLane?.serve(app.server, {
  copies: {
    answer: async (question) => answerOfWriter(await writer.call(aboutCopies(question))),
    piece: ({ draft, from, bytes }) => snapshots.pieceOfPacked(draft, { from, bytes }),
  },
  isReady: () => currentState() === 'ready',
  bodyLimitBytes: configuration.bodyLimitBytes,
  log,
});
serveConsole(app, {
  services: { vector: OWN_ORIGIN, observability: configuration.observabilityUrl },
  capabilities: configuration.capabilities,
});
const loadGrpc = async () => {
  const { buildGrpcServer } = await import('../grpc/grpc-server.ts');
  const observeCall = (call: CallFacts) => {
    counts.observeCall(call);
    count({ transport: 'grpc', collection: call.collection, endpoint: call.method, status: call.code }, call.seconds);
  };
  const service = { state: currentState, observeCall };
  return buildGrpcServer({ connectionsMax: connections.max, dispatch, authorise, service, bodyBudget, config: configuration, clock, log });
};
const grpc = createGrpcListener({ cap: connections, tls, load: loadGrpc });
answerMain({
  stop: async () => {
    state = 'closing';
    const times = drainTimes(configuration.shutdownSeconds);
    const closeServer = drainConnections(() => app.close(), served, { ...times, clock, warn: (sentence) => log.warn(sentence) });
    await Promise.all([closeServer, grpc.close(times.answerMs), tls?.close()]);
    shardLane?.close();
    await telemetry?.close();
    await catalog.close();
    const toOthers = data.others.flatMap(({ asked, asking }) => [asked, asking]);
    for (const port of [data.events, data.writer, data.allCounts, data.ownCounts, ...toOthers]) port.close();
    dense?.port.close();
  },
  configure: (changed) => {
    log.level = changed.logLevel;
    access.change(accessRulesOf(changed));
  },
  listen: async ({ rest, grpc: grpcPort }) => {
    const { host } = configuration;
    const reusePort = data.sharesPort;
    await app.ready();
    // Fastify's own `listen` would not know the shared port.
    await new Promise<void>((resolve, reject) => {
      app.server.once('error', reject);
      app.server.listen({ host, port: rest, reusePort }, resolve);
    });
    // A server on a host and port has an address of this form.
    return { rest: (app.server.address() as AddressInfo).port, grpc: await grpc.listen({ host, port: grpcPort, reusePort }) };
  },
});
await app.ready();

async function metricsPage({ perCollection }: { readonly perCollection: boolean }): Promise<MetricsPage> {
  const threadCounts = await main.call('counts');
  return {
    app: { name: PRODUCT.name, version: PRODUCT.version },
    collections: catalog.figures(),
    figures: [
      { name: 'app_status_recovery_mode', help: 'Always 0: this service has no recovery mode', value: 0 },
      { name: 'cluster_enabled', help: '1 if this node belongs to a cluster, else 0', value: Number(caughtUp !== undefined) },
      ...(tls === undefined ? [] : [certificateFigure(tls)]),
      ...resourceFigures({ descriptors, collections: catalog.states.open, connections: connections.figures, disk: disk.figures }),
      ...openings.figures(catalog.states, data.resources),
      ...(caughtUp === undefined ? [] : clusterGauges.figures),
      ...(configuration.capabilities.includes('snapshots') ? snapshotFigures(snapshotGauges) : []),
      ...(dense === undefined ? [] : embeddingMetrics(await dense.figures())),
    ],
    threads: [...threadCounts.map(({ metrics }) => metrics), durationMetrics(threadCounts.map((each) => each.requests))],
    ...(perCollection ? { byCollection: collectionMetrics(threadCounts.map((each) => each.requests)) } : {}),
    startedSeconds: data.startedMs / 1000,
  };
}

/** The writer asks the log of the cluster how far it is, and answers when this node is as far. */
async function catchUp(): Promise<void> {
  const { status } = await writer.call(CATCH_UP);
  if (status !== 200) throw new ServiceError('consistency_unavailable');
  listener.catchUp();
}

/** A node that asks is seldom ahead; where it is, the writer knows when this one has come as far. */
async function reached(position: number): Promise<void> {
  if (clusterGauges.applied < position) await writer.call(reaching(position));
  listener.catchUp();
}

async function openLane(settings: ClusterSettings) {
  const { openShardLane } = await import('../cluster/shards/shard-lane.ts');
  const random = seededRandom(data.seed);
  return openShardLane({ settings, base: ownReads, view: catalog, gauges: clusterGauges, caughtUp: catchUp, reached, clock, random });
}

async function openClusterReads() {
  if (clusterSettings === undefined || shardLane === undefined) return undefined;
  const { clusterReads } = await import('../cluster/cluster-reads.ts');
  const incoming = async () => {
    const answer = answerOfWriter(await writer.call(aboutCopies({ copy: 'incoming' })));
    if (!('result' in answer)) throw new ServiceError('engine_not_initialized');
    // The writer of this service has written it.
    return answer.result as readonly IncomingStatus[];
  };
  return clusterReads({ settings: clusterSettings, gauges: clusterGauges, lane: shardLane, view: catalog, base: ownReads, incoming });
}

/** Reads run here; everything that changes state runs on the writer, to which the body is handed over, not copied. */
async function dispatch(request: OperationRequest): Promise<OperationReply> {
  listener.catchUp();
  if (isOperation(request.operation)) {
    if (operationThread(request.operation) === 'writer') {
      const { request: sent, transfer } = handedOver(request);
      return writer.call(sent, transfer);
    }
    if (readsPoints(request.operation)) traffic.noteRead();
  }
  return executeLogged(request);
}

/** Only collections that there are get a label of their own: clients can ask for any name. */
function count(request: Omit<CountedRequest, 'collection'> & { readonly collection: string | undefined }, seconds: number): void {
  const { collection = '' } = request;
  const known = collection !== '' && catalog.isServed(collection) ? collection : '';
  requests.observe({ ...request, collection: known }, seconds, clock.nowMs());
}

function helperAt(port: MessagePort): Helper {
  const thread = new RpcClient<BatchPart, PartAnswer>(port);
  return async (part) => {
    try {
      return await thread.call(part);
    } catch (error) {
      if (error instanceof ThreadGoneError) return undefined;
      throw error;
    }
  };
}

async function help(part: BatchPart): Promise<PartAnswer> {
  listener.catchUp();
  return answerForOther(engine, part);
}

/** A body that shares its memory with others, as small buffers do, is copied before it is handed over. */
function handedOver(request: OperationRequest): { request: OperationRequest; transfer: ArrayBuffer[] } {
  if (request.body === undefined) return { request, transfer: [] };
  const { buffer, byteLength } = request.body;
  const whole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  const body = whole ? new Uint8Array(buffer) : Uint8Array.from(request.body);
  return { request: { ...request, body }, transfer: [body.buffer] };
}
