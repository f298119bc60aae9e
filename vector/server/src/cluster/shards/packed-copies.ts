// SPDX-License-Identifier: Apache-2.0
/**
 * Copies of collections and shards that other nodes fetch, on the writer. A copy is packed into a draft of the snapshots folder, from where any thread gives out pieces of it,
 * and goes when the node that asked for it says so, or asks for it no more.
 */
import { basename } from 'node:path';
import { ServiceError } from '@sextant/contracts-vector';
import type { Clock, Timer } from '@sextant/foundation-std';
import type { PackedCollection, Snapshots } from '@sextant/vector-collection';
import type { CopyQuestion, CopyState } from './question.ts';

export type PackedCopiesOptions = {
  readonly snapshots: Pick<Snapshots, 'pack'>;
  /** Resolves when this node has everything up to a position of the log. */
  readonly reached: (position: number) => Promise<void>;
  readonly clock: Clock;
};

type Copy = {
  readonly packing: Promise<PackedCollection>;
  packed: PackedCollection | undefined;
  failure: Error | undefined;
  expiry: Timer;
};

/** Of all nodes together; each takes as much room as its shard. */
const COPIES_MAX = 4;
const RETRY_SECONDS = 30;
/** A node asks again and again while it fetches; one that has died does not. */
const SILENT_MS_MAX = 30_000;

export class PackedCopies {
  readonly #options: PackedCopiesOptions;
  readonly #copies = new Map<string, Copy>();

  constructor(options: PackedCopiesOptions) {
    this.#options = options;
  }

  /** @throws what the packing failed with; another token tries again */
  make({ collection, token, atLeast }: Extract<CopyQuestion, { readonly copy: 'make' }>): CopyState {
    const copy = this.#copies.get(token) ?? this.#begin(collection, token, atLeast);
    copy.expiry.cancel();
    copy.expiry = this.#expiry(token);
    if (copy.failure !== undefined) {
      void this.end(token);
      throw copy.failure;
    }
    if (copy.packed === undefined) return { isReady: false };
    const { draft, bytes } = copy.packed;
    return { isReady: true, draft: basename(draft.directory), bytes };
  }

  async end(token: string): Promise<void> {
    const copy = this.#copies.get(token);
    if (copy === undefined) return;
    this.#copies.delete(token);
    copy.expiry.cancel();
    const packed = await copy.packing.catch(() => undefined);
    await packed?.draft[Symbol.asyncDispose]();
  }

  async close(): Promise<void> {
    await Promise.all([...this.#copies.keys()].map((token) => this.end(token)));
  }

  #begin(collection: string, token: string, atLeast: number): Copy {
    const { reached, snapshots } = this.#options;
    if (this.#copies.size >= COPIES_MAX) throw new ServiceError('snapshots_busy', { seconds: RETRY_SECONDS });
    const packing = reached(atLeast).then(() => snapshots.pack(collection));
    const copy: Copy = { packing, packed: undefined, failure: undefined, expiry: this.#expiry(token) };
    packing.then(
      (packed) => {
        copy.packed = packed;
      },
      (error: unknown) => {
        copy.failure = error instanceof Error ? error : new Error(String(error));
      },
    );
    this.#copies.set(token, copy);
    return copy;
  }

  #expiry(token: string): Timer {
    return this.#options.clock.after(SILENT_MS_MAX, () => void this.end(token)).unref();
  }
}
