/** What one thread tells another about a collection: everything needed to read it, nothing copied but the configuration. */
import type { VectorSpaceHandle } from '@sextant/vector-kernel';
import type { CollectionConfig } from './collection-config.ts';
import type { FieldIndex } from './field-index/schema.ts';

export type CollectionHandle = {
  readonly name: string;
  /** Directory of its storage and its saved graphs. */
  readonly directory: string;
  readonly config: CollectionConfig;
  readonly fieldIndexes: readonly FieldIndex[];
  /** By the space's ordinal. */
  readonly spaces: readonly VectorSpaceHandle[];
  /** Grows when the spaces are built afresh. */
  readonly spacesGeneration: number;
  /** Shared counters; see `CollectionGauges`. */
  readonly gauges: SharedArrayBuffer;
};

const WRITES_WAITING = 0;
const INDEXER_FAILED = 1;
const MEMORY_SEQUENCE = 2;
/** From here on one for each space, by its ordinal. */
const ROWS_LINKED = 3;

/** Counters that the writer, the indexer and the linkers keep for all threads. */
export class CollectionGauges {
  readonly #words: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new BigInt64Array(shared);
  }

  static allocate({ spaces }: { spaces: number }): SharedArrayBuffer {
    return new SharedArrayBuffer((ROWS_LINKED + spaces) * BigInt64Array.BYTES_PER_ELEMENT);
  }

  get writesWaiting(): number {
    return Number(Atomics.load(this.#words, WRITES_WAITING));
  }

  addWritesWaiting(count: number): void {
    Atomics.add(this.#words, WRITES_WAITING, BigInt(count));
  }

  get indexerFailed(): boolean {
    return Atomics.load(this.#words, INDEXER_FAILED) === 1n;
  }

  set indexerFailed(failed: boolean) {
    Atomics.store(this.#words, INDEXER_FAILED, failed ? 1n : 0n);
  }

  /** The last operation whose vectors are in memory; it follows the storage's sequence. */
  get memorySequence(): number {
    return Number(Atomics.load(this.#words, MEMORY_SEQUENCE));
  }

  set memorySequence(sequence: number) {
    Atomics.store(this.#words, MEMORY_SEQUENCE, BigInt(sequence));
  }

  /** Rows that were linked into the graph of a space, by all threads, since the collection was opened. */
  rowsLinked(ordinal: number): number {
    return Number(Atomics.load(this.#words, ROWS_LINKED + ordinal));
  }

  addRowsLinked(ordinal: number, count: number): void {
    if (count > 0) Atomics.add(this.#words, ROWS_LINKED + ordinal, BigInt(count));
  }
}

/** What happens to collections, in the order in which it happens; the writer thread tells every other thread. */
export type CatalogEvent =
  | { readonly kind: 'opened'; readonly handle: CollectionHandle }
  | { readonly kind: 'changed'; readonly handle: CollectionHandle }
  /** Something of the collection, such as a field index, is about to go; readers that still use it end before they confirm. */
  | { readonly kind: 'withdrawing'; readonly handle: CollectionHandle }
  /** The collection is not to be touched any more; readers close it before they confirm. */
  | { readonly kind: 'deleting'; readonly name: string }
  | { readonly kind: 'deleted'; readonly name: string }
  /** The collection could not be opened; `reason` is for its users. */
  | { readonly kind: 'failed'; readonly name: string; readonly reason: string };

/** Whether the writer waits until every thread has finished with what the event ends; everything else is known before a thread's next read. */
export function endsSomething({ kind }: CatalogEvent): boolean {
  return kind === 'deleting' || kind === 'withdrawing';
}
