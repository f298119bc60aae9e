// SPDX-License-Identifier: Apache-2.0
/**
 * Which collections are open. One that is closed is opened for the first request that needs it, and others wait for the same opening. Where files, mappings or memory do
 * not suffice for one more, those that nobody uses are closed first, the least recently used before the others.
 */
import { ServiceError } from '@sextant/contracts-vector';
import { pause } from '@sextant/foundation-std';
import { dataFileState } from '@sextant/vector-storage';
import type { ClosedCollection } from '../model/closed-collection.ts';
import { asError, reasonOf } from '../model/damage.ts';
import type { CatalogParts, Entry, LiveEntry } from './catalog-entry.ts';
import type { CatalogOptions } from './catalog-options.ts';
import { isSame, removeClosedFile, writeClosedFile } from './closed-file.ts';
import type { CollectionWriter } from './collection-writer.ts';
import type { RegistryEntry } from './collections-registry.ts';
import { JobQueue } from './job-queue.ts';
import { openStorage } from './open-storage.ts';

/** A start with collections of this size takes long enough that one looks at the log for how far it is. */
const POINTS_WORTH_TELLING = 100_000;
/** Requests are short: a place that none has now, one has soon. */
const PLACE_WAIT_MS = 2000;
const PLACE_LOOK_MS = 5;
const SPARE_SHARE = 1 / 64;
const SPARE_BYTES_MAX = 64 * 1024 * 1024;
/** An opening that fails takes the writer no more of its time than this share, however often it is asked for. */
const FAILING_SHARE = 0.1;

export type OpenCollectionsOptions = CatalogParts & Pick<CatalogOptions, 'clock' | 'collectionBound' | 'listener' | 'log' | 'releasing'>;

/** Room for one collection that is not in the catalog yet; kept until it is, or is not. */
type Place = Disposable;

/** Ends the use of a collection. */
export type Release = () => void;

export class OpenCollections {
  readonly #options: OpenCollectionsOptions;
  /** How many uses of a collection there are, beside those that its gauges count. */
  readonly #uses = new Map<string, number>();
  readonly #places = new Set<Place>();
  readonly #placing = new JobQueue();

  constructor(options: OpenCollectionsOptions) {
    this.#options = options;
  }

  /**
   * Keeps a collection open until the answer is called, and opens it before where it is closed. Two calls for one that is open have their turn in order.
   * @throws ServiceError where there is no such collection, or it cannot be opened
   */
  hold(name: string): Release | Promise<Release> {
    this.#uses.set(name, (this.#uses.get(name) ?? 0) + 1);
    const release = onlyOnce(() => this.#used(name));
    const entry = this.#options.entries.get(name);
    if (entry?.kind === 'live') {
      this.#note(entry);
      return release;
    }
    return this.#opened(name).then(
      () => release,
      (error: unknown) => {
        release();
        throw error;
      },
    );
  }

  /** Resolves when a collection is neither being opened nor being closed. */
  async settled(name: string): Promise<void> {
    const { entries } = this.#options;
    for (let entry = entries.get(name); entry?.kind === 'opening' || entry?.kind === 'releasing'; entry = entries.get(name)) {
      await entry.settled;
    }
  }

  /** @throws ServiceError `collections_exhausted` or `memory_exhausted` where no collection can be closed that takes what is missing */
  place(wanted: { readonly name: string; readonly bytes: number }): Promise<Place> {
    const untilMs = this.#options.clock.monotonicMs() + PLACE_WAIT_MS;
    return this.#placing.run(() => this.#makePlace(wanted, untilMs));
  }

  /** @throws ServiceError `collections_exhausted` */
  requirePlace(): void {
    const shortage = this.#shortage({ name: '', bytes: 0 });
    if (shortage !== undefined) throw shortage;
  }

  /** Closes collections until so many bytes may be taken, as far as there are any that nobody uses. */
  async makeRoom(bytes: number): Promise<void> {
    const { budget } = this.#options;
    if (budget.allows(bytes)) return;
    // Some more, so that not every write closes one.
    const spare = Math.min(budget.limit * SPARE_SHARE, SPARE_BYTES_MAX);
    while (!budget.allows(bytes + spare) && (await this.releaseOne()));
  }

  /** Closes the collection that was used least recently, of those that nobody uses; false where there is none. */
  async releaseOne({ unusedMs = 0 }: { readonly unusedMs?: number } = {}): Promise<boolean> {
    const { clock, entries } = this.#options;
    const before = clock.nowMs() - unusedMs;
    const passedOver = new Set<string>();
    for (;;) {
      let found: { readonly name: string; readonly usedMs: number } | undefined;
      for (const [name, entry] of entries) {
        if (entry.kind !== 'live' || this.#isUsed(name, entry) || passedOver.has(name)) continue;
        const usedMs = entry.writer.gauges.lastUsedMs;
        if (usedMs <= before && usedMs < (found?.usedMs ?? Number.POSITIVE_INFINITY)) found = { name, usedMs };
      }
      if (found === undefined) return false;
      if (await this.#release(found.name)) return true;
      passedOver.add(found.name);
    }
  }

  /** At the start: one that cannot be opened is reported and stays behind. */
  async load(registered: RegistryEntry, place: string): Promise<void> {
    const { clock, log } = this.#options;
    const startMs = clock.monotonicMs();
    let kept: Place;
    try {
      kept = await this.place({ name: registered.name, bytes: 0 });
    } catch (error) {
      await this.#fail(registered, error, startMs);
      return;
    }
    using _kept = kept;
    const writer = await this.#tryOpen(registered);
    if (writer instanceof Error) return;
    if (writer.pointCount >= POINTS_WORTH_TELLING) {
      log.info({ collection: registered.name, points: writer.pointCount, place }, 'collection loaded');
    }
  }

  /** Whether one more may be opened without closing another. */
  hasPlace(bytes: number): boolean {
    return this.#shortage({ name: '', bytes }) === undefined;
  }

  /** What is known of the collections that are open and at rest, for `close`. */
  describe(): ReadonlyMap<string, Description> {
    const described = new Map<string, Description>();
    for (const [name, entry] of this.#options.entries) {
      const description = entry.kind === 'live' ? this.#describe(name, entry) : undefined;
      if (description !== undefined) described.set(name, description);
    }
    return described;
  }

  /** Closes a collection for good; the next start knows it by its description, unless it was written to since. */
  async close(entry: LiveEntry, description: Description | undefined): Promise<void> {
    await entry.writer.close();
    const { log, registry } = this.#options;
    const directory = registry.path(entry.registered);
    try {
      if (description !== undefined && isSame(description.data, dataFileState(directory)))
        writeClosedFile(directory, description.data, description.collection);
      else removeClosedFile(directory);
    } catch (error) {
      log.warn(
        { collection: entry.registered.name, err: error },
        'the summary of the closed collection could not be written; the next start opens the collection',
      );
    }
  }

  async #opened(name: string): Promise<void> {
    for (;;) {
      const entry = this.#options.entries.get(name);
      switch (entry?.kind) {
        case 'live':
          this.#note(entry);
          return;
        case 'opening': {
          const failure = await entry.settled;
          if (failure !== undefined) throw failure;
          break;
        }
        case 'releasing':
          await entry.settled;
          break;
        case 'closed':
        case 'failed':
          this.#open(name, entry);
          break;
        case 'deleting':
          throw new ServiceError('collection_deleted');
        case 'creating':
        case undefined:
          throw new ServiceError('collection_not_found', { collection: name });
      }
    }
  }

  #open(name: string, entry: Extract<Entry, { kind: 'closed' | 'failed' }>): void {
    const { clock, entries, releasing } = this.#options;
    // A node of a cluster has passed over what its log brought for the collection meanwhile; only a start brings it level again.
    const mayRetry = releasing !== undefined && entry.kind === 'failed' && clock.monotonicMs() >= entry.retryMs;
    if (entry.kind === 'failed' && !mayRetry) throw unreadable(name, entry.reason);
    const settled = this.#openIn(name, entry);
    entries.set(name, { kind: 'opening', registered: entry.registered, settled });
  }

  /** Resolves with what is to be answered where it fails. */
  async #openIn(name: string, entry: Extract<Entry, { kind: 'closed' | 'failed' }>): Promise<Error | undefined> {
    const { entries } = this.#options;
    const bytes = entry.kind === 'closed' ? entry.collection.memoryBytes : 0;
    let place: Place;
    try {
      place = await this.place({ name, bytes });
    } catch (error) {
      entries.set(name, entry);
      return asError(error);
    }
    using _place = place;
    const opened = await this.#tryOpen(entry.registered, entry.kind === 'closed' ? entry.rates : undefined);
    return opened instanceof Error ? opened : undefined;
  }

  async #tryOpen(registered: RegistryEntry, rates?: BigInt64Array): Promise<CollectionWriter | Error> {
    const { clock, entries, listener, makeWriter, registry, releasing } = this.#options;
    const { name } = registered;
    const startMs = clock.monotonicMs();
    let writer: CollectionWriter;
    try {
      writer = makeWriter(registered, openStorage(registry.path(registered)));
      if (rates !== undefined) writer.gauges.rates.set(rates);
      entries.set(name, { kind: 'live', registered, writer });
      writer.gauges.lastUsedMs = clock.nowMs();
      await listener.event({ kind: 'opened', handle: writer.handle });
      listener.written(name);
      writer.resume();
      releasing?.counts.opened(clock.monotonicMs() - startMs);
    } catch (error) {
      return await this.#fail(registered, error, startMs);
    }
    // What it takes is known now.
    if (releasing !== undefined) await this.makeRoom(0);
    return writer;
  }

  async #fail(registered: RegistryEntry, error: unknown, startMs: number): Promise<Error> {
    const { clock, entries, listener, log, releasing } = this.#options;
    const { name } = registered;
    const reason = reasonOf(error);
    log.error({ collection: name, err: error }, 'collection could not be opened');
    const nowMs = clock.monotonicMs();
    entries.set(name, { kind: 'failed', registered, reason, retryMs: nowMs + (nowMs - startMs) / FAILING_SHARE });
    releasing?.counts.failed();
    await listener.event({ kind: 'failed', name, reason });
    return unreadable(name, reason);
  }

  async #makePlace(wanted: { readonly name: string; readonly bytes: number }, untilMs: number): Promise<Place> {
    const { clock } = this.#options;
    for (;;) {
      const shortage = this.#shortage(wanted);
      if (shortage === undefined) {
        const place = { [Symbol.dispose]: () => void this.#places.delete(place) };
        this.#places.add(place);
        return place;
      }
      if (await this.releaseOne()) continue;
      if (this.#options.releasing === undefined || clock.monotonicMs() >= untilMs) throw shortage;
      await pause(clock, PLACE_LOOK_MS);
    }
  }

  #shortage({ name, bytes }: { readonly name: string; readonly bytes: number }): ServiceError | undefined {
    const { budget, collectionBound, entries } = this.#options;
    let open = this.#places.size;
    for (const { kind } of entries.values()) if (kind === 'live' || kind === 'releasing' || kind === 'deleting') open++;
    if (collectionBound !== undefined && open >= collectionBound.max) return collectionBound.reached();
    // What was accepted once is always loaded, by itself if need be.
    if (bytes === 0 || open === 0 || budget.allows(bytes)) return undefined;
    return new ServiceError('memory_exhausted', { collection: name, limit: budget.limit });
  }

  /** False where it is not at rest. */
  async #release(name: string): Promise<boolean> {
    const { entries, releasing } = this.#options;
    const entry = entries.get(name);
    if (releasing === undefined || entry?.kind !== 'live') return false;
    const description = this.#describe(name, entry);
    if (description === undefined) return false;
    const settled = this.#close(entry, description);
    entries.set(name, { kind: 'releasing', registered: entry.registered, settled });
    await settled;
    releasing.counts.released();
    return true;
  }

  async #close(entry: LiveEntry, description: Description): Promise<undefined> {
    const { clock, entries, listener } = this.#options;
    const { registered, writer } = entry;
    const { collection } = description;
    const rates = writer.gauges.rates.slice();
    try {
      await listener.event({ kind: 'released', collections: [collection] });
      await this.close(entry, description);
      entries.set(registered.name, { kind: 'closed', registered, collection, rates });
    } catch (error) {
      await this.#fail(registered, error, clock.monotonicMs());
    }
  }

  /** Undefined where it must not be closed: something goes on, or its graph lacks points. */
  #describe(name: string, { registered, writer }: LiveEntry): Description | undefined {
    const { log, registry, releasing } = this.#options;
    if (releasing === undefined || !writer.isIdle) return undefined;
    try {
      const data = dataFileState(registry.path(registered));
      const collection = releasing.describe(name, { storageBytes: data.bytes });
      return collection?.info.status === 'green' ? { collection, data } : undefined;
    } catch (error) {
      log.warn({ collection: name, err: error }, 'the collection cannot be summarized and stays open');
      return undefined;
    }
  }

  #isUsed(name: string, { writer: { gauges } }: LiveEntry): boolean {
    return this.#uses.has(name) || gauges.readsRunning > 0 || gauges.writesWaiting > 0;
  }

  #note({ writer }: LiveEntry): void {
    writer.gauges.lastUsedMs = this.#options.clock.nowMs();
  }

  #used(name: string): void {
    const left = (this.#uses.get(name) ?? 0) - 1;
    if (left > 0) this.#uses.set(name, left);
    else this.#uses.delete(name);
  }
}

/** A collection at rest, and the state of its data file that is described. */
export type Description = { readonly collection: ClosedCollection; readonly data: ReturnType<typeof dataFileState> };

export function unreadable(collection: string, reason: string): ServiceError {
  return new ServiceError('collection_unreadable', { collection, reason });
}

function onlyOnce(action: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) action();
    isDone = true;
  };
}
