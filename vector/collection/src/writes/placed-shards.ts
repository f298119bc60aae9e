// SPDX-License-Identifier: Apache-2.0
/** Which shards should be on this node by the placements of its collections, and which of them are. */
import {
  collectionOfShard,
  isShardName,
  type PlacedShard,
  placedShards,
  type ShardPlace,
  shardName,
  type Transfer,
} from '../model/shards.ts';
import type { Entry } from './catalog-entry.ts';

/** A shard that a node should have. */
export type WantedShard = {
  /** What it is called. */
  readonly shard: string;
  readonly place: ShardPlace;
  /** The directory of its collection's definition, which a later collection of the same name does not share. */
  readonly definition: string;
  /** Other nodes that hold it. */
  readonly holders: readonly string[];
};

/** A collection in shards. */
type Definition = {
  readonly name: string;
  readonly directory: string;
  readonly shards: readonly PlacedShard[];
  readonly transfers: readonly Transfer[];
};

export class PlacedShards {
  readonly #node: string | undefined;
  readonly #entries: ReadonlyMap<string, Entry>;

  /** @param node what this node is called; one that stands alone has no shards */
  constructor(node: string | undefined, entries: ReadonlyMap<string, Entry>) {
    this.#node = node;
    this.#entries = entries;
  }

  /** Those that are not here; a copy of each is somewhere else. */
  missing(): readonly WantedShard[] {
    return this.#definitions().flatMap((definition) => this.#wantedOf(definition).filter(({ shard }) => !this.#entries.has(shard)));
  }

  /** Transfers to this node whose copies are here, which nobody knows of yet. */
  completed(): readonly { readonly collection: string; readonly id: string }[] {
    return this.#definitions().flatMap(({ name, transfers }) => {
      const here = transfers.filter(({ to, shard }) => to === this.#node && this.#entries.get(shardName(name, shard))?.kind === 'live');
      return here.map(({ id }) => ({ collection: name, id }));
    });
  }

  /** Shards of a collection that are here and are placed elsewhere. */
  strangers(collection: string): readonly string[] {
    const definition = this.#definition(collection);
    if (definition === undefined) return [];
    const wanted = new Set(this.#wantedOf(definition).map(({ shard }) => shard));
    return [...this.#entries.keys()].filter(
      (name) => isShardName(name) && collectionOfShard(name) === definition.name && !wanted.has(name),
    );
  }

  #definitions(): readonly Definition[] {
    return [...this.#entries.keys()].flatMap((name) => this.#definition(name) ?? []);
  }

  #definition(name: string): Definition | undefined {
    const entry = this.#entries.get(name);
    if (entry?.kind !== 'live') return undefined;
    const { config } = entry.writer;
    if (config.placement === undefined) return undefined;
    return { name, directory: entry.registered.directory, shards: placedShards(name, config), transfers: config.transfers ?? [] };
  }

  #wantedOf({ directory, shards, transfers }: Definition): readonly WantedShard[] {
    const node = this.#node;
    if (node === undefined) return [];
    return shards.flatMap(({ number, name, nodes, place }) => {
      const isWanted = nodes.includes(node) || transfers.some(({ shard, to }) => shard === number && to === node);
      if (!isWanted) return [];
      return [{ shard: name, place, definition: directory, holders: nodes.filter((other) => other !== node) }];
    });
  }
}
