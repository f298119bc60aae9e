/** Our own kernel, with what it chooses by itself for the dimension. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { attachIndexer, createVectorSpace } from '@sextant/vector-kernel';
import { vectorAt } from '../data-sets/data-set.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { type Library, type LibraryOptions, M } from './library.ts';

const ROWS_PER_STEP = 1000;

export function openKernel({ dimension, metric, efConstruct, threads }: LibraryOptions): Library {
  const space = createVectorSpace({ dimension, metric: metric === 'Euclid' ? 'euclid' : 'dot', m: M, efConstruct, seed: 1 });
  const indexer = attachIndexer(space.handle);
  let ef = LIMIT;
  return {
    add: (firstId, values) => {
      for (let row = 0; row * dimension < values.length; row++) space.put(firstId + row, vectorAt(values, row, dimension), 1);
    },
    finish: async () => {
      const stop = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      const linkers = Array.from({ length: threads - 1 }, () => {
        return new Worker(new URL('./linker-thread.ts', import.meta.url), { workerData: { handle: space.handle, stop } });
      });
      await Promise.all(linkers.map((linker) => once(linker, 'message')));
      while (space.pendingCount > 0) {
        indexer.link(ROWS_PER_STEP);
        indexer.reclaim();
      }
      const exited = linkers.map((linker) => once(linker, 'exit'));
      Atomics.store(stop, 0, 1);
      await Promise.all(exited);
    },
    widen: (width) => {
      ef = width;
    },
    search: (query) => Array.from(space.search(query, { k: LIMIT, ef }).rows),
  };
}
