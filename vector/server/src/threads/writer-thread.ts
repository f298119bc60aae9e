// SPDX-License-Identifier: Apache-2.0
/** The writer thread: owns the storage's write side, the rows of every space, and authentication. */
import { join } from 'node:path';
import { workerData } from 'node:worker_threads';
import { ServiceError } from '@sextant/contracts-vector';
import { AuditLog, createLog, createOutboundGuard, type DiskFigures, DiskRoom, releaseBytes } from '@sextant/foundation-service';
import { assert, seededRandom, systemClock } from '@sextant/foundation-std';
import {
  Catalog,
  CatalogView,
  describeClosed,
  engineReads,
  engineWrites,
  isAwaited,
  localRunner,
  maintenance,
  type OperationRunner,
  SnapshotFolder,
  Snapshots,
  snapshotReads,
  snapshotWrites,
  wholeReads,
} from '@sextant/vector-collection';
import { openSystemStorage } from '@sextant/vector-storage';
import { AuthAdministration } from '../auth/administration.ts';
import { ClusterGauges } from '../cluster/cluster-gauges.ts';
import { type ClusterSettings, clusterSettingsOf } from '../cluster/cluster-settings.ts';
import type { JoinedCluster } from '../cluster/join-cluster.ts';
import type { KnownPeer } from '../cluster/peers.ts';
import { openAccessProblem, snapshotsDirectory } from '../configuration.ts';
import { auditEntryOf } from '../operations/administration-audit.ts';
import { execute } from '../operations/execute.ts';
import type { OperationReply, OperationRequest } from '../operations/operation.ts';
import { loggingRequests } from '../operations/request-log.ts';
import { tracingOperations } from '../operations/traced-operations.ts';
import { boundOf } from '../resources/open-bound.ts';
import { OpeningGauges } from '../resources/opening-gauges.ts';
import { ResidentPressure } from '../resources/resident-pressure.ts';
import { SnapshotGauges } from '../snapshots/snapshot-gauges.ts';
import { SnapshotService } from '../snapshots/snapshot-service.ts';
import { Broadcaster } from './broadcast.ts';
import { answerCatchUp, CATCH_UP, positionToReach } from './catch-up.ts';
import { embeddingClient } from './embedding-client.ts';
import { Ending } from './ending.ts';
import { MemoryReturn } from './memory-return.ts';
import type { IndexerEvent, StateEvent, WriterThreadData } from './messages.ts';
import { Openings } from './opening.ts';
import { STEPS_BACK, stepBack } from './priority.ts';
import { residentMemoryPercent } from './resident-memory.ts';
import { serveRpc } from './rpc.ts';
import { answerAboutCopies, copyQuestionOf } from './shard-copies.ts';
import { answerMain, report } from './thread.ts';
import { openThreadTelemetry } from './thread-telemetry.ts';
import { Traffic } from './traffic.ts';

stepBack(STEPS_BACK.writing);
const {
  configuration,
  resources,
  counter,
  indexing,
  serving,
  seed,
  startedMs,
  instanceId,
  rowsPerShard,
  snapshotGauges,
  clusterGauges,
  traffic,
  ending,
  embedding,
}: WriterThreadData = workerData;
const clock = systemClock;
const log = createLog({ level: configuration.logLevel, clock }).child({ thread: 'writer' });
const { dataDirectory } = configuration;
const throttle = new Traffic(traffic).throttle(clock);

const servingThreads = new Broadcaster<StateEvent>(
  counter,
  serving.map(({ events }) => events),
);
const indexingThreads = new Broadcaster<IndexerEvent>(indexing.counter, indexing.events);

const memory = new MemoryReturn(clock);
const disk = new DiskRoom(resources.disk);
// Before anything is written: where there is no room, that is how the rest of the start finds it.
const diskWatch = disk.watch({ directory: dataDirectory, reserveBytes: configuration.diskReserveBytes, clock, onChange: diskChanged });
const system = openSystemStorage({ directory: join(dataDirectory, 'system') });
const settings = clusterSettingsOf(configuration);
const auth = new AuthAdministration({
  store: system,
  clock,
  dataDirectory,
  jwtSecret: configuration.jwtSecret,
  initiallyEnforced: configuration.authEnabled,
  ...(settings !== undefined && {
    sharedSecret: settings.secret,
    commit: async (change) => void (await inCluster().changeCredentials({ kind: 'change_credentials', ...change })),
  }),
});
/** Undefined for a service that stands alone, and until a node has reached its log. */
let cluster: JoinedCluster | undefined;
let isEnding = false;
/** As they were sent to the serving threads last. */
let knownPeers = '';
const gauges = new ClusterGauges(clusterGauges);
const resident = residentMemoryPercent(clock);
const view = new CatalogView({
  clock,
  log,
  random: seededRandom(seed),
  residentMemoryPercent: resident,
  opener: { open: async (name) => catalog.hold(name) },
});
const openings = new OpeningGauges(resources.openings);
const catalog: Catalog = new Catalog({
  dataDirectory,
  system,
  log,
  clock,
  vectorMemoryBytes: configuration.vectorMemoryBytes,
  collectionBound: boundOf(configuration, resources.descriptors),
  rowsPerShard,
  throttle,
  // What a node of a cluster has is named by its log again and again.
  ...(settings === undefined && { releasing: { describe: (name, file) => describeClosed(view, name, file), counts: openings } }),
  ...(settings !== undefined && {
    node: settings.node,
    credentialsChanged: () => auth.reload(),
    moves: (collection, token, key) =>
      inCluster().moves({ kind: 'move_points', collection, token, ...(key === undefined ? {} : { shardKey: key }) }),
  }),
  listener: {
    event: async (event) => {
      const own = view.apply(event);
      memory.after(event);
      if (isAwaited(event)) {
        await Promise.all([
          own,
          servingThreads.sendAndConfirm({ kind: 'catalog', event }),
          indexingThreads.sendAndConfirm({ kind: 'catalog', event }),
        ]);
      } else {
        servingThreads.send({ kind: 'catalog', event });
        indexingThreads.send({ kind: 'catalog', event });
      }
    },
    written: (collection) => indexingThreads.send({ kind: 'written', collection }),
  },
});
const uses = new Openings(catalog);
const pressure = settings === undefined ? new ResidentPressure({ catalog, percent: resident, clock, log }) : undefined;
void new Ending(ending).begun().then(() => catalog.hurry());
const folder = new SnapshotFolder({ directory: snapshotsDirectory(configuration), clock });
folder.removeDrafts();
const { recoverySeconds } = configuration;
/** Nothing is written before the node is ready, and it is ready when it has caught up with its log. */
const viaCluster: OperationRunner = {
  onCatalog: (operation) => inCluster().runner.onCatalog(operation),
  onCollection: (operation) => inCluster().runner.onCollection(operation),
};
const runner = settings === undefined ? localRunner(catalog) : viaCluster;
const snapshots = new Snapshots({
  catalog,
  folder,
  runner,
  isReplicated: settings !== undefined,
  node: settings?.node,
  makeShardKey: settings?.secret === undefined ? undefined : (...wanted) => inCluster().makeShardKey(...wanted),
  counts: new SnapshotGauges(snapshotGauges),
  clock,
  log,
  recoverySeconds,
});
const ownReads = engineReads(view);
const shardLane = settings && (await openLane(settings));
const copies = settings && (await openCopies());
const reads = shardLane?.reads ?? ownReads;
const engine = {
  ...wholeReads(reads, {
    isRecovering: (collection) => view.isRecovering(collection),
    ...(settings !== undefined && { caughtUp: () => inCluster().caughtUp() }),
  }),
  ...engineWrites(runner),
  ...maintenance(catalog),
  ...snapshotReads(view, folder),
  ...snapshotWrites(view, folder, snapshots),
  createSnapshot: async (collection?: string) => {
    if (collection === undefined) return settings === undefined ? snapshots.createFull() : inCluster().snapshots.createFull();
    return catalog.isSharded(collection) ? inCluster().snapshots.create(collection) : snapshots.create(collection);
  },
};
const auditLog = new AuditLog({ path: configuration.auditLog ?? join(dataDirectory, 'audit.jsonl'), clock, log });
const guard = createOutboundGuard({ allowPrivateNetworks: configuration.allowPrivateNetworks });
const dense = embeddingClient(embedding);
const context = {
  engine,
  dense,
  snapshots: new SnapshotService({ engine, folder, guard, clock, log, recoverySeconds }),
  auth,
  clock,
  log,
  throttle,
  disk,
  unknownMembers: configuration.unknownMembers,
  get cluster() {
    return cluster;
  },
};

const telemetry = await openThreadTelemetry({ configuration, startedMs, instanceId }, { thread: 'writer', log });
const executeLogged = loggingRequests(
  configuration,
  { clock, log },
  tracingOperations((request) => execute(request, context)),
);

if (auth.hasWeakSecret) log.warn('SERVICE_JWT_SECRET is shorter than 32 bytes; use at least 32 bytes');
auth.onChange((snapshot) => servingThreads.send({ kind: 'auth', snapshot }));
servingThreads.send({ kind: 'auth', snapshot: auth.snapshot() });
for (const { requests } of serving) {
  serveRpc<OperationRequest, OperationReply>(requests, async (request) => {
    if (request.operation === CATCH_UP.operation) return answerCatchUp(() => inCluster().caughtUp());
    const question = copyQuestionOf(request);
    if (question !== undefined && copies !== undefined) return answerAboutCopies(question, { copies, cluster: inCluster });
    const position = positionToReach(request);
    if (position !== undefined) return answerCatchUp(() => inCluster().reached(position));
    const opening = await uses.answer(request);
    if (opening !== undefined) return opening;
    const reply = await executeLogged(request);
    const entry = auditEntryOf(request, reply);
    if (entry !== undefined) auditLog.append(entry);
    // It was handed over to this thread alone, and everything of it that lasts is in storage by now.
    if (request.body !== undefined) releaseBytes(request.body);
    return reply;
  });
}
answerMain({
  stop: async () => {
    diskWatch[Symbol.dispose]();
    guard.close();
    isEnding = true;
    await copies?.close();
    await cluster?.close();
    shardLane?.close();
    await telemetry?.close();
    await snapshots.close();
    await pressure?.close();
    catalog.describe();
    await view.close();
    await catalog.close();
    system.close();
    auditLog.close();
    for (const { events, requests } of serving) {
      events.close();
      requests.close();
    }
    for (const events of indexing.events) events.close();
    dense?.port.close();
  },
  configure: ({ logLevel }) => {
    log.level = logLevel;
  },
});

const problem = openAccessProblem(configuration, auth.snapshot().enforced);
if (problem !== undefined) {
  report({ kind: 'refused', problem });
} else {
  report({ kind: 'started', setupCode: auth.setupCode });
  await catalog.load();
  if (settings !== undefined) await follow(settings);
  servingThreads.send({ kind: 'ready' });
  report({ kind: 'ready', collections: view.names().length });
}

async function follow(settings: ClusterSettings): Promise<void> {
  const { joinCluster } = await import('../cluster/join-cluster.ts');
  assert(shardLane !== undefined, 'a node of a cluster can ask others');
  const { peers } = shardLane;
  const isFull = () => disk.figures.isFull;
  const joining = { settings, catalog, system, gauges, view, base: ownReads, reads, peers, snapshots, folder, isFull, meet, clock, log };
  cluster = await joinCluster(joining, () => isEnding);
  await cluster?.start();
  if (cluster !== undefined)
    log.info({ node: settings.node, position: cluster.status.applied }, 'this node has caught up with its cluster');
}

async function openLane(settings: ClusterSettings) {
  const { openShardLane } = await import('../cluster/shards/shard-lane.ts');
  const reached = (position: number) => inCluster().reached(position);
  const caughtUp = () => inCluster().caughtUp();
  return openShardLane({ settings, base: ownReads, view, gauges, caughtUp, reached, clock, random: seededRandom(seed) });
}

async function openCopies() {
  const { PackedCopies } = await import('../cluster/shards/packed-copies.ts');
  const reached = (position: number) => inCluster().reached(position);
  return new PackedCopies({ snapshots, reached, clock });
}

/** Every thread knows who is there; most of the time nothing has changed. */
function meet(peers: readonly KnownPeer[]): void {
  const text = JSON.stringify(peers);
  if (text === knownPeers) return;
  knownPeers = text;
  shardLane?.meet(peers);
  servingThreads.send({ kind: 'peers', peers });
}

function inCluster(): JoinedCluster {
  if (cluster === undefined) throw new ServiceError('engine_not_initialized');
  return cluster;
}

function diskChanged({ isFull, free, reserve }: DiskFigures): void {
  if (isFull)
    log.warn(
      { directory: dataDirectory, free, reserve },
      'the disk is full: reads and deletions continue, other writes are refused with 507',
    );
  else log.info({ directory: dataDirectory, free, reserve }, 'the disk has space again: writes are accepted');
}
