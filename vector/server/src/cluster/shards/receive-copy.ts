// SPDX-License-Identifier: Apache-2.0
/** Fetches a copy of a collection or a shard from a node that has it, piece by piece, and takes it in. Each piece carries the seal of the cluster. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, pause, type Timer } from '@sextant/foundation-std';
import {
  type CatalogListing,
  type ExpectedPart,
  type PackedCollection,
  type ReceivedCollection,
  type SnapshotFolder,
  type Snapshots,
  writeStream,
} from '@sextant/vector-collection';
import type { FirstSource, ReceiveShard } from '@sextant/vector-replication';
import type { KnownPeer } from '../peers.ts';
import { metNodes } from './met-nodes.ts';
import { PeerFailure } from './peer-client.ts';
import { type CopyQuestion, type CopyState, PIECE_BYTES_MAX } from './question.ts';
import type { PeerLane } from './shard-lane.ts';
import { isAbsent } from './shard-server.ts';

export type FetchOptions = {
  readonly peers: PeerLane;
  readonly folder: SnapshotFolder;
  readonly clock: Clock;
};

export type ReceiveOptions = FetchOptions & { readonly snapshots: Pick<Snapshots, 'receive'> };

type Fetched = {
  readonly collection: string;
  /** The copy has everything up to this position of the log. */
  readonly atLeast: number;
  readonly signal: AbortSignal;
  readonly progressed: (bytes: { readonly done: number; readonly total: number }) => void;
};

type Wanted = Fetched & { readonly part: ExpectedPart };

const RECEIVED = 'received.snapshot';
const ANSWER_MS = 60_000;
const READY_PAUSE_MS = 250;
/** The other node forgets a copy that nobody has asked for in half a minute. */
const KEEP_MS = 5000;

export type ReceiveShardOptions = ReceiveOptions & {
  /** What this node is called; it may have the shard itself that another is made from. */
  readonly node: string;
  /** Resolves when this node has everything up to a position of the log. */
  readonly reached: (position: number) => Promise<void>;
  readonly snapshots: Pick<Snapshots, 'pack'>;
};

export function receiveShard(options: ReceiveShardOptions): ReceiveShard {
  const { node, peers, reached, snapshots } = options;
  return async ({ wanted: { holders, shard, place, parent }, atLeast, signal, progressed }) => {
    const from = parent ?? { shard, place };
    const take = async (archive: PackedCollection) => {
      await using _ = archive.draft;
      return await snapshots.receive(shard, { path: archive.file, part: { shard: from.place }, signal });
    };
    if (holders.includes(node)) {
      await reached(atLeast);
      signal.throwIfAborted();
      try {
        return await take(await snapshots.pack(from.shard));
      } catch (error) {
        // Its disk has lost it.
        if (!isAbsent(error, from.shard)) throw error;
      }
    }
    const wanted = { collection: from.shard, atLeast, signal, progressed };
    return ofFirst(peers.known(holders), signal, async (peer) => take(await fetchedArchive(peer, wanted, options)));
  };
}

export type FirstSourceOptions = ReceiveOptions & {
  /** The other nodes, as the log knows them. */
  readonly others: () => Promise<readonly string[]>;
  /** Ends what is on its way. */
  readonly signal: AbortSignal;
};

/** All collections come from the node that has listed them. */
export function firstSource(options: FirstSourceOptions): FirstSource {
  const { peers, others, signal } = options;
  let source: KnownPeer | undefined;
  return {
    list: async (atLeast) =>
      ofFirst(peers.known(await others()), signal, async (peer) => {
        // The seal says that a node of this cluster has written it.
        const listing = (await peers.ask(peer, { copy: 'list', atLeast }, withTimeout(signal))) as CatalogListing;
        source = peer;
        return listing;
      }),
    receive: async (collection, part, atLeast) => {
      if (source === undefined) throw new PeerFailure('no node has listed its collections');
      return fetched(source, { collection, part, atLeast, signal, progressed: () => undefined }, options);
    },
  };
}

/** What the first of several nodes answers that answers at all. */
async function ofFirst<Answer>(nodes: readonly KnownPeer[], signal: AbortSignal, ask: (peer: KnownPeer) => Promise<Answer>) {
  const failures: string[] = [];
  for (const peer of nodes) {
    try {
      return await ask(peer);
    } catch (error) {
      signal.throwIfAborted();
      failures.push(`${peer.node}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new PeerFailure(`no node that holds it could be reached (${failures.join('; ') || 'there is none'})`);
}

async function fetched(peer: KnownPeer, wanted: Wanted, options: ReceiveOptions): Promise<ReceivedCollection> {
  const { collection, part, signal } = wanted;
  const { draft, file: path } = await fetchedArchive(peer, wanted, options);
  await using _ = draft;
  return await options.snapshots.receive(collection, { path, part, signal });
}

/** A shard as the first of some nodes packs it that has it. Whoever asks disposes of the draft. */
export async function fetchShard(
  shard: { readonly name: string; readonly holders: readonly string[]; readonly atLeast: number; readonly signal: AbortSignal },
  options: FetchOptions,
): Promise<PackedCollection> {
  const { name: collection, holders, atLeast, signal } = shard;
  const wanted = { collection, atLeast, signal, progressed: () => undefined };
  const nodes = await metNodes(() => options.peers.known(holders), options.clock);
  return await ofFirst(nodes, signal, (peer) => fetchedArchive(peer, wanted, options));
}

async function fetchedArchive(
  peer: KnownPeer,
  { collection, atLeast, signal, progressed }: Fetched,
  { peers, folder, clock }: FetchOptions,
): Promise<PackedCollection> {
  const token = randomUUID();
  const draft = folder.openDraft();
  const file = join(draft.directory, RECEIVED);
  let keeping: Timer | undefined;
  try {
    const question = { copy: 'make', collection, token, atLeast } as const;
    const copy = await readyCopy(peer, question, { peers, clock, signal });
    keeping = clock.every(KEEP_MS, () => void peers.ask(peer, question, withTimeout(signal)).catch(() => undefined));
    await folder.checkRoom(copy.bytes);
    progressed({ done: 0, total: copy.bytes });
    await writeStream(file, piecesOf(peer, copy, { peers, signal, progressed }));
    return { draft, file, bytes: copy.bytes };
  } catch (error) {
    await draft[Symbol.asyncDispose]();
    throw error;
  } finally {
    keeping?.cancel();
    // Where it is not heard, the other node forgets the copy by itself.
    await peers.ask(peer, { copy: 'end', token }, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
  }
}

type ReadyCopy = Extract<CopyState, { readonly isReady: true }>;

async function readyCopy(
  peer: KnownPeer,
  question: CopyQuestion,
  { peers, clock, signal }: Pick<FetchOptions, 'peers' | 'clock'> & Pick<Fetched, 'signal'>,
): Promise<ReadyCopy> {
  for (;;) {
    // The seal says that a node of this cluster has written it.
    const state = (await peers.ask(peer, question, withTimeout(signal))) as CopyState;
    if (state.isReady) return state;
    await pause(clock, READY_PAUSE_MS);
  }
}

async function* piecesOf(
  peer: KnownPeer,
  { draft, bytes: total }: ReadyCopy,
  { peers, signal, progressed }: Pick<FetchOptions, 'peers'> & Pick<Fetched, 'signal' | 'progressed'>,
): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < total; ) {
    const bytes = Math.min(PIECE_BYTES_MAX, total - from);
    const piece = await peers.bytes(peer, { copy: 'piece', draft, from, bytes }, withTimeout(signal));
    if (piece.length !== bytes) throw new PeerFailure('the copy became shorter while it was downloaded');
    from += bytes;
    yield piece;
    progressed({ done: from, total });
  }
}

function withTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
}
