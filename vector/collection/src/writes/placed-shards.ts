// SPDX-License-Identifier: Apache-2.0
/** Which shards should be on this node by the placements of its collections, and which of them are. */
import {
  type ComingShard,
  collectionOfShard,
  comingShards,
  isShardName,
  type PlacedShard,
  placedShards,
  type Resharding,
  type ShardedDefinition,
  type ShardPlace,
  shardName,
  type Transfer,
} from '../model/shards.ts';
import type { PlacementOperation } from '../model/write-operation.ts';

/** A shard that a node should have. */
export type WantedShard = {
  /** What it is called. */
  readonly shard: string;
  readonly place: ShardPlace;
  /** The directory of its collection's definition, which a later collection of the same name does not share. */
  readonly definition: string;
  /** Other nodes that hold it, or any that hold the shard that it is made from. */
  readonly holders: readonly string[];
  /** The shard that it is made from a part of. */
  readonly parent?: { readonly shard: string; readonly place: ShardPlace };
};

/** A collection in shards. */
type Definition = {
  readonly name: string;
  readonly directory: string;
  readonly shards: readonly PlacedShard[];
  readonly transfers: readonly Transfer[];
  readonly resharding: Resharding | undefined;
  readonly coming: readonly ComingShard[];
};

/** What all nodes are to know of a shard that is here, and under which id it is told once. */
export type CompletedShard = { readonly id: string; readonly operation: PlacementOperation };

/** What a node has. */
export type OwnCollections = {
  readonly names: () => Iterable<string>;
  readonly has: (name: string) => boolean;
  /** Whether it can be read and written to. */
  readonly isLive: (name: string) => boolean;
  /** Undefined of one that cannot be read. */
  readonly definition: (name: string) => { readonly directory: string; readonly config: ShardedDefinition } | undefined;
};

export class PlacedShards {
  readonly #node: string | undefined;
  readonly #own: OwnCollections;

  /** @param node what this node is called; one that stands alone has no shards */
  constructor(node: string | undefined, own: OwnCollections) {
    this.#node = node;
    this.#own = own;
  }

  /** Those that are not here; a copy of each is somewhere else. */
  missing(): readonly WantedShard[] {
    return this.#definitions().flatMap((definition) => this.#wantedOf(definition).filter(({ shard }) => !this.#own.has(shard)));
  }

  /** Copies that have come to this node, which nobody knows of yet. */
  completed(): readonly CompletedShard[] {
    return this.#definitions().flatMap((definition) => [...this.#transferred(definition), ...this.#resharded(definition)]);
  }

  /** Shards of a collection that are here and are placed elsewhere. */
  strangers(collection: string): readonly string[] {
    const definition = this.#definition(collection);
    if (definition === undefined) return [];
    const wanted = new Set(this.#wantedOf(definition).map(({ shard }) => shard));
    return [...this.#own.names()].filter((name) => isShardName(name) && collectionOfShard(name) === definition.name && !wanted.has(name));
  }

  #transferred({ name: collection, transfers }: Definition): readonly CompletedShard[] {
    const here = transfers.filter(({ to, shard }) => to === this.#node && this.#own.isLive(shardName(collection, shard)));
    return here.map(({ id }) => ({ id, operation: { kind: 'end_transfer', collection, id, isDone: true } }));
  }

  #resharded({ name: collection, resharding }: Definition): readonly CompletedShard[] {
    const node = this.#node;
    if (resharding === undefined || node === undefined) return [];
    const { id, shards } = resharding;
    return shards.flatMap(({ number: shard, nodes, ready }): readonly CompletedShard[] => {
      const isUnknown = nodes.includes(node) && !ready.includes(node) && this.#own.isLive(shardName(collection, shard));
      return isUnknown ? [{ id: `${id} ${shard}`, operation: { kind: 'note_resharded', collection, id, shard, node } }] : [];
    });
  }

  #definitions(): readonly Definition[] {
    return [...this.#own.names()].flatMap((name) => this.#definition(name) ?? []);
  }

  #definition(name: string): Definition | undefined {
    const { directory, config } = this.#own.definition(name) ?? {};
    if (directory === undefined || config?.placement === undefined) return undefined;
    return {
      name,
      directory,
      shards: placedShards(name, config),
      transfers: config.transfers ?? [],
      resharding: config.resharding,
      coming: comingShards(name, config),
    };
  }

  #wantedOf({ directory, shards, transfers, coming }: Definition): readonly WantedShard[] {
    const node = this.#node;
    if (node === undefined) return [];
    const made = coming.flatMap(({ name, nodes, place, parent }) => {
      if (!nodes.includes(node)) return [];
      return [{ shard: name, place, definition: directory, holders: parent.nodes, parent: { shard: parent.name, place: parent.place } }];
    });
    const placed = shards.flatMap(({ number, name, nodes, place }) => {
      const isWanted = nodes.includes(node) || transfers.some(({ shard, to }) => shard === number && to === node);
      if (!isWanted) return [];
      return [{ shard: name, place, definition: directory, holders: nodes.filter((other) => other !== node) }];
    });
    return [...placed, ...made];
  }
}
