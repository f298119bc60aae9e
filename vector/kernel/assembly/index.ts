// SPDX-License-Identifier: Apache-2.0
/** The functions that TypeScript calls. Addresses and counts are 32-bit integers. */
import { codebookBytes } from './codes/encoding/codebook';
import { reducerBytes } from './codes/reduced/reduced-codes';
import { codeOrder, codeOrders, setQueryCode } from './distance/code-distance';
import { REUSING_BLOCKS, allocate } from './memory/allocator';
import {
  BLOCK_COUNT, BREAK, BYTES_MAX, CHANCE, CODEBOOK, CODEBOOK_ERROR, CODES, GRAPH_LIVE_COUNT, METRIC, OUTGROWN, OVERSAMPLING, PENDING_COUNT,
  QUANTILE, QUANTIZATION, QUERY_BITS, REDUCED, REDUCER, ROOM_WRITTEN, ROW_BOUND, TOMBSTONE_COUNT, baseLinksOf, blockAddress, blockBytes,
  blockMask, blockShift, codeOf, codeStride, datatype, dimension, hasCodebook, isInGraph, isReduced, isReducible, isShifted, levelOf,
  linksMax, linksOf, readCodeLayout, releasesVectors, stride, upperOf, vectorOf,
} from './memory/layout';
import { prepareWalk, queryCode, releaseWorkspace } from './memory/workspace';
import { rowState } from './rows/rows';
import { releaseSlot } from './threads/epochs';

export { attach, format } from './memory/layout';
export { claimSlot, enter, leave } from './threads/epochs';
export { placeVector } from './rows/originals';
export { beginExact, distancesTo, endExact, measured, newerRows, offerExact, scan, scanNewer, scanRows } from './search/exact';
export { answerAddress, inputAddress, passingShare, queryAddress, search } from './search/search';
export { scanQuantized, scanRowsQuantized } from './search/quantized-scan';
export { bytesWanted, hasVector, publish, remove, reserve, reserveBlocks, rowState, usedBound } from './rows/rows';
export { encodeRow } from './codes/encoding/encode-row';
export { finishBinaryCodebook, layOutBinary } from './codes/binary/binary-codes';
export { binaryOrder, setLaidOut } from './codes/binary/binary-distance';
export { rotate } from './codes/binary/binary-rotate';
export { setExcesses } from './codes/reduced/projection';
export { nearestCentroid } from './codes/product/product-assign';
export { isCalibrating } from './calibration/calibrate-codebook';
export { productOrder } from './codes/product/product-distance';
export { train, trainingBytes } from './codes/product/product-train';
export { link, linkBeside } from './graph/link';
export { beginAlone, endAlone, lockList, unlockList } from './threads/locks';
export { repair } from './graph/repair';
export { reclaim } from './graph/reclaim';
export { entryRow } from './graph/entry';
export { packUppers, uppersBytes } from './graph/save';
export { adopt, clearBlocks, finishLoad, hasSoundLinks, recall, setChance, takeBlock } from './graph/load';

export function spaceDimension(): u32 { return dimension; }
export function spaceMetric(): u32 { return load<u32>(METRIC); }
export function spaceDatatype(): u32 { return datatype; }
/** Bytes of a vector in memory, and whether its bytes are shifted. */
export function vectorStride(): u32 { return stride; }
export function vectorsAreShifted(): bool { return isShifted; }
export function spaceM(): u32 { return linksMax; }
export function spaceQuantization(): u32 { return load<u32>(QUANTIZATION); }
export function bytesMax(): u32 { return load<u32>(BYTES_MAX); }
export function rowBound(): u32 { return atomic.load<u32>(ROW_BOUND); }
export function pendingCount(): u32 { return atomic.load<u32>(PENDING_COUNT); }
export function indexedCount(): u32 { return atomic.load<u32>(GRAPH_LIVE_COUNT); }
export function deletedCount(): u32 { return atomic.load<u32>(TOMBSTONE_COUNT); }
/** Without the room that short codes leave unwritten: the operating system has not allocated it. */
export function bytesUsed(): u32 {
  const left = load<u32>(ROOM_WRITTEN) != 0 ? 0 : codesRoomEnd() - codesEnd();
  return atomic.load<u32>(BREAK) - (atomic.load<u32>(BLOCK_COUNT) - load<u32>(REUSING_BLOCKS)) * left;
}
export function chance(): u32 { return load<u32>(CHANCE); }

export function setQuantile(share: f32): void { store<f32>(QUANTILE, share); }
export function setQueryBits(bits: u32): void { store<u32>(QUERY_BITS, bits); }
export function queryBits(): u32 { return load<u32>(QUERY_BITS); }
/** Address of the calibration, five words; 0 in a space without codes. */
export function calibrationAddress(): usize { return codeStride != 0 ? CODES : 0; }
/** Bytes that a search reads of each row: its code, or its vector where codes are not in use. */
export function comparedBytes(): u32 {
  readCodeLayout();
  return codesInUse() ? codeStride : stride;
}
export function codesOutgrown(): bool { return atomic.load<u32>(OUTGROWN) != 0; }
export function codesInUse(): bool { return atomic.load<u32>(CODES) != 0; }
export function codesReduced(): bool { return codesInUse() && isReducible && load<u32>(REDUCED) != 0; }
/** Rows that a search rescores for each wanted row; 0 where the space has neither product nor binary codes. */
export function oversampling(): u32 { return hasCodebook ? load<u32>(OVERSAMPLING) : 0; }
function learnedSlot(): usize { return hasCodebook ? CODEBOOK : REDUCER; }
/**
 * What was learned beside the calibration: the codebook of product or binary codes, or the projector of reduced codes. Its address is 0
 * before that.
 */
export function learnedAddress(): usize { return load<u32>(learnedSlot()); }
export function learnedBytes(): u32 {
  readCodeLayout();
  return hasCodebook ? codebookBytes() : isReduced ? reducerBytes(codeStride) : 0;
}
/** Makes room for what was learned. Returns its address, or 0 where there is no room. */
export function takeLearned(): usize {
  store<u32>(learnedSlot(), <u32>allocate(learnedBytes()));
  return load<u32>(learnedSlot());
}
/** Address of the findings about what was learned, three words. */
export function findingsAddress(): usize { return hasCodebook ? CODEBOOK_ERROR : REDUCED; }
export function codeAddress(row: u32): usize {
  readCodeLayout();
  return codeOf(row);
}
export function codeNearness(a: u32, b: u32): u32 { return codeOrder(codeOf(a), codeOf(b)); }
/** The nearness of four rows to one, computed as in a walk; one of them is returned. */
export function codeNearnessOfFour(from: u32, a: u32, b: u32, c: u32, d: u32, lane: u32): u32 {
  prepareWalk(0, false);
  setQueryCode(codeOf(from), queryCode);
  return laneOf(codeOrders(codeOf(a), codeOf(b), codeOf(c), codeOf(d)), lane);
}

function laneOf(orders: v128, lane: u32): u32 {
  if (lane == 0) return i32x4.extract_lane(orders, 0);
  if (lane == 1) return i32x4.extract_lane(orders, 1);
  return lane == 2 ? i32x4.extract_lane(orders, 2) : i32x4.extract_lane(orders, 3);
}

/** Address of a block, the number of its bytes and rows, and the offset of the addresses of upper links. */
export function blockStart(block: u32): usize { return blockAddress(block); }
export function bytesOfBlock(): u32 { return blockBytes; }
export function rowsOfBlock(): u32 { return blockMask + 1; }
/** Offset in a block of the end of the codes, and of the end of the room for them. What lies between is unused, and zero. */
export function codesEnd(): u32 {
  readCodeLayout();
  return <u32>(codeOf(0) - blockAddress(0)) + (codeStride << blockShift);
}
export function codesRoomEnd(): u32 { return isReducible ? <u32>(baseLinksOf(0) - blockAddress(0)) : codesEnd(); }
export function uppersStart(): u32 { return <u32>(upperOf(0) - blockAddress(0)); }

export function vectorAddress(row: u32): usize { return vectorOf(row); }
export function spaceReleasesVectors(): bool { return releasesVectors; }
export function isNode(row: u32): bool { return isInGraph(rowState(row)); }
export function nodeLevel(row: u32): u32 { return load<u8>(levelOf(row)); }
export function linksAddress(row: u32, level: u32): usize { return linksOf(row, level); }

/** Releases what this instance holds. */
export function detach(): void {
  releaseWorkspace();
  releaseSlot();
}
