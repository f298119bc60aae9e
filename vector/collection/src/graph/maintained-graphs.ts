// SPDX-License-Identifier: Apache-2.0
/** The graphs that one thread works on: it follows what happens to collections, and gives each that may have work a slice in turn. */
import type { Clock } from '@sextant/foundation-std';
import { ShardedSpaceReader, type VectorSpaceHandle } from '@sextant/vector-kernel';
import { type CatalogEvent, CollectionGauges, type CollectionHandle, type SpaceHandle } from '../model/collection-handle.ts';
import { type SpaceSchema, spacesOf } from '../model/vectors.ts';
import { WorkLoop, type WorkState } from './work-loop.ts';

/** A space, and what the thread keeps of each of its shards, which have a graph each. */
export type MaintainedSpace<Shard> = {
  readonly schema: SpaceSchema;
  readonly generation: number;
  readonly reader: ShardedSpaceReader;
  readonly shards: Shard[];
};

export type MaintainedCollection<Shard> = {
  handle: CollectionHandle;
  spaces: readonly MaintainedSpace<Shard>[];
  readonly gauges: CollectionGauges;
  /** Whether it may have work. */
  awake: boolean;
};

export type ShardPlace = {
  readonly handle: VectorSpaceHandle;
  readonly space: SpaceHandle;
  readonly schema: SpaceSchema;
  /** Its number in the space. */
  readonly index: number;
};

export abstract class MaintainedGraphs<Shard> {
  readonly #collections = new Map<string, MaintainedCollection<Shard>>();
  readonly #loop: WorkLoop;

  /** @param throttle see `WorkLoop` */
  constructor({ clock, throttle }: { readonly clock: Clock; readonly throttle: () => void }) {
    this.#loop = new WorkLoop(() => this.#slice(), { clock, throttle });
  }

  protected abstract open(place: ShardPlace): Shard;
  protected close?(shard: Shard): void;
  /** Does a slice of what the collection's graphs need. */
  protected abstract work(collection: MaintainedCollection<Shard>): WorkState;
  /** The last slice has ended, and everything is still attached. */
  protected beforeEnd?(): void;

  protected get collections(): Iterable<MaintainedCollection<Shard>> {
    return this.#collections.values();
  }

  start(): void {
    this.#loop.start();
  }

  apply(event: CatalogEvent): void {
    switch (event.kind) {
      case 'opened':
        this.#attach(event.handle);
        break;
      case 'changed':
      case 'grown':
      case 'replaced':
      case 'withdrawing':
        this.#change(event.handle);
        break;
      case 'restored':
        this.#detach(event.handle.name);
        this.#attach(event.handle);
        break;
      case 'deleting':
        this.#detach(event.name);
        break;
      case 'released':
        for (const { name } of event.collections) this.#detach(name);
        break;
      case 'deleted':
      case 'failed':
      case 'aliases':
      case 'recoveries':
        break;
    }
  }

  protected collection(name: string): MaintainedCollection<Shard> | undefined {
    return this.#collections.get(name);
  }

  /** The collection may have work. */
  written(name: string): void {
    const collection = this.#collections.get(name);
    if (collection === undefined) return;
    collection.awake = true;
    this.#loop.wake();
  }

  /** Stops after the running slice. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    this.beforeEnd?.();
    for (const name of this.#collections.keys()) this.#detach(name);
  }

  #slice(): WorkState {
    return joinedState(
      [...this.#collections.values()]
        .filter(({ awake }) => awake)
        .map((collection) => {
          const state = this.work(collection);
          collection.awake = state !== 'idle';
          collection.gauges.noteGraphWork();
          return state;
        }),
    );
  }

  #attach(handle: CollectionHandle): void {
    const gauges = new CollectionGauges(handle.gauges);
    this.#collections.set(handle.name, { handle, spaces: this.#attachSpaces(handle, []), gauges, awake: true });
    this.#loop.wake();
  }

  #change(handle: CollectionHandle): void {
    const known = this.#collections.get(handle.name);
    if (known === undefined) return;
    known.handle = handle;
    known.spaces = this.#attachSpaces(handle, known.spaces);
    this.written(handle.name);
  }

  #detach(name: string): void {
    for (const space of this.#collections.get(name)?.spaces ?? []) this.#detachSpace(space);
    this.#collections.delete(name);
  }

  /** Keeps the spaces that are known, opens the shards that they have more, and detaches from spaces that are gone. */
  #attachSpaces(handle: CollectionHandle, known: readonly MaintainedSpace<Shard>[]): MaintainedSpace<Shard>[] {
    const isSame = ({ schema, generation }: MaintainedSpace<Shard>) => handle.spaces.get(schema.ordinal)?.generation === generation;
    for (const space of known) if (!isSame(space)) this.#detachSpace(space);
    const kept = new Map(known.filter(isSame).map((space) => [space.schema.ordinal, space]));
    return spacesOf(handle.config).flatMap((schema) => {
      const space = handle.spaces.get(schema.ordinal);
      if (space === undefined) return [];
      const former = kept.get(schema.ordinal);
      const reader = former?.reader ?? new ShardedSpaceReader(space.space);
      const shards = former?.shards ?? [];
      reader.attachMissing(space.space);
      for (const shard of space.space.shards.slice(shards.length)) {
        shards.push(this.open({ handle: shard, space, schema, index: shards.length }));
      }
      return [{ schema, generation: space.generation, reader, shards }];
    });
  }

  #detachSpace({ shards, reader }: MaintainedSpace<Shard>): void {
    for (const shard of shards) this.close?.(shard);
    reader.detach();
  }
}

/** The state of several pieces of work together: busy where one is, and idle where all are. */
export function joinedState(states: Iterable<WorkState>): WorkState {
  let joined: WorkState = 'idle';
  for (const state of states) if (state === 'busy' || joined === 'idle') joined = state;
  return joined;
}
