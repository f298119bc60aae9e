// SPDX-License-Identifier: Apache-2.0
/**
 * A thread's read access to the spaces of one collection. Views that follow each other share the readers of spaces that stay: reader slots of a space
 * are few, and a view lives as long as its longest read.
 */
import { type Originals, ShardedSpaceReader } from '@sextant/vector-kernel';
import type { StorageReader } from '@sextant/vector-storage';
import type { CollectionHandle } from '../../model/collection-handle.ts';

type SharedReader = { readonly generation: number; readonly reader: ShardedSpaceReader; users: number };

export class SpaceReaders {
  /** By the space's ordinal. */
  readonly #readers: ReadonlyMap<number, SharedReader>;

  /**
   * @param storage where vectors are read from that are not in memory, as its snapshot at that moment has them
   * @param former of the view before, whose spaces may be the same
   */
  constructor(
    { spaces }: Pick<CollectionHandle, 'spaces'>,
    storage: Pick<StorageReader, 'passingVector' | 'vectors'>,
    former?: SpaceReaders,
  ) {
    const readers = new Map<number, SharedReader>();
    for (const [ordinal, { generation, space }] of spaces) {
      const known = former === undefined ? undefined : former.#readers.get(ordinal);
      if (known?.generation === generation) {
        known.users++;
        readers.set(ordinal, known);
        continue;
      }
      const originals: Originals = {
        vector: (row) => storage.passingVector(ordinal, row),
        vectors: (rows) => storage.vectors(ordinal, rows),
      };
      readers.set(ordinal, { generation, reader: new ShardedSpaceReader(space, originals), users: 1 });
    }
    this.#readers = readers;
  }

  of(ordinal: number): ShardedSpaceReader | undefined {
    return this.#readers.get(ordinal)?.reader;
  }

  get all(): readonly ShardedSpaceReader[] {
    return [...this.#readers.values()].map(({ reader }) => reader);
  }

  /** Takes in what shards a later handle of the same spaces has more; reads that run see them too. */
  grow({ spaces }: Pick<CollectionHandle, 'spaces'>): void {
    for (const [ordinal, { generation, space }] of spaces) {
      const known = this.#readers.get(ordinal);
      if (known?.generation === generation) known.reader.attachMissing(space);
    }
  }

  /** The last user of a space releases its slots and scratch memory. */
  release(): void {
    for (const shared of this.#readers.values()) {
      shared.users--;
      if (shared.users === 0) shared.reader.detach();
    }
  }
}
