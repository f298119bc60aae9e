// SPDX-License-Identifier: Apache-2.0
/** A thread that helps to build the kernel's graph, from its start signal until its stop signal. */
import { parentPort, workerData } from 'node:worker_threads';
import { attachLinker, type VectorSpaceHandle } from '@sextant/vector-kernel';
import { LINKING } from './linker-phases.ts';

const ROWS_PER_STEP = 1000;
const PAUSE_MS = 0.2;

// What `openKernel` gives it.
const { handle, phase }: { handle: VectorSpaceHandle; phase: Int32Array } = workerData;
const linker = attachLinker(handle);
parentPort?.postMessage('ready');
Atomics.wait(phase, 0, 0);
while (Atomics.load(phase, 0) === LINKING) {
  // While the indexer is alone there is nothing to do, and to ask again and again would count as work.
  if (linker.link(ROWS_PER_STEP) === 0) Atomics.wait(phase, 0, LINKING, PAUSE_MS);
}
linker.detach();
