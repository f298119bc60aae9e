// SPDX-License-Identifier: Apache-2.0
/**
 * New copies of shards in the place of those on nodes that are gone. A copy is replaced by moving it from the node that is gone to one that lives; the data come
 * from any node that has the shard. One is on its way at a time in the whole cluster. Nodes decide from what they know, which may be old or not the same; the
 * operation that they append is accepted or refused by the placement at its position, alike everywhere, so that nodes which decide differently do no harm.
 */
import type {
  CatalogOperation,
  PlacedShard,
  PlacementOperation,
  Resharding,
  Transfer,
  UnfinishedRecovery,
} from '@sextant/vector-collection';
import type { MetNode } from './gone-nodes.ts';

export type PlacedShards = {
  readonly name: string;
  readonly shards: readonly Pick<PlacedShard, 'number' | 'nodes'>[];
  readonly transfers: readonly Transfer[];
  readonly resharding?: Resharding | undefined;
};

export type ReplacementRequest = {
  /** Collections in shards, as this node knows them. */
  readonly collections: readonly PlacedShards[];
  readonly members: readonly MetNode[];
  readonly gone: ReadonlySet<string>;
  /** No other transfer has it. */
  readonly newId: () => string;
};

/** What is done about nodes that are gone. */
export type LostOperation = PlacementOperation | Extract<CatalogOperation, { readonly kind: 'end_recovery' }>;

/** Copies on nodes that are gone. */
export function lostCopies(collections: readonly PlacedShards[], gone: ReadonlySet<string>): number {
  return collections.flatMap(({ shards }) => shards.flatMap(({ nodes }) => nodes.filter((node) => gone.has(node)))).length;
}

/** One node decides for all, as far as they see the same: the first by name of those that live. */
export function isDecider(node: string, members: readonly MetNode[]): boolean {
  return members.every((other) => other.isDead || other.node >= node);
}

/** What is to be done next; undefined where there is nothing, or nothing yet. */
export function nextReplacement({ collections, members, gone, newId }: ReplacementRequest): PlacementOperation | undefined {
  for (const { name, transfers, resharding } of collections) {
    if (resharding !== undefined && waitsFor(resharding, gone)) return { kind: 'abort_resharding', collection: name, id: resharding.id };
    const stranded = transfers.find(({ to }) => gone.has(to));
    if (stranded !== undefined) return { kind: 'end_transfer', collection: name, id: stranded.id, isDone: false };
  }
  if (collections.some(({ transfers }) => transfers.length > 0)) return undefined;
  const alive = members.filter(({ isDead }) => !isDead);
  const living = alive.map(({ node }) => node);
  const withRoom = alive.filter(({ isFull = false }) => !isFull).map(({ node }) => node);
  const load = loadOf(living, collections);
  const [first] = collections
    .flatMap((collection) => replaceable(collection, { gone, living, withRoom }))
    .sort((one, other) => one.left - other.left);
  if (first === undefined) return undefined;
  const { collection, shard, from, nodes } = first;
  const [to] = withRoom.filter((node) => !nodes.includes(node)).sort((one, other) => (load.get(one) ?? 0) - (load.get(other) ?? 0));
  if (to === undefined) return undefined;
  return { kind: 'begin_transfer', collection, transfer: { id: newId(), shard, from, to, isMove: true } };
}

/** A collection that a node which is gone was making from a snapshot is given up: nobody goes on with it. */
export function lostRecovery(recoveries: readonly UnfinishedRecovery[], gone: ReadonlySet<string>): LostOperation | undefined {
  const lost = recoveries.find(({ node }) => node !== undefined && gone.has(node));
  return lost && { kind: 'end_recovery', collection: lost.collection, id: lost.id, isDone: false };
}

/** Whether shards are divided that wait for a copy on a node that is gone. */
function waitsFor({ shards }: Resharding, gone: ReadonlySet<string>): boolean {
  return shards.some(({ nodes, ready }) => nodes.some((node) => gone.has(node) && !ready.includes(node)));
}

type Nodes = { readonly gone: ReadonlySet<string>; readonly living: readonly string[]; readonly withRoom: readonly string[] };

type Replaceable = {
  readonly collection: string;
  readonly shard: number;
  readonly from: string;
  readonly nodes: readonly string[];
  /** Copies that are left; those that have fewest come first. */
  readonly left: number;
};

/** Of shards of which a node that lives has a copy, and another one could get one. */
function replaceable({ name, shards }: PlacedShards, { gone, living, withRoom }: Nodes): readonly Replaceable[] {
  return shards.flatMap(({ number: shard, nodes }) => {
    const from = nodes.find((node) => gone.has(node));
    const left = nodes.filter((node) => living.includes(node)).length;
    const hasPlace = withRoom.some((node) => !nodes.includes(node));
    return from === undefined || left === 0 || !hasPlace ? [] : [{ collection: name, shard, from, nodes, left }];
  });
}

function loadOf(nodes: readonly string[], collections: readonly PlacedShards[]): ReadonlyMap<string, number> {
  const held = collections.flatMap(({ shards, transfers }) => [...shards.flatMap(({ nodes }) => nodes), ...transfers.map(({ to }) => to)]);
  return new Map(nodes.map((node) => [node, held.filter((each) => each === node).length]));
}
