// SPDX-License-Identifier: Apache-2.0
/** `sextant cluster move` and `drain`: shards go from node to node, one at a time, and the command waits for them. */
import { Command } from '@commander-js/extra-typings';
import { pause } from '@sextant/foundation-std';
import type { CollectionClusterInfo, VectorClient } from '@sextant/sdk';
import { vectorClient } from '../connection/clients.ts';
import { CommandFailure } from '../failure.ts';
import type { Shell } from '../shell.ts';
import { type Peer, peerNamed, peersOf } from './cluster-peers.ts';
import { wholeNumber } from './option-values.ts';

type Move = { readonly collection: string; readonly shard: number; readonly from: Peer; readonly to: Peer };
type Kept = { readonly collection: string; readonly shard: number; readonly reason: string };

const LOOK_MS = 500;

export function moveCommand(shell: Shell) {
  return new Command('move')
    .description('Moves a shard from one node to another, and waits until the move is complete.')
    .argument('<collection>', 'its name')
    .argument('<shard>', 'number of the shard, from 0', wholeNumber())
    .requiredOption('--from <node>', 'node that holds the shard')
    .requiredOption('--to <node>', 'node that receives the shard')
    .option('--copy', 'copy the shard instead of moving it', false)
    .option('--no-wait', 'return once the transfer has started')
    .action(async (collection, shard, { from, to, copy, wait }) => {
      const client = await vectorClient(shell);
      const peers = await peersOf(client, shell.signal);
      const move = { collection, shard, from: peerNamed(peers, from), to: peerNamed(peers, to) };
      await begin(client, move, copy, shell.signal);
      if (wait) await arrived(client, move, shell);
      const done = copy ? 'copied' : 'moved';
      shell.terminal.result({ collection, shard, from, to, done: wait ? done : 'begun' }, () =>
        wait
          ? `Shard ${shard} of ${collection} was ${done} from ${from} to ${to}.`
          : `The transfer of shard ${shard} of ${collection} to ${to} has started.`,
      );
    });
}

export function drainCommand(shell: Shell) {
  return new Command('drain')
    .description('Moves all shards of a node to other nodes, each to the node with the fewest shards, so that the node can be removed.')
    .argument('<node>', 'its name')
    .option('--drop', 'drop the copy of a shard that every other node already holds', false)
    .action(async (name, { drop }) => {
      const client = await vectorClient(shell);
      const peers = await peersOf(client, shell.signal);
      const node = peerNamed(peers, name);
      const moved: { readonly collection: string; readonly shard: number; readonly to: string | undefined }[] = [];
      const kept: Kept[] = [];
      for (const { collection, shard } of await shardsOn(client, node, shell.signal)) {
        const to = await nodeFor(client, { collection, shard, peers, node }, shell.signal);
        if (to !== undefined) {
          const move = { collection, shard, from: node, to };
          await begin(client, move, false, shell.signal);
          await arrived(client, move, shell);
        } else if (drop) {
          await client
            .collection(collection)
            .updateCluster({ drop_replica: { shard_id: shard, peer_id: node.id } }, { signal: shell.signal });
        } else {
          kept.push({ collection, shard, reason: 'every other live node already holds it; pass --drop to drop this copy' });
          continue;
        }
        moved.push({ collection, shard, to: to?.name });
        shell.terminal.note(`shard ${shard} of ${collection} ${to === undefined ? 'was dropped on this node' : `was moved to ${to.name}`}`);
      }
      shell.terminal.result({ node: name, moved, kept }, () => summaryOf(name, moved.length, kept));
      if (kept.length > 0) throw new CommandFailure('rejected', `${name} still holds ${kept.length} shards`);
    });
}

function summaryOf(node: string, moved: number, kept: readonly Kept[]): string {
  const lines = kept.map(({ collection, shard, reason }) => `Shard ${shard} of ${collection} stays: ${reason}.`);
  return [...lines, `${node} no longer holds ${moved} shards.`].join('\n');
}

function begin(client: VectorClient, { collection, shard, from, to }: Move, isCopy: boolean, signal: AbortSignal): Promise<boolean> {
  const way = { shard_id: shard, from_peer_id: from.id, to_peer_id: to.id };
  return client.collection(collection).updateCluster(isCopy ? { replicate_shard: way } : { move_shard: way }, { signal });
}

/** Ctrl-C ends the wait; the shard goes on. */
async function arrived(client: VectorClient, { collection, shard, to }: Move, { signal, clock, terminal }: Shell): Promise<void> {
  let said = '';
  for (;;) {
    const info = await client.collection(collection).cluster({ signal });
    if (holdersOf(info, shard).some(({ peer, isWhole }) => peer === to.id && isWhole)) return;
    const transfer = info.shard_transfers.find((each) => each.shard_id === shard && each.to === to.id);
    if (transfer === undefined) throw new CommandFailure('failed', `the transfer of shard ${shard} of ${collection} was aborted`);
    if (transfer.comment !== said) terminal.note(`shard ${shard} of ${collection}: ${transfer.comment}`);
    said = transfer.comment;
    await pause(clock, LOOK_MS);
    signal.throwIfAborted();
  }
}

type Holder = { readonly peer: number; readonly isWhole: boolean };

/** Every copy of every shard, with node that holds the shard. */
export function copiesIn({ peer_id: own, local_shards: local, remote_shards: remote }: CollectionClusterInfo) {
  return [...local.map((each) => ({ ...each, peer_id: own })), ...remote];
}

function holdersOf(info: CollectionClusterInfo, shard: number): readonly Holder[] {
  return copiesIn(info)
    .filter((each) => each.shard_id === shard)
    .map(({ peer_id: peer, state }) => ({ peer, isWhole: state !== 'Partial' }));
}

/** A collection in one piece is on every node and is left out. */
async function shardedCollections(client: VectorClient, signal: AbortSignal) {
  const names = await client.listCollections({ signal });
  const infos = await Promise.all(
    names.map(async (collection) => ({ collection, info: await client.collection(collection).cluster({ signal }) })),
  );
  return infos.filter(({ info }) => info.shard_count !== 1 || copiesIn(info).some(({ shard_key: key }) => key !== undefined));
}

async function shardsOn(client: VectorClient, node: Peer, signal: AbortSignal) {
  return (await shardedCollections(client, signal)).flatMap(({ collection, info }) =>
    copiesIn(info)
      .filter(({ peer_id: peer }) => peer === node.id)
      .map(({ shard_id: shard }) => ({ collection, shard }))
      .toSorted((one, other) => one.shard - other.shard),
  );
}

type Wanted = { readonly collection: string; readonly shard: number; readonly peers: readonly Peer[]; readonly node: Peer };

/** Of those that are there and do not have the shard, the one that has fewest. */
async function nodeFor(client: VectorClient, { collection, shard, peers, node }: Wanted, signal: AbortSignal): Promise<Peer | undefined> {
  const sharded = await shardedCollections(client, signal);
  const info = sharded.find((each) => each.collection === collection)?.info;
  const holders = new Set(info === undefined ? [] : holdersOf(info, shard).map(({ peer }) => peer));
  const held = new Map<number, number>();
  for (const each of sharded) {
    for (const { peer_id: peer } of copiesIn(each.info)) held.set(peer, (held.get(peer) ?? 0) + 1);
  }
  return peers
    .filter(({ id, isAlive }) => isAlive && id !== node.id && !holders.has(id))
    .toSorted((one, other) => (held.get(one.id) ?? 0) - (held.get(other.id) ?? 0))[0];
}
