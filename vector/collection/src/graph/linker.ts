/**
 * Helps the indexer of a server to build large graphs, on a thread of its own. It only links: the indexer alone repairs, calibrates and
 * saves. The memory to work in is taken while there is much to link, and given back after it.
 */
import { attachLinker, ShardedSpaceReader, type SpaceLinker, type VectorSpaceHandle } from '@sextant/vector-kernel';
import { hnswOf } from '../model/collection-config.ts';
import { type CatalogEvent, type CollectionHandle, LinkedRows, type SpaceHandle } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import { type SpaceSchema, spacesOf } from '../model/vectors.ts';
import { wantsGraph } from './indexing-policy.ts';
import { linkSlice } from './slices.ts';
import { WorkLoop, type WorkState } from './work-loop.ts';

/** Fewer rows are linked by the indexer before another thread has well begun. */
const ROWS_WORTH_HELP = 512;

type HelpedSpace = {
  readonly schema: SpaceSchema;
  readonly generation: number;
  readonly reader: ShardedSpaceReader;
  readonly linked: LinkedRows;
  readonly shards: HelpedShard[];
};

type HelpedShard = {
  readonly index: number;
  readonly handle: VectorSpaceHandle;
  /** Present while it helps. */
  linker: SpaceLinker | undefined;
};

type HelpedCollection = {
  handle: CollectionHandle;
  spaces: readonly HelpedSpace[];
  awake: boolean;
};

export class GraphLinker {
  readonly #collections = new Map<string, HelpedCollection>();
  readonly #loop: WorkLoop;
  readonly #log: Log;
  readonly #place: number;
  readonly #breathe: () => void;

  /**
   * @param place 1 for the first linker beside the indexer: a collection may bound how many threads build its graphs
   * @param breathe see `WorkLoop`
   */
  constructor({
    log,
    place,
    breathe = () => undefined,
  }: {
    readonly log: Log;
    readonly place: number;
    readonly breathe?: () => void;
  }) {
    this.#log = log;
    this.#place = place;
    this.#breathe = breathe;
    this.#loop = new WorkLoop(() => this.#slice(), breathe);
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
      case 'deleted':
      case 'failed':
      case 'aliases':
        break;
    }
  }

  /** The collection may have rows to link. */
  written(name: string): void {
    const collection = this.#collections.get(name);
    if (collection === undefined) return;
    collection.awake = true;
    this.#loop.wake();
  }

  /** Stops after the running slice. */
  async stop(): Promise<void> {
    await this.#loop.stop();
    for (const name of this.#collections.keys()) this.#detach(name);
  }

  #slice(): WorkState {
    let state: WorkState = 'idle';
    for (const collection of this.#collections.values()) {
      if (!collection.awake) continue;
      const own = this.#guarded(collection);
      collection.awake = own !== 'idle';
      if (own === 'busy' || state === 'idle') state = own;
    }
    return state;
  }

  /** What keeps a linker from its work keeps the indexer too, which reports it to the users of the collection. */
  #guarded(collection: HelpedCollection): WorkState {
    try {
      let state: WorkState = 'idle';
      for (const space of collection.spaces) {
        const mayHelp = this.#mayHelp(collection, space);
        for (const shard of space.shards) {
          const own = mayHelp ? this.#help(space, shard) : rest(shard);
          if (own === 'busy' || state === 'idle') state = own;
        }
      }
      return state;
    } catch (error) {
      for (const { shards } of collection.spaces) shards.forEach(release);
      this.#log.warn({ collection: collection.handle.name, err: error }, 'this thread cannot help to build the graph');
      return 'idle';
    }
  }

  #help({ reader, linked }: HelpedSpace, shard: HelpedShard): WorkState {
    // Once it has begun, it stays until nothing is left.
    const worthHelp = shard.linker === undefined ? ROWS_WORTH_HELP : 1;
    if ((reader.shards[shard.index]?.pendingCount ?? 0) < worthHelp) return rest(shard);
    shard.linker ??= attachLinker(shard.handle);
    const count = linkSlice(shard.linker, this.#breathe);
    linked.add(shard.index, count);
    return count > 0 ? 'busy' : 'waiting';
  }

  #mayHelp({ handle: { config } }: HelpedCollection, { reader, schema }: HelpedSpace): boolean {
    return wantsGraph(config, schema.params, reader) && mayBuild(hnswOf(config, schema.params).max_indexing_threads, this.#place);
  }

  #attach(handle: CollectionHandle): void {
    this.#collections.set(handle.name, { handle, spaces: attachSpaces(handle, []), awake: true });
    this.#loop.wake();
  }

  #change(handle: CollectionHandle): void {
    const known = this.#collections.get(handle.name);
    if (known === undefined) return;
    known.handle = handle;
    known.spaces = attachSpaces(handle, known.spaces);
    this.written(handle.name);
  }

  #detach(name: string): void {
    this.#collections.get(name)?.spaces.forEach(detachSpace);
    this.#collections.delete(name);
  }
}

/** As the indexer does: spaces that are known stay, with the shards that they have more. */
function attachSpaces(handle: CollectionHandle, known: readonly HelpedSpace[]): HelpedSpace[] {
  const isSame = ({ schema, generation }: HelpedSpace) => handle.spaces.get(schema.ordinal)?.generation === generation;
  known.filter((space) => !isSame(space)).forEach(detachSpace);
  const kept = new Map(known.filter(isSame).map((helped) => [helped.schema.ordinal, helped]));
  return spacesOf(handle.config).flatMap((schema) => {
    const space = handle.spaces.get(schema.ordinal);
    if (space === undefined) return [];
    const { reader, linked, shards } = kept.get(schema.ordinal) ?? newSpace(space);
    reader.attachMissing(space.space);
    for (const shard of space.space.shards.slice(shards.length)) shards.push({ index: shards.length, handle: shard, linker: undefined });
    return [{ schema, generation: space.generation, reader, linked, shards }];
  });
}

function newSpace({ space, rowsLinked }: SpaceHandle): Pick<HelpedSpace, 'reader' | 'linked' | 'shards'> {
  return { reader: new ShardedSpaceReader(space), linked: new LinkedRows(rowsLinked), shards: [] };
}

function detachSpace({ shards, reader }: HelpedSpace): void {
  shards.forEach(release);
  reader.detach();
}

function rest(shard: HelpedShard): WorkState {
  release(shard);
  return 'idle';
}

function release(shard: HelpedShard): void {
  shard.linker?.detach();
  shard.linker = undefined;
}

/** `max_indexing_threads` counts the indexer too; zero sets no bound. */
function mayBuild(threadsMax: number | null | undefined, place: number): boolean {
  return threadsMax == null || threadsMax === 0 || place < threadsMax;
}
