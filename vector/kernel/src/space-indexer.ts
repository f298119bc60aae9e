// SPDX-License-Identifier: Apache-2.0
import { assert } from '@sextant/foundation-std';
import { attachKernel, type KernelExports } from './kernel.ts';
import { MemoryView } from './memory-view.ts';
import { writeGraph } from './saved-graph.ts';
import { type GraphSink, SpaceFullError, type SpaceIndexer, type SpaceLinker, type VectorSpaceHandle } from './vector-space.ts';

/** Lets one thread change the graph. A second indexer of the same space would break it; linkers may join it. */
export function attachIndexer(handle: VectorSpaceHandle): SpaceIndexer {
  return new KernelIndexer(handle);
}

/** Lets this thread help the indexer of a space. It takes one of the 64 reader slots. */
export function attachLinker(handle: VectorSpaceHandle): SpaceLinker {
  const kernel = attachKernel(handle);
  assert(kernel.claimSlot(), 'no more than 64 readers are attached to a vector space');
  return {
    link: (limit) => {
      assertLimit(limit);
      return checkLinked(kernel.linkBeside(limit));
    },
    detach: () => kernel.detach(),
  };
}

class KernelIndexer implements SpaceIndexer {
  readonly #kernel: KernelExports;
  readonly #view: MemoryView;

  constructor(handle: VectorSpaceHandle) {
    this.#kernel = attachKernel(handle);
    this.#view = new MemoryView(handle.memory);
  }

  get indexedCount(): number {
    return this.#kernel.indexedCount();
  }

  get pendingCount(): number {
    return this.#kernel.pendingCount();
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
    return checkLinked(this.#kernel.link(limit));
  }

  get isCalibrating(): boolean {
    return this.#kernel.isCalibrating() !== 0;
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

  detach(): void {
    this.#kernel.detach();
  }

  saveGraph(sink: GraphSink, { sequence }: { sequence: number }): void {
    this.#kernel.beginAlone();
    try {
      writeGraph(this.#kernel, this.#view, sink, sequence);
    } finally {
      this.#kernel.endAlone();
    }
  }
}

function assertLimit(limit: number): void {
  assert(Number.isInteger(limit) && limit >= 1 && limit < 2 ** 31, 'limit is a positive 32-bit integer');
}

function checkLinked(linked: number): number {
  if (linked < 0) throw noRoomForWork();
  return linked;
}

function noRoomForWork(): SpaceFullError {
  return new SpaceFullError('the memory bound of the vector space leaves no room to work on the graph');
}
