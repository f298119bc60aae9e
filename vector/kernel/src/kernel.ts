import { readFileSync } from 'node:fs';
import { assert } from '@sextant/foundation-std';
import type { Metric, VectorSpaceHandle } from './vector-space.ts';

/** The functions of the WebAssembly module. Addresses come back as signed 32-bit integers: read them with `>>> 0`. */
export type KernelExports = {
  format(
    dimension: number,
    metric: number,
    m: number,
    efConstruct: number,
    seed: number,
    bytesMax: number,
    pages: number,
    quantized: boolean,
  ): void;
  attach(): number;
  claimSlot(): number;
  /** Begins and ends what a reader may see; each search does both, so these are for tests that stop in between. */
  enter(): void;
  leave(): void;
  detach(): void;
  spaceDimension(): number;
  spaceMetric(): number;
  spaceM(): number;
  bytesMax(): number;
  bytesUsed(): number;
  rowBound(): number;
  pendingCount(): number;
  indexedCount(): number;
  deletedCount(): number;
  hasVector(row: number): number;
  rowState(row: number): number;
  queryAddress(): number;
  inputAddress(bytes: number): number;
  answerAddress(): number;
  search(k: number, ef: number, filtered: boolean, filterRows: number, rescored: number): number;
  passingShare(filterRows: number): number;
  scan(k: number, fromRow: number, toRow: number, filtered: boolean): number;
  sweep(k: number, fromRow: number, toRow: number, filtered: boolean, rescored: number): number;
  scanRows(k: number, rowCount: number): number;
  scanNewer(k: number, version: number): number;
  vectorAddress(row: number): number;
  reserve(rowBound: number): number;
  publish(row: number, version: number): void;
  remove(row: number): number;
  link(limit: number): number;
  linkBeside(limit: number): number;
  beginAlone(): void;
  endAlone(): void;
  repair(limit: number): number;
  reclaim(): void;
  isNode(row: number): number;
  nodeLevel(row: number): number;
  nodeVersion(row: number): number;
  linksAddress(row: number, level: number): number;
  entryRow(): number;
  /** Where the calibration of the codes is, `calibrationWords` long; 0 in a space without codes. */
  calibrationAddress(): number;
  codesInUse(): number;
  chance(): number;
  setChance(chance: number): void;
  loadNode(row: number, level: number, version: number): number;
  unloadNodes(): void;
  adopt(row: number, version: number): void;
  finishLoad(entry: number): void;
  /** These four are for tests, which hold them against the twin. */
  encodeRow(row: number): void;
  codeAddress(row: number): number;
  codeNearness(a: number, b: number): number;
  codeNearnessOfFour(from: number, a: number, b: number, c: number, d: number, lane: number): number;
};

/** In use, scale and offset (both float32), live rows at the last calibration, rows linked since. */
export const calibrationWords = 5;

/** The order is the kernel's numbering. */
export const metrics: readonly Metric[] = ['dot', 'euclid', 'manhattan'];

let compiled: WebAssembly.Module | undefined;

/** The compiled kernel, once for a thread; other threads take the module of a handle. */
export function loadKernel(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(readKernel());
  return compiled;
}

function readKernel(): Uint8Array {
  const url = new URL('../kernel.wasm', import.meta.url);
  try {
    return readFileSync(url);
  } catch (cause) {
    throw new Error('vector/kernel/kernel.wasm is missing; `node vector/kernel/build.mjs` makes it', { cause });
  }
}

/** This thread's instance over a space's memory. */
export function instantiate(handle: VectorSpaceHandle): KernelExports {
  const instance = new WebAssembly.Instance(handle.module, { env: { memory: handle.memory } });
  // The module's exports have no types of their own; the conformance of this list is what every test of the kernel exercises.
  return instance.exports as unknown as KernelExports;
}

/** An instance whose memory holds a space. */
export function attachKernel(handle: VectorSpaceHandle): KernelExports {
  const kernel = instantiate(handle);
  assert(kernel.attach(), 'the memory of the handle holds a vector space');
  return kernel;
}
