// SPDX-License-Identifier: Apache-2.0
/** All collections of a server, as their one writer has them. Announces to every other thread what happens to them. */
import { type Alias, type AliasAction, type CreateCollection, ServiceError } from '@sextant/contracts-vector';
import type { StorageWriter } from '@sextant/vector-storage';
import { type CollectionConfig, configFromRequest, withoutShards } from '../model/collection-config.ts';
import { CONFIG, FIELD_INDEXES } from '../model/collection-documents.ts';
import { admitBesideRecovery } from '../model/recovery-writes.ts';
import { isShardName, type ShardKeys, type ShardPlace } from '../model/shards.ts';
import { type CollectionOperation, isAfter, type LogMark, type PlacementOperation, type WriteOperation } from '../model/write-operation.ts';
import { Aliases } from './aliases.ts';
import { type Entry, memoryBytesOf, ownCollections } from './catalog-entry.ts';
import type { CatalogListing } from './catalog-listing.ts';
import type { CatalogOptions, Creation, ReceivedCollection } from './catalog-options.ts';
import type { CollectionWriter } from './collection-writer.ts';
import { CollectionsRegistry, type RegistryEntry } from './collections-registry.ts';
import { Credentials } from './credentials.ts';
import { createEmpty, type EmptyCollection } from './empty-collection.ts';
import type { FollowedLog } from './followed-log.ts';
import { loadCollections } from './load-collections.ts';
import { MemoryBudget, vectorBytesOf } from './memory-budget.ts';
import { type Description, OpenCollections, type Release, unreadable } from './open-collections.ts';
import { openWriter } from './open-writer.ts';
import { PlacedShards } from './placed-shards.ts';
import { receiveCollection } from './receive-collection.ts';
import { Recoveries } from './recoveries.ts';
import { changePlacement, createSharded, localShards, orphans } from './sharded-collections.ts';

/** Kinds of entries of collections that can be asked for. */
const PRESENT: ReadonlySet<Entry['kind']> = new Set(['live', 'closed', 'opening', 'releasing'] as const);

export class Catalog {
  readonly #options: CatalogOptions;
  readonly #registry: CollectionsRegistry;
  readonly #entries = new Map<string, Entry>();
  readonly #budget: MemoryBudget;
  /** Of the collections' own writes. */
  readonly #appliedBudget: MemoryBudget;
  readonly #aliases: Aliases;
  readonly #open: OpenCollections;
  /** Of the collections that are open at the end. */
  #described: ReadonlyMap<string, Description> = new Map();
  /** The shards that are placed on this node. */
  readonly shards: PlacedShards;
  readonly credentials: Credentials;
  readonly recoveries: Recoveries;
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
    this.shards = new PlacedShards(options.node, ownCollections(this.#entries));
    this.credentials = new Credentials(this.#registry, options);
    this.recoveries = new Recoveries(this.#registry, options);
    this.#open = new OpenCollections({
      ...options,
      entries: this.#entries,
      registry: this.#registry,
      budget: this.#budget,
      makeWriter: (registered, storage) => this.#makeWriter(registered, storage),
    });
  }

  /** See `loadCollections`. */
  async load(): Promise<void> {
    this.#registry.removeStrays();
    await this.#announceAliases();
    await this.recoveries.announce();
    for (const orphan of orphans(this.#registry.entries())) this.#registry.remove(orphan);
    await loadCollections({ ...this.#options, entries: this.#entries, registry: this.#registry, open: this.#open });
    for (const name of this.names()) await this.#removeStrangers(name);
    // In a cluster the log says what becomes of them.
    if (this.#options.node === undefined) for (const { collection } of this.recoveries.unfinished()) await this.delete(collection);
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
      if (!this.#entries.has(operation.collection)) this.#open.requirePlace();
      return;
    }
    if (operation.kind === 'create_shard_key') this.#open.requirePlace();
    if ('points' in operation && !this.#budget.allows(vectorBytesOf(operation.points))) {
      throw new ServiceError('memory_exhausted', { collection: operation.collection, limit: this.#budget.limit });
    }
    const entry = this.#entries.get(this.nameOf(operation.collection));
    if (entry?.kind !== 'failed') return;
    throw unreadable(operation.collection, entry.reason);
  }

  /** How far a collection has followed a log; undefined where none of that name is served. */
  followed(name: string): FollowedLog | undefined {
    const entry = this.#entries.get(name);
    return entry?.kind === 'live' ? entry.writer.followed : undefined;
  }

  /** The collections of a listing have been taken in; here are their aliases, and from which operation on others are to be carried out. */
  async adopt({ aliases, applied, credentials, recoveries = [] }: CatalogListing): Promise<void> {
    const table = new Map(aliases);
    await this.recoveries.adopt(recoveries);
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
      return kind === undefined ? 'none' : kind === 'creating' || kind === 'deleting' ? 'other' : 'live';
    };
    this.#aliases.change(actions, stateOf, mark);
    await this.#announceAliases();
    return true;
  }

  /** Keeps a collection open until the answer is called; see `OpenCollections.hold`. */
  hold(nameOrAlias: string): Release | Promise<Release> {
    return this.#open.hold(this.nameOf(nameOrAlias));
  }

  /** Runs an operation on a collection, which is opened before where it is closed, and stays open until it ends. On one that is open it begins at once. */
  use<Result>(nameOrAlias: string, run: (writer: CollectionWriter) => Promise<Result>): Promise<Result> {
    const name = this.nameOf(nameOrAlias);
    const held = this.#open.hold(name);
    const runHeld = (release: Release) => run(this.writer(name)).finally(release);
    return held instanceof Promise ? held.then(runHeld) : runHeld(held);
  }

  /** Closes collections that nobody uses until there is memory for so many bytes, as far as there are any. */
  makeRoom(bytes: number): Promise<void> {
    return this.#open.makeRoom(bytes);
  }

  /** Closes the collection that was used least recently, if that is so long ago; whether there was one. */
  releaseOne(options?: { readonly unusedMs: number }): Promise<boolean> {
    return this.#open.releaseOne(options);
  }

  /** @throws ServiceError where there is no such collection */
  requireKnown(name: string): void {
    const kind = this.#entries.get(name)?.kind;
    if (kind !== 'closed' && kind !== 'opening' && kind !== 'releasing') this.writer(name);
  }

  /** Of one that is open. */
  writer(nameOrAlias: string): CollectionWriter {
    const name = this.nameOf(nameOrAlias);
    const entry = this.#entries.get(name);
    switch (entry?.kind) {
      case 'live':
        return entry.writer;
      case 'deleting':
        throw new ServiceError('collection_deleted');
      case 'failed':
        throw unreadable(name, entry.reason);
      case 'closed':
      case 'opening':
      case 'releasing':
        throw new Error(`collection ${name} is written to while it is closed`);
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
    admitBesideRecovery(name, operation, this.recoveries.of(name));
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
    { placement, mark, recovery }: Omit<Creation, 'part'> & { readonly placement: readonly (readonly string[])[] },
  ) {
    return createSharded(this, { name, request, node: this.#options.node, placement, mark, recovery });
  }

  async create(name: string, request: CreateCollection, { mark, part, recovery }: Creation = {}): Promise<true> {
    this.refuseTaken(name);
    return this.#create(name, { documents: { [CONFIG]: { ...configFromRequest(request), ...part } }, sequence: 0, mark, recovery });
  }

  /** Makes an empty shard of a collection that there is. */
  createLike(definition: CollectionWriter, { name, place, mark }: { name: string; place: ShardPlace; mark: LogMark | undefined }) {
    const { config, fieldIndexes, sequence } = definition;
    const documents = { [CONFIG]: { ...withoutShards(config), shard: place }, [FIELD_INDEXES]: fieldIndexes.document };
    return this.#create(name, { documents, sequence, mark });
  }

  async #create(name: string, empty: Omit<EmptyCollection, 'name'>): Promise<true> {
    this.#entries.set(name, { kind: 'creating' });
    try {
      using _place = await this.#open.place({ name, bytes: 0 });
      const created = createEmpty(this.#registry, { name, ...empty }, (registered, storage) => this.#makeWriter(registered, storage));
      if (empty.recovery !== undefined) await this.recoveries.announce();
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
    if (entry.kind === 'opening' || entry.kind === 'releasing') {
      await entry.settled;
      return this.delete(name, mark);
    }
    if (entry.kind === 'deleting') throw new ServiceError('collection_deleted');
    const [, ...shards] = this.partsOf(name);
    const wasRecovering = this.#registry.recoveries().has(name);
    const aliases = this.#aliases.without(name);
    this.#registry.markDeleting(entry.registered, aliases, mark);
    this.#entries.set(name, { kind: 'deleting' });
    if (aliases !== undefined) {
      this.#aliases.written(aliases);
      await this.#announceAliases();
    }
    await this.#options.listener.event({ kind: 'deleting', name });
    if (wasRecovering) await this.recoveries.announce();
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
  receive(name: string, fill: (directory: string) => Promise<void>): Promise<ReceivedCollection> {
    return receiveCollection(name, fill, {
      ...this.#options,
      entries: this.#entries,
      registry: this.#registry,
      budget: this.#budget,
      open: this.#open,
      makeWriter: (registered, storage) => this.#makeWriter(registered, storage),
    });
  }

  /** Where to copy a collection from: its saved graphs, which may be replaced at any moment, and its storage. */
  source(name: string): { readonly name: string; readonly directory: string; readonly copy: (file: string) => Promise<void> } {
    const writer = this.writer(name);
    return { name, directory: writer.handle.directory, copy: (file) => writer.upkeep.copy(file) };
  }

  /** Names of the collections, shards left out, sorted. */
  names(): readonly string[] {
    return [...this.#entries].flatMap(([name, { kind }]) => (PRESENT.has(kind) && !isShardName(name) ? [name] : [])).sort();
  }

  /** The service ends: writes wait no longer until the graphs have kept up. */
  hurry(): void {
    this.#isEnding = true;
    for (const entry of this.#entries.values()) if (entry.kind === 'live') entry.writer.backlog.recheck();
  }

  /** Before the threads that read end: what the next start is to know of the collections. */
  describe(): void {
    this.#described = this.#open.describe();
  }

  async close(): Promise<void> {
    for (const name of this.#entries.keys()) await this.#open.settled(name);
    for (const [name, entry] of this.#entries) if (entry.kind === 'live') await this.#open.close(entry, this.#described.get(name));
    this.#entries.clear();
  }

  #configOf(name: string): CollectionConfig | undefined {
    const entry = this.#entries.get(name);
    if (entry?.kind === 'live') return entry.writer.config;
    return entry?.kind === 'closed' ? entry.collection.config : undefined;
  }

  /** Of a definition that cannot be read nobody knows which these are. */
  async #removeStrangers(name: string): Promise<void> {
    for (const shard of this.shards.strangers(name)) await this.delete(shard);
  }

  async #announceAliases(): Promise<void> {
    await this.#options.listener.event({ kind: 'aliases', aliases: this.#aliases.table });
  }

  #makeWriter(registered: RegistryEntry, storage: StorageWriter): CollectionWriter {
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
