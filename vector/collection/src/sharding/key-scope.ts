// SPDX-License-Identifier: Apache-2.0
/** The shards that a read is about: all of a collection, or those of the keys that it names. */
import { type ScoredPoint, ServiceError, type ShardKey, type ShardKeySelector } from '@sextant/contracts-vector';
import { selectedKeys } from '../model/shards.ts';
import type { Shard, ShardedCollection } from './shard.ts';

export type ScopesOptions = {
  readonly shardsOf: (collection: string) => ShardedCollection | undefined;
  /** The definition of a collection in shards, as if it were one without points. */
  readonly definition: (name: string) => Shard;
  /** Resolves when this node knows every key that any node has acknowledged. */
  readonly caughtUp: () => Promise<void>;
};

export type KeyedPoint = Pick<ScoredPoint, 'id' | 'shard_key'>;

/** Keys that go while one read runs. */
const CHANGES_MAX = 5;

export class KeyScopes {
  readonly #options: ScopesOptions;

  constructor(options: ScopesOptions) {
    this.#options = options;
  }

  /**
   * Runs a read over the shards of a collection; undefined where it is not in shards. A shard whose key is dropped meanwhile is no part of the collection any
   * more, so the read begins again without it.
   * @throws ServiceError `shard_key_not_found`
   */
  async over<Answer>(
    collection: string,
    selector: ShardKeySelector | null | undefined,
    read: (scope: ShardedCollection) => Promise<Answer>,
  ): Promise<{ readonly answer: Answer } | undefined> {
    for (let changes = 0; ; changes++) {
      const all = this.#options.shardsOf(collection);
      if (all === undefined) return undefined;
      try {
        return { answer: await read(await this.#selected(all, collection, selector)) };
      } catch (error) {
        if (changes === CHANGES_MAX || !isGone(error) || !this.#hasChanged(all, collection)) throw error;
      }
    }
  }

  async #selected(all: ShardedCollection, collection: string, selector: ShardKeySelector | null | undefined): Promise<ShardedCollection> {
    const { shardKeys } = all.config;
    if (shardKeys === undefined) return all;
    if (selector == null) return this.#withSome(all);
    const { selected, unknown } = selectedKeys(selector, shardKeys);
    if (unknown === undefined) return this.#withSome({ ...all, shards: under(all.shards, selected) });
    // Another node may have made it a moment ago.
    await this.#options.caughtUp();
    const now = this.#options.shardsOf(collection);
    const known = now?.config.shardKeys;
    if (now === undefined || known === undefined) throw new ServiceError('collection_not_found', { collection });
    const again = selectedKeys(selector, known);
    if (again.unknown !== undefined) throw keyNotFound(again.unknown, all.name);
    return { ...now, shards: under(now.shards, again.selected) };
  }

  /** Where there are no keys yet, the definition says what is wrong with a request. */
  #withSome(scope: ShardedCollection): ShardedCollection {
    return scope.shards.length > 0 ? scope : { ...scope, shards: [this.#options.definition(scope.name)] };
  }

  #hasChanged({ shards }: ShardedCollection, collection: string): boolean {
    const now = this.#options.shardsOf(collection)?.shards ?? [];
    return now.map(({ name }) => name).join() !== shards.map(({ name }) => name).join();
  }
}

function keyNotFound(key: ShardKey, collection: string): ServiceError {
  return new ServiceError('shard_key_not_found', { key: JSON.stringify(key), collection });
}

function under(shards: readonly Shard[], keys: readonly ShardKey[]): readonly Shard[] {
  return shards.filter(({ place }) => place?.key !== undefined && keys.includes(place.key));
}

function isGone(error: unknown): boolean {
  return error instanceof ServiceError && (error.code === 'collection_not_found' || error.code === 'collection_deleted');
}
