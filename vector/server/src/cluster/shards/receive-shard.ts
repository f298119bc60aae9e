// SPDX-License-Identifier: Apache-2.0
/** Fetches a copy of a shard from a node that holds it, piece by piece, and takes it in. Each piece carries the seal of the cluster. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, pause } from '@sextant/foundation-std';
import { type ReceivedCollection, type SnapshotFolder, type Snapshots, writeStream } from '@sextant/vector-collection';
import type { ReceiveShard } from '@sextant/vector-replication';
import type { KnownPeer } from '../peers.ts';
import { PeerFailure } from './peer-client.ts';
import { type CopyQuestion, type CopyState, PIECE_BYTES_MAX } from './question.ts';
import type { PeerLane } from './shard-lane.ts';

export type ReceiveShardOptions = {
  readonly peers: PeerLane;
  readonly snapshots: Pick<Snapshots, 'receive'>;
  readonly folder: SnapshotFolder;
  readonly clock: Clock;
};

type Wanted = Parameters<ReceiveShard>[0];

const RECEIVED = 'received.snapshot';
const ANSWER_MS = 60_000;
const READY_PAUSE_MS = 250;

export function receiveShard(options: ReceiveShardOptions): ReceiveShard {
  return async (wanted) => {
    const { holders, shard } = wanted.wanted;
    const failures: string[] = [];
    for (const peer of options.peers.known(holders)) {
      try {
        return await fetched(peer, wanted, options);
      } catch (error) {
        wanted.signal.throwIfAborted();
        failures.push(`${peer.node}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    const nobody = holders.length === 0 ? 'no other node holds it' : 'the cluster does not know the nodes that hold it';
    throw new PeerFailure(`no copy of ${JSON.stringify(shard)} could be had (${failures.join('; ') || nobody})`);
  };
}

async function fetched(peer: KnownPeer, request: Wanted, options: ReceiveShardOptions): Promise<ReceivedCollection> {
  const { wanted, atLeast, signal, progressed } = request;
  const { peers, snapshots, folder, clock } = options;
  const token = randomUUID();
  await using draft = folder.openDraft();
  const path = join(draft.directory, RECEIVED);
  try {
    const copy = await readyCopy(peer, { copy: 'make', shard: wanted.shard, token, atLeast }, { peers, clock, signal });
    await folder.checkRoom(copy.bytes);
    progressed({ done: 0, total: copy.bytes });
    await writeStream(path, piecesOf(peer, copy, { peers, signal, progressed }));
  } finally {
    // Where it is not heard, the other node forgets the copy by itself.
    await peers.ask(peer, { copy: 'end', token }, AbortSignal.timeout(ANSWER_MS)).catch(() => undefined);
  }
  return await snapshots.receive(wanted.shard, { path, part: { shard: wanted.place }, signal });
}

type ReadyCopy = Extract<CopyState, { readonly isReady: true }>;

async function readyCopy(
  peer: KnownPeer,
  question: CopyQuestion,
  { peers, clock, signal }: Pick<ReceiveShardOptions, 'peers' | 'clock'> & Pick<Wanted, 'signal'>,
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
  { peers, signal, progressed }: Pick<ReceiveShardOptions, 'peers'> & Pick<Wanted, 'signal' | 'progressed'>,
): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < total; ) {
    const bytes = Math.min(PIECE_BYTES_MAX, total - from);
    const piece = await peers.bytes(peer, { copy: 'piece', draft, from, bytes }, withTimeout(signal));
    if (piece.length !== bytes) throw new PeerFailure('the copy has become shorter while it was fetched');
    from += bytes;
    yield piece;
    progressed({ done: from, total });
  }
}

function withTimeout(signal: AbortSignal): AbortSignal {
  return AbortSignal.any([signal, AbortSignal.timeout(ANSWER_MS)]);
}
