// SPDX-License-Identifier: Apache-2.0
/** All collections as one reading thread has them, kept up to date by the writer's events. */
import { ServiceError } from '@sextant/contracts-vector';
import type { CollectionConfig } from '../../model/collection-config.ts';
import type { CatalogEvent, CollectionHandle } from '../../model/collection-handle.ts';
import { collectionOfShard, isShardName, type PlacedShard, placedShards } from '../../model/shards.ts';
import { CollectionView, type ViewSources } from './collection-view.ts';
import { vectorCount } from './figures.ts';

type Entry =
  | { readonly kind: 'live'; readonly view: CollectionView }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'deleting' };

export class CatalogView {
  readonly #entries = new Map<string, Entry>();
  #aliases: ReadonlyMap<string, string> = new Map();
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
      case 'deleted':
        this.#entries.delete(event.name);
        return;
      case 'aliases':
        this.#aliases = event.aliases;
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

  /** The view of a collection that is served. */
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
      case undefined:
        throw new ServiceError('collection_not_found', { collection: name });
    }
  }

  /** Points and stored vectors of every collection that is served; of one in shards, those of the shards that are here. */
  figures(): readonly { readonly name: string; readonly points: number; readonly vectors: number }[] {
    const sums = new Map<string, { readonly name: string; readonly points: number; readonly vectors: number }>();
    for (const [part, entry] of this.#entries) {
      if (entry.kind !== 'live') continue;
      const { view } = entry;
      view.storage.refresh();
      const name = collectionOfShard(part);
      const { points, vectors } = sums.get(name) ?? { points: 0, vectors: 0 };
      sums.set(name, { name, points: points + view.storage.pointCount, vectors: vectors + vectorCount(view) });
    }
    return [...sums.values()];
  }

  async close(): Promise<void> {
    const views = [...this.#entries.values()].flatMap((entry) => (entry.kind === 'live' ? [entry.view] : []));
    this.#entries.clear();
    for (const view of views) await view.close();
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
