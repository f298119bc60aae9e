/**
 * A thread's read access to the spaces of one collection, shared by the views that follow each other when only the configuration
 * changes: reader slots of a space are few, and a view lives as long as its longest read.
 */
import { type ShardedSpaceHandle, ShardedSpaceReader } from '@sextant/vector-kernel';
import type { StorageReader } from '@sextant/vector-storage';

export type SpaceHandles = { readonly spaces: readonly ShardedSpaceHandle[]; readonly spacesGeneration: number };

export class SpaceReaders {
  /** By the space's ordinal. */
  readonly all: readonly ShardedSpaceReader[];
  readonly generation: number;
  #users = 1;

  /** @param storage where vectors are read from that are not in memory, as its snapshot at that moment has them */
  constructor({ spaces, spacesGeneration }: SpaceHandles, storage: Pick<StorageReader, 'passingVector' | 'vectors'>) {
    this.all = spaces.map(
      (space, ordinal) =>
        new ShardedSpaceReader(space, {
          vector: (row) => storage.passingVector(ordinal, row),
          vectors: (rows) => storage.vectors(ordinal, rows),
        }),
    );
    this.generation = spacesGeneration;
  }

  /** Takes in what shards a later handle of the same generation has more; reads that run see them too. */
  grow({ spaces, spacesGeneration }: SpaceHandles): void {
    if (spacesGeneration !== this.generation) return;
    for (const [ordinal, space] of spaces.entries()) this.all[ordinal]?.attachMissing(space);
  }

  share(): this {
    this.#users++;
    return this;
  }

  /** The last one to let go gives the slots and the scratch memory back. */
  release(): void {
    this.#users--;
    if (this.#users > 0) return;
    for (const reader of this.all) reader.detach();
  }
}
