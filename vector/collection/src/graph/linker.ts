// SPDX-License-Identifier: Apache-2.0
/**
 * Helps the indexer of a server to build large graphs, on a thread of its own. It only links: the indexer alone repairs, calibrates and
 * saves. It takes memory to work in while there is much to link, and releases it afterwards.
 */
import type { Clock } from '@sextant/foundation-std';
import { attachLinker, type SpaceLinker, type VectorSpaceHandle } from '@sextant/vector-kernel';
import { hnswOf } from '../model/collection-config.ts';
import { LinkedRows } from '../model/collection-handle.ts';
import type { Log } from '../model/log.ts';
import { wantsGraph } from './indexing-policy.ts';
import { joinedState, type MaintainedCollection, MaintainedGraphs, type MaintainedSpace, type ShardPlace } from './maintained-graphs.ts';
import { linkSlice, type WorkState } from './work-loop.ts';

/** Fewer rows are linked by the indexer before another thread has well begun. */
const ROWS_WORTH_HELP = 512;

type HelpedShard = {
  readonly handle: VectorSpaceHandle;
  readonly linked: { readonly rows: LinkedRows; readonly shard: number };
  /** Present while it helps. */
  linker: SpaceLinker | undefined;
};

type HelpedCollection = MaintainedCollection<HelpedShard>;
type HelpedSpace = MaintainedSpace<HelpedShard>;

export type GraphLinkerOptions = {
  readonly log: Log;
  readonly clock: Clock;
  /** 1 for the first linker beside the indexer: a collection may bound how many threads build its graphs. */
  readonly place: number;
  /** See `WorkLoop`. */
  readonly throttle?: () => void;
};

export class GraphLinker extends MaintainedGraphs<HelpedShard> {
  readonly #log: Log;
  readonly #place: number;
  readonly #throttle: () => void;

  constructor({ log, clock, place, throttle = () => undefined }: GraphLinkerOptions) {
    super({ clock, throttle });
    this.#log = log;
    this.#place = place;
    this.#throttle = throttle;
  }

  protected override open({ handle, space, index }: ShardPlace): HelpedShard {
    return { handle, linked: { rows: new LinkedRows(space.rowsLinked), shard: index }, linker: undefined };
  }

  protected override close(shard: HelpedShard): void {
    shard.linker?.detach();
    shard.linker = undefined;
  }

  /** What keeps a linker from its work keeps the indexer too, which reports it to the users of the collection. */
  protected override work(collection: HelpedCollection): WorkState {
    try {
      return joinedState(
        collection.spaces.flatMap((space) => {
          const mayHelp = this.#mayHelp(collection, space);
          return space.shards.map((shard) => (mayHelp ? this.#help(space, shard) : this.#rest(shard)));
        }),
      );
    } catch (error) {
      for (const { shards } of collection.spaces) for (const shard of shards) this.close(shard);
      this.#log.warn({ collection: collection.handle.name, err: error }, 'this thread cannot help build the graph');
      return 'idle';
    }
  }

  #help({ reader }: HelpedSpace, shard: HelpedShard): WorkState {
    // Once it has begun, it stays until nothing is left.
    const worthHelp = shard.linker === undefined ? ROWS_WORTH_HELP : 1;
    if ((reader.shards[shard.linked.shard]?.pendingCount ?? 0) < worthHelp) return this.#rest(shard);
    shard.linker ??= attachLinker(shard.handle);
    const count = linkSlice(shard.linker, this.#throttle);
    shard.linked.rows.add(shard.linked.shard, count);
    return count > 0 ? 'busy' : 'waiting';
  }

  #rest(shard: HelpedShard): WorkState {
    this.close(shard);
    return 'idle';
  }

  #mayHelp({ handle: { config } }: HelpedCollection, { reader, schema }: HelpedSpace): boolean {
    return wantsGraph(config, schema.params, reader) && mayBuild(hnswOf(config, schema.params).max_indexing_threads, this.#place);
  }
}

/** `max_indexing_threads` counts the indexer too; zero sets no bound. */
function mayBuild(threadsMax: number | null | undefined, place: number): boolean {
  return threadsMax == null || threadsMax === 0 || place < threadsMax;
}
