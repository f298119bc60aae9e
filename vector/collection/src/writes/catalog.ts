/** All collections of a server, as their one writer has them. Tells every other thread what happens to them. */
import { type CreateCollection, ServiceError, type UpdateCollection } from '@sextant/contracts-vector';
import { createCollectionStorage, openCollectionStorage, type SystemStorage } from '@sextant/vector-storage';
import { configFromRequest } from '../collection-config.ts';
import type { CatalogEvent } from '../collection-handle.ts';
import { CollectionsRegistry, type RegistryEntry } from '../collections-registry.ts';
import type { Log } from '../log.ts';
import { CollectionWriter } from './collection-writer.ts';
import { MemoryBudget } from './memory-budget.ts';

export type CatalogListener = {
  /** Resolves when every other thread has taken the event in. */
  readonly event: (event: CatalogEvent) => Promise<void>;
  /** The collection has rows to index or to give back. */
  readonly written: (collection: string) => void;
};

export type CatalogOptions = {
  readonly dataDirectory: string;
  readonly system: SystemStorage;
  readonly log: Log;
  readonly listener: CatalogListener;
} & CatalogBounds;

export type CatalogBounds = {
  /** Bytes that vectors, codes and graphs of all collections may take; without it the system decides. */
  readonly vectorMemoryBytes?: number | undefined;
  /** Rows of a shard, a multiple of 32; by default as many as fit into the 4 GiB of one memory. */
  readonly rowsPerShard?: number | undefined;
};

type Entry =
  | { readonly kind: 'live'; readonly registered: RegistryEntry; readonly writer: CollectionWriter }
  | { readonly kind: 'failed'; readonly registered: RegistryEntry; readonly reason: string }
  | { readonly kind: 'creating' }
  | { readonly kind: 'deleting' };

/** A start with collections of this size takes long enough that one looks at the log for how far it is. */
const POINTS_WORTH_TELLING = 100_000;

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #registry: CollectionsRegistry;
  readonly #entries = new Map<string, Entry>();
  readonly #budget: MemoryBudget;

  constructor(options: CatalogOptions) {
    this.#options = options;
    this.#budget = new MemoryBudget({ limit: options.vectorMemoryBytes ?? Number.POSITIVE_INFINITY, used: () => this.#memoryBytes() });
    this.#registry = new CollectionsRegistry(options);
  }

  /** Opens every collection; one that cannot be opened is reported and stays behind, the others are served. */
  async load(): Promise<void> {
    this.#registry.removeStrays();
    const entries = this.#registry.entries();
    for (const [index, registered] of entries.entries()) {
      if (registered.state === 'deleting') this.#registry.remove(registered);
      else await this.#loadOne(registered, `${index + 1} of ${entries.length}`);
    }
  }

  writer(name: string): CollectionWriter {
    const entry = this.#entries.get(name);
    switch (entry?.kind) {
      case 'live':
        return entry.writer;
      case 'deleting':
        throw new ServiceError('collection_deleted');
      case 'failed':
        throw new ServiceError('collection_unreadable', { collection: name, reason: entry.reason });
      case 'creating':
      case undefined:
        throw new ServiceError('collection_not_found', { collection: name });
    }
  }

  async create(name: string, request: CreateCollection): Promise<true> {
    const known = this.#entries.get(name);
    if (known?.kind === 'deleting') throw new ServiceError('collection_deleted');
    if (known !== undefined) throw new ServiceError('collection_exists', { collection: name });
    const config = configFromRequest(request);
    this.#entries.set(name, { kind: 'creating' });
    try {
      const registered = this.#registry.newEntry(name);
      const storage = createCollectionStorage({ directory: this.#registry.path(registered) });
      CollectionWriter.create(storage, config);
      const writer = this.#open(registered, storage);
      this.#registry.add(registered);
      await this.#options.listener.event({ kind: 'opened', handle: writer.handle });
      this.#entries.set(name, { kind: 'live', registered, writer });
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
    return true;
  }

  async update(name: string, request: UpdateCollection): Promise<true> {
    await this.writer(name).updateConfig(request);
    return true;
  }

  /** Answers once the collection is gone from disk; until then everything that names it is told so. */
  async delete(name: string): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.kind === 'creating') return false;
    if (entry.kind === 'deleting') throw new ServiceError('collection_deleted');
    this.#registry.markDeleting(entry.registered);
    this.#entries.set(name, { kind: 'deleting' });
    await this.#options.listener.event({ kind: 'deleting', name });
    if (entry.kind === 'live') await entry.writer.close();
    this.#registry.remove(entry.registered);
    this.#entries.delete(name);
    await this.#options.listener.event({ kind: 'deleted', name });
    return true;
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) if (entry.kind === 'live') await entry.writer.close();
    this.#entries.clear();
  }

  #memoryBytes(): number {
    let bytes = 0;
    for (const entry of this.#entries.values()) if (entry.kind === 'live') bytes += entry.writer.memoryBytes;
    return bytes;
  }

  async #loadOne(registered: RegistryEntry, place: string): Promise<void> {
    const { listener, log } = this.#options;
    const { name } = registered;
    try {
      const writer = this.#open(registered, openCollectionStorage({ directory: this.#registry.path(registered) }));
      this.#entries.set(name, { kind: 'live', registered, writer });
      await listener.event({ kind: 'opened', handle: writer.handle });
      listener.written(name);
      writer.resume();
      if (writer.pointCount >= POINTS_WORTH_TELLING) log.info({ collection: name, points: writer.pointCount, place }, 'collection loaded');
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log.error({ collection: name, err: error }, 'collection could not be opened');
      this.#entries.set(name, { kind: 'failed', registered, reason });
      await listener.event({ kind: 'failed', name, reason });
    }
  }

  #open(registered: RegistryEntry, storage: ReturnType<typeof openCollectionStorage>): CollectionWriter {
    const { listener, log, rowsPerShard } = this.#options;
    return new CollectionWriter({
      name: registered.name,
      directory: this.#registry.path(registered),
      storage,
      log,
      budget: this.#budget,
      rowsPerShard,
      events: {
        changed: (handle) => listener.event({ kind: 'changed', handle }),
        grown: (handle) => listener.event({ kind: 'grown', handle }),
        replaced: (handle) => listener.event({ kind: 'replaced', handle }),
        withdrawing: (handle) => listener.event({ kind: 'withdrawing', handle }),
        written: listener.written,
      },
    });
  }
}
