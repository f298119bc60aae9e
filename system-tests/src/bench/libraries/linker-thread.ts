/** A thread that helps to build the kernel's graph until it is told to stop. */
import { parentPort, workerData } from 'node:worker_threads';
import { attachLinker, type VectorSpaceHandle } from '@sextant/vector-kernel';

const ROWS_PER_STEP = 1000;

// What `openKernel` gives it.
const { handle, stop }: { handle: VectorSpaceHandle; stop: Int32Array } = workerData;
const linker = attachLinker(handle);
parentPort?.postMessage('ready');
while (Atomics.load(stop, 0) === 0) linker.link(ROWS_PER_STEP);
linker.detach();
