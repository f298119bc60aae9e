// SPDX-License-Identifier: Apache-2.0
/** A node of a cluster in the writer's thread: opens the log, follows it, and gives the writes that go by it. Loaded only where a log is set. */
import { type Clock, pause } from '@sextant/foundation-std';
import type { Catalog, Log, OperationRunner } from '@sextant/vector-collection';
import { type OperationLog, openOperationLog } from '@sextant/vector-log';
import { Replicator } from '@sextant/vector-replication';
import type { SystemStorage } from '@sextant/vector-storage';
import type { ClusterGauges } from './cluster-gauges.ts';
import type { ClusterSettings } from './cluster-settings.ts';
import type { Cluster } from './peers.ts';

export type JoinedCluster = Cluster & {
  readonly runner: OperationRunner;
  /** Resolves when this node has what was in the log by now; the collections are loaded. */
  start(): Promise<void>;
  caughtUp(): Promise<void>;
  close(): Promise<void>;
};

export type JoinOptions = {
  readonly settings: ClusterSettings;
  readonly catalog: Catalog;
  readonly system: SystemStorage;
  readonly gauges: ClusterGauges;
  readonly clock: Clock;
  readonly log: Log;
};

const RETRY_PAUSE_MS = 1000;

/** Resolves when the log can be reached, however long that takes; undefined where the service ends before. */
export async function joinCluster(
  { settings, catalog, system, gauges, clock, log }: JoinOptions,
  isEnding: () => boolean,
): Promise<JoinedCluster | undefined> {
  const operationLog = await openWhenReachable(settings, { clock, log }, isEnding);
  if (operationLog === undefined) return undefined;
  const replicator = new Replicator({
    log: operationLog,
    catalog,
    store: system,
    node: settings.node,
    address: settings.address,
    clock,
    logger: log,
    observe: (status) => gauges.write(status),
    // Out of every promise, so that it ends the thread, and with it the service.
    failed: (error) =>
      queueMicrotask(() => {
        throw error;
      }),
  });
  return {
    runner: replicator,
    get status() {
      return replicator.status;
    },
    peers: () => replicator.members(),
    forget: (node) => replicator.forget(node),
    start: () => replicator.start(),
    caughtUp: () => replicator.caughtUp(),
    close: () => replicator.close(),
  };
}

async function openWhenReachable(
  { url }: ClusterSettings,
  { clock, log }: Pick<JoinOptions, 'clock' | 'log'>,
  isEnding: () => boolean,
): Promise<OperationLog | undefined> {
  for (let attempt = 0; !isEnding(); attempt++) {
    try {
      return await openOperationLog({ url, clock });
    } catch (error) {
      if (attempt === 0) log.warn({ err: error }, 'the log of the cluster cannot be reached; the service waits for it before it is ready');
      await pause(clock, RETRY_PAUSE_MS);
    }
  }
  return undefined;
}
