// SPDX-License-Identifier: Apache-2.0
/** What an operation makes of the placement of a collection in shards: the same on every node, since it looks at nothing else. */
import { ServiceError, type ShardKey } from '@sextant/contracts-vector';
import type { Placement, ShardedDefinition, ShardKeys, Transfer } from '../model/shards.ts';
import type { PlacementOperation } from '../model/write-operation.ts';
import { abortedResharding, begunResharding, notedResharding, refuse } from './resharding-changes.ts';

/** Which nodes hold the shards of a collection, and what is on its way. */
export type Placed = Omit<ShardedDefinition, 'placement' | 'transfers'> & {
  readonly placement: Placement;
  readonly transfers: readonly Transfer[];
};

/**
 * The definition of the collection after the operation.
 * @throws ServiceError `shard_change_refused` or `shard_key_not_found`
 */
export function changedDefinition<Definition extends ShardedDefinition>(
  { placement, transfers = [], shardKeys, shardNumbers, resharding, ...rest }: Definition,
  operation: PlacementOperation,
): Omit<Definition, keyof ShardedDefinition> & ShardedDefinition {
  if (placement === undefined) refuse('the collection is not sharded');
  const known = {
    placement,
    transfers,
    ...(shardKeys === undefined ? {} : { shardKeys }),
    ...(shardNumbers === undefined ? {} : { shardNumbers }),
    ...(resharding === undefined ? {} : { resharding }),
  };
  const { transfers: left, ...changed } = changedPlacement(known, operation);
  return { ...rest, ...changed, ...(left.length === 0 ? {} : { transfers: left }) };
}

/** @throws ServiceError `shard_change_refused` or `shard_key_not_found` */
export function changedPlacement(placed: Placed, operation: PlacementOperation): Placed {
  const { placement, transfers } = placed;
  switch (operation.kind) {
    case 'begin_transfer': {
      const { transfer } = operation;
      const { shard, from, to } = transfer;
      const nodes = nodesOf(placement, shard);
      if (!nodes.includes(from)) refuse(`the node ${from} does not hold shard ${shard}; it is on ${nodes.join(', ')}`);
      if (nodes.includes(to)) refuse(`the node ${to} already holds shard ${shard}`);
      const running = transfers.find((other) => other.shard === shard);
      if (running !== undefined) refuse(`shard ${shard} is already being transferred to ${running.to}; wait for the transfer, or abort it`);
      return { ...placed, transfers: [...transfers, transfer] };
    }
    case 'end_transfer': {
      const ended = transfers.find(({ id }) => id === operation.id);
      if (ended === undefined) refuse('the transfer no longer exists');
      const others = transfers.filter((transfer) => transfer !== ended);
      if (!operation.isDone) return { ...placed, transfers: others };
      const { shard, from, to, isMove } = ended;
      const kept = nodesOf(placement, shard).filter((node) => !isMove || node !== from);
      return { ...placed, placement: withNodes(placement, shard, [...kept, to]), transfers: others };
    }
    case 'drop_replica': {
      const { shard, node } = operation;
      const nodes = nodesOf(placement, shard);
      if (!nodes.includes(node)) refuse(`the node ${node} does not hold shard ${shard}; it is on ${nodes.join(', ')}`);
      if (nodes.length === 1) refuse(`the node ${node} holds the only copy of shard ${shard}; move it to another node instead`);
      const running = transfers.find((transfer) => transfer.shard === shard && transfer.from === node);
      if (running !== undefined)
        refuse(`shard ${shard} is being transferred from ${node} to ${running.to}; wait for the transfer, or abort it`);
      const kept = nodes.filter((other) => other !== node);
      return { ...placed, placement: withNodes(placement, shard, kept) };
    }
    case 'create_shard_key':
      return withKey(placed, operation.key, operation.nodes);
    case 'drop_shard_key':
      return withoutKey(placed, operation.key, operation.collection);
    case 'begin_resharding':
      return begunResharding(placed, operation);
    case 'note_resharded':
      return notedResharding(placed, operation);
    case 'abort_resharding':
      return abortedResharding(placed, operation);
  }
}

function withKey(placed: Placed, key: ShardKey, nodes: readonly (readonly string[])[]): Placed {
  const { next, keys } = keysOf(placed);
  if (keys.some((known) => known.key === key)) refuse(`the shard key ${JSON.stringify(key)} already exists`);
  const shards = nodes.map((_, index) => next + index);
  return {
    ...placed,
    placement: { ...placed.placement, ...Object.fromEntries(nodes.map((each, index) => [next + index, each])) },
    shardKeys: { next: next + shards.length, keys: [...keys, { key, shards }] },
  };
}

function withoutKey(placed: Placed, key: ShardKey, collection: string): Placed {
  const { next, keys } = keysOf(placed);
  const dropped = keys.find((known) => known.key === key);
  if (dropped === undefined) throw new ServiceError('shard_key_not_found', { key: JSON.stringify(key), collection });
  const running = placed.transfers.find(({ shard }) => dropped.shards.includes(shard));
  if (running !== undefined)
    refuse(`shard ${running.shard} of the key is being transferred to ${running.to}; wait for the transfer, or abort it`);
  if (placed.resharding?.key === key) refuse('the shards of the key are being split; wait for the resharding, or abort it');
  const kept = Object.entries(placed.placement).filter(([shard]) => !dropped.shards.includes(Number(shard)));
  return { ...placed, placement: Object.fromEntries(kept), shardKeys: { next, keys: keys.filter((known) => known !== dropped) } };
}

function keysOf({ shardKeys }: Placed): ShardKeys {
  return (
    shardKeys ??
    refuse(
      'the points of the collection are divided by their ids; shard keys need a collection that was created with the sharding_method custom',
    )
  );
}

/** A list stays one, which earlier releases can read. */
function withNodes(placement: Placement, shard: number, nodes: readonly string[]): Placement {
  return isList(placement) ? placement.with(shard, nodes) : { ...placement, [shard]: nodes };
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(placement: Placement): placement is readonly (readonly string[])[] {
  return Array.isArray(placement);
}

function nodesOf(placement: Placement, shard: number): readonly string[] {
  const numbers = Object.keys(placement);
  return placement[shard] ?? refuse(`there is no shard ${shard}; the collection has ${listed(numbers)}`);
}

function listed(numbers: readonly string[]): string {
  if (numbers.length === 0) return 'none, since it has no shard keys yet';
  const isWhole = Number(numbers.at(-1)) === numbers.length - 1;
  return isWhole ? `the shards 0 to ${numbers.length - 1}` : `the shards ${numbers.join(', ')}`;
}
