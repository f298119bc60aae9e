import { assert } from '@sextant/foundation-std';
import { attachKernel, type KernelExports } from './kernel.ts';
import { MemoryView } from './memory-view.ts';
import { encodeGraph } from './saved-graph.ts';
import { SpaceFullError, type SpaceIndexer, type VectorSpaceHandle } from './vector-space.ts';

/** Gives one thread the right to change the graph. A second indexer of the same space would break it. */
export function attachIndexer(handle: VectorSpaceHandle): SpaceIndexer {
  return new KernelIndexer(handle);
}

class KernelIndexer implements SpaceIndexer {
  readonly #kernel: KernelExports;
  readonly #view: MemoryView;

  constructor(handle: VectorSpaceHandle) {
    this.#kernel = attachKernel(handle);
    this.#view = new MemoryView(handle.memory);
  }

  get deletedCount(): number {
    return this.#kernel.deletedCount();
  }

  deletedShare(): number {
    const deleted = this.deletedCount;
    return deleted === 0 ? 0 : deleted / (deleted + this.#kernel.indexedCount());
  }

  link(limit: number): number {
    assertLimit(limit);
    const linked = this.#kernel.link(limit);
    if (linked < 0) throw noRoomForWork();
    return linked;
  }

  repair(limit: number): boolean {
    assertLimit(limit);
    const complete = this.#kernel.repair(limit);
    if (complete < 0) throw noRoomForWork();
    return complete !== 0;
  }

  reclaim(): void {
    this.#kernel.reclaim();
  }

  saveGraph(): Uint8Array {
    return encodeGraph(this.#kernel, this.#view);
  }
}

function assertLimit(limit: number): void {
  assert(Number.isInteger(limit) && limit >= 1 && limit < 2 ** 31, 'limit is a positive 32-bit integer');
}

function noRoomForWork(): SpaceFullError {
  return new SpaceFullError('the memory bound of the vector space leaves no room to work on the graph');
}
