// SPDX-License-Identifier: Apache-2.0
/** What an operation makes of the placement of a collection in shards: the same on every node, since it looks at nothing else. */
import { ServiceError } from '@sextant/contracts-vector';
import type { Placement, Transfer } from '../model/shards.ts';
import { isAfter, type LogMark, type PlacementOperation } from '../model/write-operation.ts';
import type { CollectionWriter } from './collection-writer.ts';

type Placed = { readonly placement: Placement; readonly transfers: readonly Transfer[] };

/**
 * Passes over what is on disk already.
 * @throws ServiceError `shard_change_refused`
 */
export async function changePlacement(writer: CollectionWriter, operation: PlacementOperation, mark: LogMark | undefined): Promise<void> {
  if (mark !== undefined && !isAfter(mark, writer.followed.applied)) return;
  await writer.reconfigure(({ placement, transfers = [], ...rest }) => {
    if (placement === undefined) refuse('the collection is in one piece');
    const changed = changedPlacement({ placement, transfers }, operation);
    return { ...rest, placement: changed.placement, ...(changed.transfers.length === 0 ? {} : { transfers: changed.transfers }) };
  }, mark);
}

function changedPlacement({ placement, transfers }: Placed, operation: PlacementOperation): Placed {
  switch (operation.kind) {
    case 'begin_transfer': {
      const { transfer } = operation;
      const { shard, from, to } = transfer;
      const nodes = nodesOf(placement, shard);
      if (!nodes.includes(from)) refuse(`the node ${from} does not hold shard ${shard}; it is on ${nodes.join(', ')}`);
      if (nodes.includes(to)) refuse(`the node ${to} holds shard ${shard} already`);
      const running = transfers.find((other) => other.shard === shard);
      if (running !== undefined) refuse(`shard ${shard} is on its way to ${running.to} already; wait for that, or abort it`);
      return { placement, transfers: [...transfers, transfer] };
    }
    case 'end_transfer': {
      const ended = transfers.find(({ id }) => id === operation.id);
      if (ended === undefined) refuse('there is no such transfer any more');
      const others = transfers.filter((transfer) => transfer !== ended);
      if (!operation.isDone) return { placement, transfers: others };
      const { shard, from, to, isMove } = ended;
      const kept = nodesOf(placement, shard).filter((node) => !isMove || node !== from);
      return { placement: placement.with(shard, [...kept, to]), transfers: others };
    }
    case 'drop_replica': {
      const { shard, node } = operation;
      const nodes = nodesOf(placement, shard);
      if (!nodes.includes(node)) refuse(`the node ${node} does not hold shard ${shard}; it is on ${nodes.join(', ')}`);
      if (nodes.length === 1) refuse(`the node ${node} holds the only copy of shard ${shard}; move it to another node instead`);
      const running = transfers.find((transfer) => transfer.shard === shard && transfer.from === node);
      if (running !== undefined) refuse(`shard ${shard} is on its way from ${node} to ${running.to}; wait for that, or abort it`);
      const kept = nodes.filter((other) => other !== node);
      return { placement: placement.with(shard, kept), transfers };
    }
  }
}

function nodesOf(placement: Placement, shard: number): readonly string[] {
  return placement[shard] ?? refuse(`there is no shard ${shard}; the collection has the shards 0 to ${placement.length - 1}`);
}

function refuse(reason: string): never {
  throw new ServiceError('shard_change_refused', { reason });
}
