// SPDX-License-Identifier: Apache-2.0
/**
 * How the file descriptors of the process are divided before anything is opened: what the threads take, what is open for a moment only, connections,
 * and collections. LMDB ends the process where it cannot open a file, and so collections are counted and never tried.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ServiceError } from '@sextant/contracts-vector';
import { type DescriptorLimit, REFUSED_CONNECTIONS_KEPT } from '@sextant/foundation-service';
import type { CollectionBound } from '@sextant/vector-collection';

/** LMDB's lock and its data file twice, the second time to write its meta pages. All threads of a process share them (seen in /proc/self/fd). */
export const DESCRIPTORS_PER_COLLECTION = 3;
/** An event loop: epoll, io_uring, an eventfd and a pipe; and one more for what loads at the moment. */
const PER_THREAD = 6;
/** Two ports, and the descriptor that libuv keeps to be able to refuse connections. */
const PER_SERVING_THREAD = 3;
/** Files that a thread has open for a moment: a saved graph, its folder, what LMDB opens before it finds that another thread has it. */
const PASSING_PER_THREAD = 3;
/** Uploads and downloads of snapshots at a time, each with a file beside its connection. */
export const TRANSFERS_MAX = 8;
/** The system's own state, a snapshot's members, a recovery beside the collection that it replaces, a child process, downloads from URLs. */
const PASSING = 24;

const CONNECTIONS_MIN = 8;
const CONNECTIONS_DEFAULT_MAX = 10_000;

export type DescriptorPlan = {
  readonly limit: DescriptorLimit;
  readonly connectionsMax: number;
  readonly collectionsMax: number;
};

export type DescriptorNeeds = {
  readonly limit: DescriptorLimit;
  /** Those of the process before its threads have started. */
  readonly open: number;
  readonly threads: { readonly serving: number; readonly other: number };
  /** Chosen by the operator; 0 leaves it to the plan. */
  readonly connectionsMax: number;
  /** Collections that there are. */
  readonly collections: number;
  /** Whether collections can be closed for others, so that not all of them have to be open. */
  readonly canClose?: boolean;
};

/** The limit does not do for the service; the message says what would. */
export class DescriptorLimitError extends Error {
  override readonly name = 'DescriptorLimitError';
}

/** @throws DescriptorLimitError when the limit is too low to start */
export function planDescriptors({
  limit,
  open,
  threads,
  connectionsMax: chosen,
  collections,
  canClose = false,
}: DescriptorNeeds): DescriptorPlan {
  const threadCount = threads.serving + threads.other;
  const fixed = open + threadCount * PER_THREAD + threads.serving * PER_SERVING_THREAD;
  const passing = threadCount * PASSING_PER_THREAD + TRANSFERS_MAX + REFUSED_CONNECTIONS_KEPT + PASSING;
  const left = limit.limit - fixed - passing;
  const wanted = (chosen === 0 ? CONNECTIONS_MIN : chosen) + DESCRIPTORS_PER_COLLECTION;
  if (left < wanted) throw new DescriptorLimitError(refusal({ limit, needed: limit.limit - left + wanted, threads, chosen }));
  const connectionsMax = chosen === 0 ? shareOfConnections(left, { collections, canClose }) : chosen;
  return { limit, connectionsMax, collectionsMax: Math.floor((left - connectionsMax) / DESCRIPTORS_PER_COLLECTION) };
}

/** Half, but less where the collections that there are need more; a quarter at least where these can be closed for each other. */
function shareOfConnections(left: number, { collections, canClose }: Required<Pick<DescriptorNeeds, 'collections' | 'canClose'>>): number {
  const kept = canClose ? Math.floor(left / 4) : 0;
  const leftByCollections = Math.max(kept, left - collections * DESCRIPTORS_PER_COLLECTION);
  return Math.max(CONNECTIONS_MIN, Math.min(Math.floor(left / 2), leftByCollections, CONNECTIONS_DEFAULT_MAX));
}

type Refusal = Pick<DescriptorNeeds, 'limit' | 'threads'> & { readonly needed: number; readonly chosen: number };

function refusal({ limit, needed, threads, chosen }: Refusal): string {
  const connections = chosen === 0 ? '' : ` and SERVICE_CONNECTIONS_MAX=${chosen}`;
  return (
    `the process may open ${limit.limit} file descriptors, but with SERVICE_THREADS=${threads.serving}${connections} it needs at least ${needed}. ` +
    `Raise the limit (ulimit -n, LimitNOFILE of systemd), or lower ${chosen === 0 ? 'SERVICE_THREADS' : 'SERVICE_THREADS or SERVICE_CONNECTIONS_MAX'}.`
  );
}

/** The bound on collections and, where it is reached, what to tell. */
export function collectionBound({ limit, connectionsMax, collectionsMax }: DescriptorPlan): CollectionBound {
  const details = { max: collectionsMax, each: DESCRIPTORS_PER_COLLECTION, limit: limit.limit, connections: connectionsMax };
  return { max: collectionsMax, reached: () => new ServiceError('collections_exhausted', details) };
}

/** How many collections a data directory has; what a crash left of others counts too. */
export function collectionsIn(dataDirectory: string): number {
  try {
    return readdirSync(join(dataDirectory, 'collections')).length;
  } catch {
    return 0;
  }
}
