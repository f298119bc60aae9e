// SPDX-License-Identifier: Apache-2.0
/** Where shards are, as this node knows by the log, and how far those are that are on their way, as the nodes say to which they go. */
import { type CatalogView, comingShards, type EngineReads, shardName } from '@sextant/vector-collection';
import type { IncomingStatus } from '@sextant/vector-replication';
import type { KnownPeer, PlacedCollection, ShardsOfCollection } from './peers.ts';
import type { PeerLane } from './shards/shard-lane.ts';

export type PlacedShardsOptions = {
  readonly node: string;
  readonly view: CatalogView;
  /** Of this node's shards. */
  readonly base: EngineReads;
  readonly peers: PeerLane;
  /** What is on its way to this node. */
  readonly incoming: () => readonly IncomingStatus[] | Promise<readonly IncomingStatus[]>;
};

/** By node; a string says why a node could not be asked. */
type Incoming = ReadonlyMap<string, readonly IncomingStatus[] | string>;

const ANSWER_MS = 1000;
const BYTES_PER_MB = 1_000_000;

export function placedCollection(view: CatalogView, collection: string): PlacedCollection | undefined {
  const placed = view.placementOf(collection);
  if (placed === undefined) return undefined;
  const { name, shards, config } = placed;
  const { shard_number, replication_factor } = config.params;
  return {
    name,
    shards,
    transfers: config.transfers ?? [],
    resharding: config.resharding,
    coming: comingShards(name, config),
    shardKeys: config.shardKeys,
    defaults: { shards: shard_number, replicas: replication_factor },
  };
}

export function shardsOn(node: string, view: CatalogView): number {
  return view
    .names()
    .flatMap((name) => placedCollection(view, name) ?? [])
    .reduce((sum, { shards, transfers, coming }) => {
      const held = [...shards, ...coming].filter(({ nodes }) => nodes.includes(node)).length;
      return sum + held + transfers.filter(({ to }) => to === node).length;
    }, 0);
}

export async function shardsOf(collection: string, options: PlacedShardsOptions): Promise<ShardsOfCollection | undefined> {
  return (await shardsOfAll([collection], options)).get(collection);
}

/** Of those that are in shards, by name. However many there are, each node is asked once. */
export async function shardsOfAll(
  collections: readonly string[],
  options: PlacedShardsOptions,
): Promise<ReadonlyMap<string, ShardsOfCollection>> {
  const placed = collections.flatMap((name) => {
    const found = placedCollection(options.view, name);
    return found === undefined ? [] : [{ name, found }];
  });
  const incoming = await incomingOf([...new Set(placed.flatMap(({ found }) => nodesIn(found)))], options);
  return new Map(await Promise.all(placed.map(async ({ name, found }) => [name, await described(found, incoming, options)] as const)));
}

async function described(
  placed: PlacedCollection,
  incoming: Incoming,
  { node, view, base }: PlacedShardsOptions,
): Promise<ShardsOfCollection> {
  const { name, shards, transfers } = placed;
  const keys = new Map(shards.map(({ number, place }) => [number, place.key]));
  const isComing = (to: string, shard: number) => statusOf(incoming, to, shardName(name, shard)) !== undefined;
  const replicas = [
    ...shards.flatMap(({ number, nodes: holders }) =>
      holders.map((holder) => ({
        shard: number,
        node: holder,
        state: isComing(holder, number) ? ('Recovery' as const) : ('Active' as const),
      })),
    ),
    ...transfers.map(({ shard, to }) => ({ shard, node: to, state: 'Partial' as const })),
  ].map((replica) => ({ ...replica, key: keys.get(replica.shard) }));
  const pointsOf = async (shard: number) => {
    const own = shardName(name, shard);
    return view.servedView(own) === undefined ? 0 : base.count(own, {});
  };
  return {
    count: shards.length,
    local: await Promise.all(
      replicas
        .filter((replica) => replica.node === node)
        .map(async ({ shard, key, state }) => ({ shard, key, state, points: await pointsOf(shard) })),
    ),
    remote: replicas.filter((replica) => replica.node !== node),
    resharding: reshardingOf(placed, incoming),
    transfers: transfers.map((transfer) => ({ ...transfer, comment: commentOf(incoming, transfer.to, shardName(name, transfer.shard)) })),
  };
}

/** All that have a shard of the collection, or are to have one. */
export function nodesIn({ shards, coming, transfers }: Pick<PlacedCollection, 'shards' | 'coming' | 'transfers'>): readonly string[] {
  return [...new Set([...[...shards, ...coming].flatMap(({ nodes }) => nodes), ...transfers.map(({ to }) => to)])];
}

/** The copies of the shards that are to take the place of others. */
function reshardingOf({ coming, resharding }: PlacedCollection, incoming: Incoming): ShardsOfCollection['resharding'] {
  if (resharding === undefined) return [];
  const { id } = resharding;
  return coming.flatMap(({ number: shard, name, nodes, place: { key } }) => {
    const ready = resharding.shards.find(({ number }) => number === shard)?.ready ?? [];
    const commentAt = (node: string) => (ready.includes(node) ? 'complete; waiting for the other copies' : commentOf(incoming, node, name));
    return nodes.map((node) => ({ id, shard, key, node, comment: commentAt(node) }));
  });
}

export async function answersFor(
  shard: { readonly collection: string; readonly index: number },
  nodes: readonly string[],
  { node, view, peers }: Pick<PlacedShardsOptions, 'node' | 'view' | 'peers'>,
): Promise<boolean> {
  const name = shardName(shard.collection, shard.index);
  if (nodes.includes(node) && view.servedView(name) !== undefined) return true;
  const ask = (peer: KnownPeer) => peers.ask(peer, { read: 'count', shard: name, request: {}, atLeast: 0 }, AbortSignal.timeout(ANSWER_MS));
  return Promise.any(peers.known(nodes).map(ask)).then(
    () => true,
    () => false,
  );
}

async function incomingOf(nodes: readonly string[], { node, peers, incoming }: PlacedShardsOptions): Promise<Incoming> {
  const known = new Map(peers.known(nodes).map((peer) => [peer.node, peer]));
  const asked = nodes.map(async (name): Promise<readonly [string, readonly IncomingStatus[] | string]> => {
    if (name === node) return [name, await incoming()];
    const peer = known.get(name);
    if (peer === undefined || peer.isDead) return [name, `the node ${name} is away`];
    try {
      // The seal says that a node of this cluster has written it.
      return [name, (await peers.ask(peer, { copy: 'incoming' }, AbortSignal.timeout(ANSWER_MS))) as readonly IncomingStatus[]];
    } catch (error) {
      return [name, `the node ${name} does not report its progress: ${error instanceof Error ? error.message : String(error)}`];
    }
  });
  return new Map(await Promise.all(asked));
}

function statusOf(incoming: Incoming, node: string, shard: string): IncomingStatus | undefined {
  const statuses = incoming.get(node);
  return typeof statuses === 'object' ? statuses.find((status) => status.shard === shard) : undefined;
}

function commentOf(incoming: Incoming, node: string, shard: string): string {
  const statuses = incoming.get(node);
  if (typeof statuses === 'string') return statuses;
  const status = statusOf(incoming, node, shard);
  if (status === undefined) return 'the copy is complete; waiting for the log to confirm it';
  const { phase, bytes, bytesTotal, behind, failure } = status;
  switch (phase) {
    case 'waiting':
      return failure === undefined ? 'queued' : `waiting to retry: ${failure}`;
    case 'copying':
      return bytesTotal === 0 ? 'the copy is being created' : `${megabytes(bytes)} of ${megabytes(bytesTotal)} MB received`;
    case 'following':
      return `the copy is received; it is ${behind} entries behind the log`;
  }
}

function megabytes(bytes: number): string {
  return (bytes / BYTES_PER_MB).toFixed(1);
}
