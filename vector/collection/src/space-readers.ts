/**
 * A thread's read access to the spaces of one collection, shared by the views that follow each other when only the configuration
 * changes: reader slots of a space are few, and a view lives as long as its longest read.
 */
import { attachReader, type SpaceReader, type VectorSpaceHandle } from '@sextant/vector-kernel';

export class SpaceReaders {
  /** By the space's ordinal. */
  readonly all: readonly SpaceReader[];
  readonly generation: number;
  #users = 1;

  constructor({ spaces, spacesGeneration }: { spaces: readonly VectorSpaceHandle[]; spacesGeneration: number }) {
    this.all = spaces.map((space) => attachReader(space));
    this.generation = spacesGeneration;
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
