// SPDX-License-Identifier: Apache-2.0
import { assert } from '@sextant/foundation-std';
import { compiledModule } from './compiled-module.ts';
import type { Datatype, Metric, Quantization, VectorSpaceHandle } from './vector-space.ts';

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
    quantization: number,
    datatype: number,
    releasesVectors: boolean,
  ): void;
  /** Of a new space: the share of components that codes cover. */
  setQuantile(share: number): void;
  /** Of a new space: bits for each component of a query for binary codes. */
  setQueryBits(bits: number): void;
  queryBits(): number;
  attach(): number;
  claimSlot(): number;
  /** Begin and end a reader's epoch. Each search does both; tests call them to stop in between. */
  enter(): void;
  leave(): void;
  detach(): void;
  spaceDimension(): number;
  spaceMetric(): number;
  spaceDatatype(): number;
  vectorStride(): number;
  vectorsAreShifted(): number;
  spaceM(): number;
  spaceQuantization(): number;
  bytesMax(): number;
  bytesUsed(): number;
  bytesWanted(rowBound: number): number;
  rowBound(): number;
  usedBound(): number;
  pendingCount(): number;
  indexedCount(): number;
  deletedCount(): number;
  hasVector(row: number): number;
  rowState(row: number): number;
  queryAddress(): number;
  inputAddress(bytes: number): number;
  answerAddress(): number;
  search(k: number, ef: number, filtered: boolean, filterRows: number, rescored: number, least: number, sure: number): number;
  passingShare(filterRows: number): number;
  scan(k: number, fromRow: number, toRow: number, filtered: boolean): number;
  scanQuantized(k: number, fromRow: number, toRow: number, filtered: boolean, rescored: number, least: number): number;
  scanRowsQuantized(k: number, rowCount: number, rescored: number, least: number): number;
  scanRows(k: number, rowCount: number): number;
  distancesTo(fromRow: number, toRow: number): number;
  scanNewer(k: number, version: number): number;
  vectorAddress(row: number): number;
  spaceReleasesVectors(): number;
  /** Where a new vector of a row goes; 0 where there is no room. */
  placeVector(row: number): number;
  /** An exact answer, made of vectors that the caller offers. */
  beginExact(k: number): number;
  offerExact(row: number, vector: number): void;
  endExact(): number;
  measured(vector: number): number;
  newerRows(version: number, target: number, limit: number): number;
  reserve(rowBound: number): number;
  reserveBlocks(rowBound: number): number;
  publish(row: number, version: number): void;
  remove(row: number): number;
  link(limit: number): number;
  linkBeside(limit: number): number;
  /** For tests: keeps other threads from changing the row's lists. */
  lockList(row: number): void;
  unlockList(row: number): void;
  beginAlone(): void;
  endAlone(): void;
  repair(limit: number): number;
  reclaim(): void;
  isNode(row: number): number;
  nodeLevel(row: number): number;
  linksAddress(row: number, level: number): number;
  entryRow(): number;
  /** Address of the calibration, `calibrationWords` long; 0 in a space without codes. */
  calibrationAddress(): number;
  codesInUse(): number;
  codesOutgrown(): number;
  codesReduced(): number;
  comparedBytes(): number;
  /** Whether codes are being learned or written, which calls of `link` continue. */
  isCalibrating(): number;
  oversampling(): number;
  /** What was learned for the codes beside their calibration: address, size, and room for it; address and room may be 0. */
  learnedAddress(): number;
  learnedBytes(): number;
  takeLearned(): number;
  /** Address of the findings about it, `findingsWords` long. */
  findingsAddress(): number;
  chance(): number;
  setChance(chance: number): void;
  blockStart(block: number): number;
  bytesOfBlock(): number;
  rowsOfBlock(): number;
  /** Offsets within a block of the end of its codes and of the end of the room for them. */
  codesEnd(): number;
  codesRoomEnd(): number;
  /** Offset within a block of the addresses of upper links, one word for each row. */
  uppersStart(): number;
  uppersBytes(block: number): number;
  packUppers(block: number, target: number): void;
  takeBlock(block: number, rowBound: number, uppers: number, uppersBytes: number): number;
  hasSoundLinks(): number;
  clearBlocks(): void;
  recall(from: number, to: number): void;
  adopt(row: number, version: number): void;
  finishLoad(entry: number): void;
  /** For tests, which compare these with the reference implementation. */
  encodeRow(row: number): void;
  codeAddress(row: number): number;
  codeNearness(a: number, b: number): number;
  codeNearnessOfFour(from: number, a: number, b: number, c: number, d: number, lane: number): number;
  setExcesses(projector: number, directions: number): void;
  nearestCentroid(width: number, point: number, codebook: number): number;
  trainingBytes(count: number, width: number): number;
  train(width: number, sample: number, count: number, codebook: number, scratch: number): void;
  rotate(values: number, count: number, seed: number): void;
  finishBinaryCodebook(codebook: number, seed: number): void;
  /** Writes a vector as a query for binary codes. `setLaidOut` names it to `binaryOrder`, with the address of its own code. */
  layOutBinary(vector: number, codebook: number, point: number, bits: number): void;
  setLaidOut(point: number, code: number): void;
  binaryOrder(from: number, to: number): number;
  productOrder(width: number, codebook: number, point: number, code: number, bytes: number): number;
};

/** In use, scale and offset (both float32), live rows at the last calibration, rows linked since. */
export const calibrationWords = 5;
/**
 * Mean squared error (float32) or bytes of a reduced code; whether rows wait for their code; rows to rescore for each wanted one, or the
 * error of reduced codes.
 */
export const findingsWords = 3;

// The order is the kernel's numbering.
export const metrics: readonly Metric[] = ['dot', 'euclid', 'manhattan', 'cosine'];
export const datatypes: readonly Datatype[] = ['float32', 'float16', 'uint8'];

/**
 * The numbers of the kinds in the kernel and in saved graphs. 2 was a kind that no longer exists; its graphs are recognised as long as no
 * other kind has its number.
 */
export const quantizationNumbers: Readonly<Record<Quantization, number>> = {
  none: 0,
  int8: 1,
  'product-x4': 3,
  'product-x8': 4,
  'product-x16': 5,
  'product-x32': 6,
  'product-x64': 7,
  binary: 8,
  'binary-1.5': 9,
  'binary-2': 10,
  reduced: 11,
};

let compiled: WebAssembly.Module | undefined;

/** The compiled kernel, one for each thread; other threads take the module of a handle. */
export function loadKernel(): WebAssembly.Module {
  compiled ??= compiledModule(new URL('../kernel.wasm', import.meta.url));
  return compiled;
}

/** This thread's instance over the memory of a space. */
export function instantiate(handle: VectorSpaceHandle): KernelExports {
  const instance = new WebAssembly.Instance(handle.module, { env: { memory: handle.memory } });
  // WebAssembly exports have no types of their own; every test of the kernel exercises this list.
  return instance.exports as unknown as KernelExports;
}

/** An instance whose memory holds a space. */
export function attachKernel(handle: VectorSpaceHandle): KernelExports {
  const kernel = instantiate(handle);
  assert(kernel.attach(), 'the memory of the handle holds a vector space');
  return kernel;
}
