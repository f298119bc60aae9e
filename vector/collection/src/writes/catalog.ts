// SPDX-License-Identifier: Apache-2.0
/** All collections of a server, as their one writer has them. Announces to every other thread what happens to them. */
import { type Alias, type AliasAction, type CreateCollection, ServiceError } from '@sextant/contracts-vector';
import { openCollectionStorage, type StorageWriter } from '@sextant/vector-storage';
import { type CollectionConfig, configFromRequest } from '../model/collection-config.ts';
import { CONFIG, FIELD_INDEXES } from '../model/collection-documents.ts';
import { reasonOf } from '../model/damage.ts';
import { isShardName, type ShardKeys, type ShardPlace } from '../model/shards.ts';
import { type CollectionOperation, isAfter, type LogMark, type PlacementOperation, type WriteOperation } from '../model/write-operation.ts';
import { Aliases } from './aliases.ts';
import { type Entry, memoryBytesOf } from './catalog-entry.ts';
import type { CatalogListing } from './catalog-listing.ts';
import type { CatalogOptions, Creation, ReceivedCollection } from './catalog-options.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { CollectionsRegistry, type RegistryEntry } from './collections-registry.ts';
import { Credentials } from './credentials.ts';
import { createEmpty, type EmptyCollection } from './empty-collection.ts';
import type { FollowedLog } from './followed-log.ts';
import { vectorBytesOf } from './incoming-bytes.ts';
import { MemoryBudget } from './memory-budget.ts';
import { openWriter } from './open-writer.ts';
import { PlacedShards } from './placed-shards.ts';
import { changePlacement, createSharded, localShards, orphans, shardConfig } from './sharded-collections.ts';
import { bytesToLoad } from './space-loader.ts';

/** A start with collections of this size takes long enough that one looks at the log for how far it is. */
const POINTS_WORTH_TELLING = 100_000;

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #registry: CollectionsRegistry;
  readonly #entries = new Map<string, Entry>();
  readonly #budget: MemoryBudget;
  /** Of the collections' own writes. */
  readonly #appliedBudget: MemoryBudget;
  readonly #aliases: Aliases;
  /** The shards that are placed on this node. */
  readonly shards: PlacedShards;
  readonly credentials: Credentials;
  #isEnding = false;

  constructor(options: CatalogOptions) {
    this.#options = options;
    const limit = options.vectorMemoryBytes ?? Number.POSITIVE_INFINITY;
    const used = () => memoryBytesOf(this.#entries.values());
    this.#budget = new MemoryBudget({ limit, used });
    // What comes from a log has been accepted for every node.
    this.#appliedBudget = options.moves === undefined ? this.#budget : new MemoryBudget({ limit: Number.POSITIVE_INFINITY, used });
    this.#registry = new CollectionsRegistry(options);
    this.#aliases = new Aliases(this.#registry);
    this.shards = new PlacedShards(options.node, this.#entries);
    this.credentials = new Credentials(this.#registry, options);
  }

  /** Opens every collection; one that cannot be opened is reported and stays behind, the others are served. */
  async load(): Promise<void> {
    this.#registry.removeStrays();
    await this.#announceAliases();
    for (const orphan of orphans(this.#registry.entries())) this.#registry.remove(orphan);
    const entries = this.#registry.entries();
    for (const [index, registered] of entries.entries()) {
      if (registered.state === 'deleting') this.#registry.remove(registered);
      else await this.#loadOne(registered, `${index + 1} of ${entries.length}`);
    }
    for (const name of this.names()) await this.#removeStrangers(name);
  }

  /** The collection that a name or an alias means. */
  nameOf(nameOrAlias: string): string {
    return this.#aliases.nameOf(nameOrAlias);
  }

  /** The last operation of a log that changed which collections there are, or their aliases. */
  get applied(): LogMark {
    return this.#registry.applied();
  }

  /**
   * Whether an operation may be put into a log, as far as that is this service's to know: applied later, it is refused for want of room nowhere.
   * @throws ServiceError `memory_exhausted`, `collections_exhausted` or `collection_unreadable`
   */
  admit(operation: WriteOperation): void {
    if (operation.kind === 'change_aliases' || operation.kind === 'change_credentials') return;
    if (operation.kind === 'create_collection' || operation.kind === 'create_sharded_collection') {
      if (!this.#entries.has(operation.collection)) this.#requirePlace();
      return;
    }
    if (operation.kind === 'create_shard_key') this.#requirePlace();
    if ('points' in operation && !this.#budget.allows(vectorBytesOf(operation.points))) {
      throw new ServiceError('memory_exhausted', { collection: operation.collection, limit: this.#budget.limit });
    }
    const entry = this.#entries.get(this.nameOf(operation.collection));
    if (entry?.kind !== 'failed') return;
    throw new ServiceError('collection_unreadable', { collection: operation.collection, reason: entry.reason });
  }

  /** How far a collection has followed a log; undefined where none of that name is served. */
  followed(name: string): FollowedLog | undefined {
    const entry = this.#entries.get(name);
    return entry?.kind === 'live' ? entry.writer.followed : undefined;
  }

  /** The collections of a listing have been taken in; here are their aliases, and from which operation on others are to be carried out. */
  async adopt({ aliases, applied, credentials }: CatalogListing): Promise<void> {
    const table = new Map(aliases);
    if (credentials !== undefined) await this.credentials.adopt(credentials);
    this.#registry.putAliases(table, applied);
    this.#aliases.written(table);
    await this.#announceAliases();
  }

  /** A collection takes its shards with it. */
  async clear(): Promise<void> {
    for (const name of this.#entries.keys()) await this.delete(name);
  }

  /** The newest mark that anything here has: its entry was in the log. */
  get newestMark(): LogMark {
    const marks = [...this.#entries.keys()].map((name) => this.followed(name)?.applied ?? this.applied);
    return marks.reduce((newest, mark) => (isAfter(mark, newest) ? mark : newest), this.applied);
  }

  /** Whether there is neither a collection nor an alias. */
  get isEmpty(): boolean {
    return this.#entries.size === 0 && this.#aliases.table.size === 0;
  }

  /** Whether a collection could not be opened. */
  get hasFailed(): boolean {
    return [...this.#entries.values()].some(({ kind }) => kind === 'failed');
  }

  /** All aliases, each with its collection. */
  aliases(): readonly Alias[] {
    return [...this.#aliases.table].map(([alias_name, collection_name]) => ({ alias_name, collection_name }));
  }

  /** All actions in order or none; known to every thread before its next read. */
  async changeAliases(actions: readonly AliasAction[], mark?: LogMark): Promise<true> {
    const stateOf = (name: string) => {
      const kind = this.#entries.get(name)?.kind;
      return kind === undefined ? 'none' : kind === 'live' || kind === 'failed' ? 'live' : 'other';
    };
    this.#aliases.change(actions, stateOf, mark);
    await this.#announceAliases();
    return true;
  }

  writer(nameOrAlias: string): CollectionWriter {
    const name = this.nameOf(nameOrAlias);
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

  /** The names under which this node has a collection, or parts of it; with an operation, those that carry it out. */
  partsOf(name: string, operation?: CollectionOperation): readonly string[] {
    return [name, ...localShards(name, this.#configOf(name), { has: (shard) => this.#entries.has(shard), operation })];
  }

  /** Whether a collection is in shards, of which this node may have some. */
  isSharded(nameOrAlias: string): boolean {
    return this.#configOf(this.nameOf(nameOrAlias))?.placement !== undefined;
  }

  /** The keys that divide a collection's points, as far as this node knows; undefined where none do. */
  shardKeysOf(nameOrAlias: string): ShardKeys | undefined {
    return this.#configOf(this.nameOf(nameOrAlias))?.shardKeys;
  }

  /** The shards that are placed elsewhere from now on are gone from this node when it answers. */
  async changePlacement(operation: PlacementOperation, mark?: LogMark): Promise<true> {
    const name = this.nameOf(operation.collection);
    await changePlacement(this, this.writer(name), { operation, node: this.#options.node, mark });
    await this.#removeStrangers(name);
    return true;
  }

  refuseTaken(name: string): void {
    const known = this.#entries.get(name);
    if (known?.kind === 'deleting') throw new ServiceError('collection_deleted');
    if (known !== undefined) throw new ServiceError('collection_exists', { collection: name });
    if (this.#aliases.table.has(name)) throw new ServiceError('alias_exists', { alias: name });
  }

  createSharded(
    name: string,
    request: CreateCollection,
    created: { readonly placement: readonly (readonly string[])[]; readonly mark?: LogMark | undefined },
  ) {
    return createSharded(this, { name, request, node: this.#options.node, ...created });
  }

  async create(name: string, request: CreateCollection, { mark, part }: Creation = {}): Promise<true> {
    this.refuseTaken(name);
    return this.#create(name, { documents: { [CONFIG]: { ...configFromRequest(request), ...part } }, sequence: 0, mark });
  }

  /** Makes an empty shard of a collection that there is. */
  createLike(definition: CollectionWriter, { name, place, mark }: { name: string; place: ShardPlace; mark: LogMark | undefined }) {
    const { config, fieldIndexes, sequence } = definition;
    const documents = { [CONFIG]: { ...shardConfig(config), shard: place }, [FIELD_INDEXES]: fieldIndexes.document };
    return this.#create(name, { documents, sequence, mark });
  }

  async #create(name: string, empty: Omit<EmptyCollection, 'name'>): Promise<true> {
    this.#requirePlace();
    this.#entries.set(name, { kind: 'creating' });
    try {
      const created = createEmpty(this.#registry, { name, ...empty }, (registered, storage) => this.#open(registered, storage));
      await this.#options.listener.event({ kind: 'opened', handle: created.writer.handle });
      this.#entries.set(name, { kind: 'live', ...created });
    } catch (error) {
      this.#entries.delete(name);
      throw error;
    }
    return true;
  }

  /** Answers once the collection is gone from disk, and its aliases with it; until then every request for it is refused with that reason. */
  async delete(name: string, mark?: LogMark): Promise<boolean> {
    const entry = this.#entries.get(name);
    if (entry === undefined || entry.kind === 'creating') return false;
    if (entry.kind === 'deleting') throw new ServiceError('collection_deleted');
    const [, ...shards] = this.partsOf(name);
    const aliases = this.#aliases.without(name);
    this.#registry.markDeleting(entry.registered, aliases, mark);
    this.#entries.set(name, { kind: 'deleting' });
    if (aliases !== undefined) {
      this.#aliases.written(aliases);
      await this.#announceAliases();
    }
    await this.#options.listener.event({ kind: 'deleting', name });
    if (entry.kind === 'live') await entry.writer.close();
    this.#registry.remove(entry.registered);
    this.#entries.delete(name);
    await this.#options.listener.event({ kind: 'deleted', name });
    for (const shard of shards) await this.delete(shard);
    return true;
  }

  /**
   * Puts a collection in the place of the one of that name, or where none is, in one step: readers have the former one or the new one, and writes
   * that are acknowledged later are the new one's. Until then nothing of the former one is touched.
   * @param fill writes storage and saved graphs of the new one into an empty directory
   */
  async restore(name: string, fill: (directory: string) => Promise<void>): Promise<void> {
    const received = await this.receive(name, fill);
    await received.serve();
  }

  /** The first half of `restore`: a collection that can be written to, and that nobody reads until it is served. */
  async receive(name: string, fill: (directory: string) => Promise<void>): Promise<ReceivedCollection> {
    // The one that it replaces is closed soon after; a place is kept for the time between.
    if (this.#entries.get(name)?.kind !== 'live') this.#requirePlace();
    const registered = this.#registry.newEntry(name);
    let writer: CollectionWriter;
    try {
      await fill(this.#registry.path(registered));
      writer = this.#openRestored(registered);
    } catch (error) {
      this.#registry.removeFiles(registered);
      throw error;
    }
    return {
      writer,
      serve: async () => {
        await this.#replace(name, { kind: 'live', registered, writer });
        this.#options.listener.written(name);
        writer.resume();
      },
      discard: async () => {
        await writer.close();
        this.#registry.removeFiles(registered);
      },
    };
  }

  /** Where to copy a collection from: its saved graphs, which may be replaced at any moment, and its storage. */
  source(name: string): { readonly name: string; readonly directory: string; readonly copy: (file: string) => Promise<void> } {
    const writer = this.writer(name);
    return { name, directory: writer.handle.directory, copy: (file) => writer.upkeep.copy(file) };
  }

  /** Names of the collections, shards left out, sorted. */
  names(): readonly string[] {
    return [...this.#entries].flatMap(([name, { kind }]) => (kind === 'live' && !isShardName(name) ? [name] : [])).sort();
  }

  /** The service ends: writes wait no longer until the graphs have kept up. */
  hurry(): void {
    this.#isEnding = true;
    for (const entry of this.#entries.values()) if (entry.kind === 'live') entry.writer.backlog.recheck();
  }

  async close(): Promise<void> {
    for (const entry of this.#entries.values()) if (entry.kind === 'live') await entry.writer.close();
    this.#entries.clear();
  }

  #configOf(name: string): CollectionConfig | undefined {
    const entry = this.#entries.get(name);
    return entry?.kind === 'live' ? entry.writer.config : undefined;
  }

  /** Of a definition that cannot be read nobody knows which these are. */
  async #removeStrangers(name: string): Promise<void> {
    for (const shard of this.shards.strangers(name)) await this.delete(shard);
  }

  #requirePlace(): void {
    const { collectionBound } = this.#options;
    const open = [...this.#entries.values()].filter(({ kind }) => kind !== 'failed').length;
    if (collectionBound !== undefined && open >= collectionBound.max) throw collectionBound.reached();
  }

  async #announceAliases(): Promise<void> {
    await this.#options.listener.event({ kind: 'aliases', aliases: this.#aliases.table });
  }

  async #replace(name: string, entry: Extract<Entry, { kind: 'live' }>): Promise<void> {
    const former = this.#entries.get(name);
    this.#registry.syncFiles(entry.registered);
    this.#registry.add(entry.registered);
    this.#entries.set(name, entry);
    const { handle } = entry.writer;
    await this.#options.listener.event(former === undefined ? { kind: 'opened', handle } : { kind: 'restored', handle });
    if (former?.kind === 'live') await former.writer.close();
    if (former?.kind === 'live' || former?.kind === 'failed') this.#registry.removeFiles(former.registered);
  }

  /** Of a collection that was not written here: where there is no memory for it, nothing of it is loaded. */
  #openRestored(registered: RegistryEntry): CollectionWriter {
    const { log, rowsPerShard } = this.#options;
    const { name } = registered;
    const directory = this.#registry.path(registered);
    const storage = openCollectionStorage({ directory });
    try {
      const kind = this.#entries.get(name)?.kind;
      if (kind === 'creating' || kind === 'deleting') throw new ServiceError('collection_deleted');
      if (!this.#budget.allows(bytesToLoad({ directory, storage, log, rowsPerShard }))) {
        throw new ServiceError('memory_exhausted', { collection: name, limit: this.#budget.limit });
      }
      return this.#open(registered, storage);
    } catch (error) {
      storage.close();
      throw error;
    }
  }

  async #loadOne(registered: RegistryEntry, place: string): Promise<void> {
    const { listener, log } = this.#options;
    const { name } = registered;
    try {
      this.#requirePlace();
      const writer = this.#open(registered, openCollectionStorage({ directory: this.#registry.path(registered) }));
      this.#entries.set(name, { kind: 'live', registered, writer });
      await listener.event({ kind: 'opened', handle: writer.handle });
      listener.written(name);
      writer.resume();
      if (writer.pointCount >= POINTS_WORTH_TELLING) log.info({ collection: name, points: writer.pointCount, place }, 'collection loaded');
    } catch (error) {
      const reason = reasonOf(error);
      log.error({ collection: name, err: error }, 'collection could not be opened');
      this.#entries.set(name, { kind: 'failed', registered, reason });
      await listener.event({ kind: 'failed', name, reason });
    }
  }

  #open(registered: RegistryEntry, storage: StorageWriter): CollectionWriter {
    const { name } = registered;
    return openWriter({
      ...this.#options,
      name,
      directory: this.#registry.path(registered),
      storage,
      budget: this.#appliedBudget,
      isEnding: () => this.#isEnding,
      isCurrent: (writer) => this.followed(name) === writer.followed,
    });
  }
}
