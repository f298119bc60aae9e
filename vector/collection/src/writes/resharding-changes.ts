// SPDX-License-Identifier: Apache-2.0
/** How the shards of a collection, or of a key, become twice as many: the same on every node, since it looks at nothing but the definition. */
import { ServiceError } from '@sextant/contracts-vector';
import { placedShards, type Resharding } from '../model/shards.ts';
import type { PlacementOperation } from '../model/write-operation.ts';
import type { Placed } from './placement-changes.ts';

type Change<Kind extends PlacementOperation['kind']> = Extract<PlacementOperation, { readonly kind: Kind }>;

/** @throws ServiceError `shard_change_refused` or `shard_key_not_found` */
export function begunResharding(placed: Placed, { collection, id, key, nodes }: Change<'begin_resharding'>): Placed {
  if (placed.resharding !== undefined) refuse('shards of the collection are already being split; wait for the resharding, or abort it');
  const { shardKeys } = placed;
  if (shardKeys === undefined && key !== undefined)
    refuse('the points of the collection are divided by their ids; leave out the shard_key');
  if (shardKeys !== undefined && key === undefined)
    refuse('the points of the collection are divided by shard keys; give the shard_key whose shards to split');
  const parents = placedShards(collection, placed).filter(({ place }) => place.key === key);
  if (parents.length === 0) throw new ServiceError('shard_key_not_found', { key: JSON.stringify(key), collection });
  if (nodes.length !== 2 * parents.length) refuse('the number of shards changed in the meantime; send the request again');
  const shardNumbers = placed.shardNumbers ?? { next: parents.length, shards: parents.map(({ number }) => number) };
  const { next } = shardKeys ?? shardNumbers;
  const numbered = { next: next + nodes.length };
  const shards = nodes.map((each, index) => ({ number: next + index, nodes: each, ready: [] }));
  return {
    ...placed,
    ...(shardKeys === undefined ? { shardNumbers: { ...shardNumbers, ...numbered } } : { shardKeys: { ...shardKeys, ...numbered } }),
    resharding: { id, shards, ...(key === undefined ? {} : { key }) },
  };
}

/** With the last copy the new shards take the place of the ones that they were made from, and whatever was to be done with those is over. */
export function notedResharding(placed: Placed, { collection, id, shard, node }: Change<'note_resharded'>): Placed {
  const running = runningResharding(placed, id);
  const noted = running.shards.find(({ number }) => number === shard);
  if (noted?.nodes.includes(node) !== true) refuse(`shard ${shard} is not being created on the node ${node}`);
  if (noted.ready.includes(node)) refuse(`shard ${shard} is already known to be ready on the node ${node}`);
  const shards = running.shards.map((each) => (each === noted ? { ...each, ready: [...each.ready, node] } : each));
  const resharding = { ...running, shards };
  const isReady = shards.every(({ nodes, ready }) => nodes.every((each) => ready.includes(each)));
  return isReady ? takenOver(placed, collection, resharding) : { ...placed, resharding };
}

export function abortedResharding(placed: Placed, { id }: Change<'abort_resharding'>): Placed {
  runningResharding(placed, id);
  const { resharding: _, ...kept } = placed;
  return kept;
}

function takenOver(before: Placed, collection: string, { key, shards }: Resharding): Placed {
  const { resharding: _, ...placed } = before;
  const parents = new Set(placedShards(collection, placed).flatMap(({ number, place }) => (place.key === key ? [number] : [])));
  const kept = Object.entries(placed.placement).filter(([number]) => !parents.has(Number(number)));
  const numbers = shards.map(({ number }) => number);
  const { shardKeys, shardNumbers } = placed;
  return {
    ...placed,
    placement: Object.fromEntries([...kept, ...shards.map(({ number, nodes }) => [number, nodes] as const)]),
    transfers: placed.transfers.filter(({ shard }) => !parents.has(shard)),
    ...(shardNumbers === undefined ? {} : { shardNumbers: { ...shardNumbers, shards: numbers } }),
    ...(shardKeys === undefined
      ? {}
      : { shardKeys: { ...shardKeys, keys: shardKeys.keys.map((each) => (each.key === key ? { ...each, shards: numbers } : each)) } }),
  };
}

function runningResharding({ resharding }: Placed, id: string): Resharding {
  if (resharding?.id !== id) refuse('these shards are no longer being split');
  return resharding;
}

export function refuse(reason: string): never {
  throw new ServiceError('shard_change_refused', { reason });
}
