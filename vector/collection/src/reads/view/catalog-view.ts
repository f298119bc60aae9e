// SPDX-License-Identifier: Apache-2.0
/** All collections as one reading thread has them, kept up to date by the writer's events. */
import { ServiceError } from '@sextant/contracts-vector';
import type { ClosedCollection } from '../../model/closed-collection.ts';
import type { CollectionConfig } from '../../model/collection-config.ts';
import type { CatalogEvent, CollectionHandle } from '../../model/collection-handle.ts';
import { collectionOfShard, comingShards, isShardName, type PlacedShard, placedShards } from '../../model/shards.ts';
import { CollectionView, type ViewSources } from './collection-view.ts';
import { vectorCount } from './figures.ts';

type Entry =
  | { readonly kind: 'live'; readonly view: CollectionView }
  | { readonly kind: 'closed'; readonly collection: ClosedCollection }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'deleting' };

export class CatalogView {
  readonly #entries = new Map<string, Entry>();
  #aliases: ReadonlyMap<string, string> = new Map();
  #recovering: ReadonlySet<string> = new Set();
  readonly #sources: ViewSources;
  /** Reads ask for it, and a collection may have many keys. */
  readonly #placed = new WeakMap<CollectionConfig, readonly PlacedShard[]>();

  constructor(sources: ViewSources) {
    this.#sources = sources;
  }

  /** Takes an event in at once; the promise resolves when what it replaces is no longer in use. */
  async apply(event: CatalogEvent): Promise<void> {
    switch (event.kind) {
      case 'opened':
        this.#open(event.handle);
        return;
      case 'grown':
        this.#liveView(event.handle.name)?.grow(event.handle);
        return;
      case 'changed':
      case 'replaced':
      case 'withdrawing': {
        const replaced = this.#liveView(event.handle.name)?.replacedBy(event.handle);
        if (replaced === undefined) this.#open(event.handle);
        else this.#entries.set(event.handle.name, { kind: 'live', view: replaced.successor });
        return replaced?.ended;
      }
      case 'restored': {
        const before = this.#liveView(event.handle.name);
        this.#open(event.handle);
        return before?.close();
      }
      case 'deleting': {
        const before = this.#liveView(event.name);
        this.#entries.set(event.name, { kind: 'deleting' });
        return before?.close();
      }
      case 'released': {
        const before = event.collections.flatMap(({ name }) => this.#liveView(name) ?? []);
        for (const collection of event.collections) this.#entries.set(collection.name, { kind: 'closed', collection });
        await Promise.all(before.map((view) => view.close()));
        return;
      }
      case 'deleted':
        this.#entries.delete(event.name);
        return;
      case 'aliases':
        this.#aliases = event.aliases;
        return;
      case 'recoveries':
        this.#recovering = event.collections;
        return;
      case 'failed':
        this.#entries.set(event.name, { kind: 'failed', reason: event.reason });
        return;
    }
  }

  /** Names of the collections that can be asked for, shards left out, sorted. */
  names(): readonly string[] {
    return [...this.#entries].flatMap(([name, { kind }]) => (kind === 'deleting' || isShardName(name) ? [] : [name])).sort();
  }

  /** The collection of each alias. */
  get aliases(): ReadonlyMap<string, string> {
    return this.#aliases;
  }

  has(nameOrAlias: string): boolean {
    const entry = this.#entries.get(this.#nameOf(nameOrAlias));
    if (entry?.kind === 'deleting') throw new ServiceError('collection_deleted');
    return entry !== undefined;
  }

  /** Whether a collection is being made from a snapshot, and is not whole yet. */
  isRecovering(nameOrAlias: string): boolean {
    return this.#recovering.size > 0 && this.#recovering.has(this.#nameOf(nameOrAlias));
  }

  /** Whether there is such a collection, open or not. */
  isServed(nameOrAlias: string): boolean {
    const kind = this.#entries.get(this.#nameOf(nameOrAlias))?.kind;
    return kind === 'live' || kind === 'closed';
  }

  /** What is known of a collection that is closed. */
  closed(nameOrAlias: string): ClosedCollection | undefined {
    const entry = this.#entries.get(this.#nameOf(nameOrAlias));
    return entry?.kind === 'closed' ? entry.collection : undefined;
  }

  /** The name of a collection that there is, open or not. */
  nameOf(nameOrAlias: string): string {
    return this.closed(nameOrAlias)?.name ?? this.view(nameOrAlias).name;
  }

  /** Runs a read on a collection, which is opened before where it is closed, or could not be opened before. */
  use<Result>(nameOrAlias: string, run: (view: CollectionView) => Promise<Result>): Promise<Result> {
    const view = this.servedView(nameOrAlias);
    return view === undefined ? this.#useOpened(nameOrAlias, run) : run(view);
  }

  /** The view of a collection that is open. */
  servedView(nameOrAlias: string): CollectionView | undefined {
    return this.#liveView(this.#nameOf(nameOrAlias));
  }

  /** Which nodes hold the shards of a collection; undefined of one in one piece. */
  placementOf(
    nameOrAlias: string,
  ): { readonly name: string; readonly config: CollectionConfig; readonly shards: readonly PlacedShard[] } | undefined {
    const name = this.#nameOf(nameOrAlias);
    if (isShardName(name)) throw new ServiceError('collection_not_found', { collection: name });
    const config = this.#liveView(name)?.config;
    if (config?.placement === undefined) return undefined;
    const shards = this.#placed.get(config) ?? placedShards(name, config);
    this.#placed.set(config, shards);
    return { name, config, shards };
  }

  view(nameOrAlias: string): CollectionView {
    const name = this.#nameOf(nameOrAlias);
    const entry = this.#entries.get(name);
    switch (entry?.kind) {
      case 'live':
        return entry.view;
      case 'deleting':
        throw new ServiceError('collection_deleted');
      case 'failed':
        throw new ServiceError('collection_unreadable', { collection: name, reason: entry.reason });
      case 'closed':
        throw new Error(`collection ${name} is read while it is closed`);
      case undefined:
        throw new ServiceError('collection_not_found', { collection: name });
    }
  }

  /** Points and stored vectors of every collection that is served; of one in shards, those of the shards that are here. */
  figures(): readonly { readonly name: string; readonly points: number; readonly vectors: number }[] {
    const sums = new Map<string, { readonly name: string; readonly points: number; readonly vectors: number }>();
    const coming = new Set(this.#configs().flatMap(([name, config]) => comingShards(name, config).map((shard) => shard.name)));
    for (const [part, entry] of this.#entries) {
      // Its points are counted where they are read.
      if (coming.has(part)) continue;
      const own = countsOf(entry);
      if (own === undefined) continue;
      const name = collectionOfShard(part);
      const { points, vectors } = sums.get(name) ?? { points: 0, vectors: 0 };
      sums.set(name, { name, points: points + own.points, vectors: vectors + own.vectors });
    }
    return [...sums.values()];
  }

  async close(): Promise<void> {
    const views = [...this.#entries.values()].flatMap((entry) => (entry.kind === 'live' ? [entry.view] : []));
    this.#entries.clear();
    for (const view of views) await view.close();
  }

  /** How many collections are open, were closed, were not opened yet, and could not be opened; shards count each. */
  get states(): { readonly [State in 'open' | 'released' | 'not_opened' | 'failed']: number } {
    const states = { open: 0, released: 0, not_opened: 0, failed: 0 };
    for (const entry of this.#entries.values()) {
      if (entry.kind === 'closed') states[entry.collection.status.state ?? 'not_opened']++;
      else if (entry.kind !== 'deleting') states[entry.kind === 'live' ? 'open' : 'failed']++;
    }
    return states;
  }

  #configs(): readonly (readonly [string, CollectionConfig])[] {
    return [...this.#entries].flatMap(([name, entry]) => (entry.kind === 'live' ? [[name, entry.view.config] as const] : []));
  }

  async #useOpened<Result>(nameOrAlias: string, run: (view: CollectionView) => Promise<Result>): Promise<Result> {
    const name = this.#nameOf(nameOrAlias);
    const kind = this.#entries.get(name)?.kind;
    const { opener } = this.#sources;
    // Of anything else the look at the view says what it is.
    if (opener === undefined || (kind !== 'closed' && kind !== 'failed')) return run(this.view(name));
    const release = await opener.open(name);
    try {
      return await run(this.view(name));
    } finally {
      release();
    }
  }

  /** Requests for a collection that this thread cannot open are refused; the thread and the other collections go on. */
  #open(handle: CollectionHandle): void {
    const { name } = handle;
    try {
      this.#entries.set(name, { kind: 'live', view: CollectionView.open(handle, this.#sources) });
    } catch (error) {
      this.#sources.log?.error({ collection: name, err: error }, 'collection could not be opened on this thread');
      this.#entries.set(name, { kind: 'failed', reason: error instanceof Error ? error.message : String(error) });
    }
  }

  #nameOf(nameOrAlias: string): string {
    return this.#aliases.get(nameOrAlias) ?? nameOrAlias;
  }

  #liveView(name: string): CollectionView | undefined {
    const entry = this.#entries.get(name);
    return entry?.kind === 'live' ? entry.view : undefined;
  }
}

function countsOf(entry: Entry): { readonly points: number; readonly vectors: number } | undefined {
  switch (entry.kind) {
    case 'live':
      entry.view.storage.refresh();
      return { points: entry.view.storage.pointCount, vectors: vectorCount(entry.view) };
    case 'closed':
      return { points: entry.collection.info.points_count, vectors: entry.collection.figures.vectors };
    case 'failed':
    case 'deleting':
      return undefined;
  }
}
