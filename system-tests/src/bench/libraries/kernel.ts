/** Our own kernel, with what it chooses by itself for the dimension. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { attachIndexer, createVectorSpace } from '@sextant/vector-kernel';
import { vectorAt } from '../data-sets/data-set.ts';
import { LIMIT } from '../data-sets/truth.ts';
import { type Library, type LibraryOptions, M } from './library.ts';
import { DONE, LINKING } from './linker-phases.ts';

const ROWS_PER_STEP = 1000;

export function openKernel({ dimension, metric, efConstruct, threads }: LibraryOptions): Library {
  const space = createVectorSpace({ dimension, metric: metric === 'Euclid' ? 'euclid' : 'dot', m: M, efConstruct, seed: 1 });
  const indexer = attachIndexer(space.handle);
  const phase = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  const linkers = Array.from({ length: threads - 1 }, () => {
    return new Worker(new URL('./linker-thread.ts', import.meta.url), { workerData: { handle: space.handle, phase } });
  });
  const enter = (next: number) => {
    Atomics.store(phase, 0, next);
    Atomics.notify(phase, 0);
  };
  let ef = LIMIT;
  return {
    ready: Promise.all(linkers.map((linker) => once(linker, 'message'))),
    add: (firstId, values) => {
      for (let row = 0; row * dimension < values.length; row++) space.put(firstId + row, vectorAt(values, row, dimension), 1);
    },
    finish: async () => {
      enter(LINKING);
      while (space.pendingCount > 0) {
        indexer.link(ROWS_PER_STEP);
        indexer.reclaim();
      }
      const exited = linkers.map((linker) => once(linker, 'exit'));
      enter(DONE);
      await Promise.all(exited);
    },
    widen: (width) => {
      ef = width;
    },
    search: (query) => Array.from(space.search(query, { k: LIMIT, ef }).rows),
  };
}
