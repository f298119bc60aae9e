// SPDX-License-Identifier: Apache-2.0
/** Our own kernel, with what it chooses by itself for the dimension and for where vectors are. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { attachIndexer, attachReader, type Components, createVectorSpace, type Datatype } from '@sextant/vector-kernel';
import { vectorAt } from '../data-sets/data-set.ts';
import { openOriginals } from '../data-sets/file-originals.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { KERNEL_OF_BYTES, KERNEL_OF_HALVES, KERNEL_ON_DISK, type KernelName, type Library, type LibraryOptions, M } from './library.ts';
import { DONE, LINKING } from './linker-phases.ts';

const ROWS_PER_STEP = 1000;
const DATATYPES: { readonly [Name in KernelName]?: Datatype } = { [KERNEL_OF_HALVES]: 'float16', [KERNEL_OF_BYTES]: 'uint8' };

export function openKernel(name: KernelName, { points, metric, efConstruct, threads }: LibraryOptions): Library {
  const { dimension } = points;
  const datatype = DATATYPES[name] ?? 'float32';
  const isOnDisk = name === KERNEL_ON_DISK;
  const space = createVectorSpace({
    dimension,
    metric: metric === 'Euclid' ? 'euclid' : 'dot',
    m: M,
    efConstruct,
    seed: 1,
    datatype,
    vectors: isOnDisk ? 'released' : 'kept',
  });
  const indexer = attachIndexer(space.handle);
  const reader = isOnDisk ? attachReader(space.handle, openOriginals(points)) : space;
  // One for all: a space copies what it is given, and what many leave behind would count as its memory.
  const narrowed = datatype === 'float16' ? new Float16Array(dimension) : datatype === 'uint8' ? new Uint8Array(dimension) : undefined;
  const stored = (vector: Float32Array): Components => {
    narrowed?.set(vector);
    return narrowed ?? vector;
  };
  const phase = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const linkers = Array.from({ length: threads - 1 }, () => {
    return new Worker(new URL('./linker-thread.ts', import.meta.url), { workerData: { handle: space.handle, phase } });
  });
  const enter = (next: number) => {
    Atomics.store(phase, 0, next);
    Atomics.notify(phase, 0);
  };
  const link = () => {
    while (space.pendingCount > 0) {
      indexer.link(ROWS_PER_STEP);
      indexer.reclaim();
    }
    indexer.reclaim();
  };
  let ef = LIMIT;
  return {
    ready: Promise.all(linkers.map((linker) => once(linker, 'message'))),
    add: (firstId, values) => {
      for (let row = 0; row * dimension < values.length; row++) space.put(firstId + row, stored(vectorAt(values, row, dimension)), 1);
      // Memory is to hold no more vectors than wait for the graph.
      if (isOnDisk) link();
    },
    finish: async () => {
      enter(LINKING);
      link();
      const exited = linkers.map((linker) => once(linker, 'exit'));
      enter(DONE);
      await Promise.all(exited);
    },
    widen: (width) => {
      ef = width;
    },
    search: (query) => Array.from(reader.search(stored(query), { k: LIMIT, ef }).rows),
  };
}
