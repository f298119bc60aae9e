/** What the TypeScript side calls. Addresses and counts travel as 32-bit integers. */
import {
  BREAK, BYTES_MAX, CHANCE, CODES, GRAPH_LIVE_COUNT, PENDING_COUNT, ROW_BOUND, TOMBSTONE_COUNT, codeOf, codeStride, dimension, isInGraph, levelOf,
  linksMax, linksOf, metric, vectorOf, versionOf,
} from './layout';
import { codeOrder, codeOrders } from './code-distance';
import { releaseSlot } from './epochs';
import { rowState } from './rows';
import { releaseWorkspace } from './workspace';

export { attach, format } from './layout';
export { claimSlot, enter, leave } from './epochs';
export { answerAddress, inputAddress, passingShare, queryAddress, scan, scanNewer, scanRows, search } from './search';
export { sweep } from './sweep';
export { hasVector, publish, remove, reserve, rowState } from './rows';
export { encodeRow } from './codes';
export { link, linkBeside } from './link';
export { beginAlone, endAlone } from './crew';
export { repair } from './repair';
export { reclaim } from './reclaim';
export { entryRow } from './entry';
export { adopt, finishLoad, loadNode, setChance, unloadNodes } from './load';

export function spaceDimension(): u32 { return dimension; }
export function spaceMetric(): u32 { return metric; }
export function spaceM(): u32 { return linksMax; }
export function bytesMax(): u32 { return load<u32>(BYTES_MAX); }
export function rowBound(): u32 { return atomic.load<u32>(ROW_BOUND); }
export function pendingCount(): u32 { return atomic.load<u32>(PENDING_COUNT); }
export function indexedCount(): u32 { return atomic.load<u32>(GRAPH_LIVE_COUNT); }
export function deletedCount(): u32 { return atomic.load<u32>(TOMBSTONE_COUNT); }
export function bytesUsed(): u32 { return atomic.load<u32>(BREAK); }
export function chance(): u32 { return load<u32>(CHANCE); }

/** Where the calibration is, five words; 0 in a space without codes. */
export function calibrationAddress(): usize { return codeStride != 0 ? CODES : 0; }
export function codesInUse(): bool { return atomic.load<u32>(CODES) != 0; }
export function codeAddress(row: u32): usize { return codeOf(row); }
export function codeNearness(a: u32, b: u32): u32 { return codeOrder(codeOf(a), codeOf(b)); }
/** The nearness of four rows to one as the walk computes them, of which one is returned. */
export function codeNearnessOfFour(from: u32, a: u32, b: u32, c: u32, d: u32, lane: u32): u32 {
  const orders = codeOrders(codeOf(from), codeOf(a), codeOf(b), codeOf(c), codeOf(d));
  if (lane == 0) return i32x4.extract_lane(orders, 0);
  if (lane == 1) return i32x4.extract_lane(orders, 1);
  return lane == 2 ? i32x4.extract_lane(orders, 2) : i32x4.extract_lane(orders, 3);
}

export function vectorAddress(row: u32): usize { return vectorOf(row); }
export function isNode(row: u32): bool { return isInGraph(rowState(row)); }
export function nodeLevel(row: u32): u32 { return load<u8>(levelOf(row)); }
export function nodeVersion(row: u32): f64 { return load<f64>(versionOf(row)); }
export function linksAddress(row: u32, level: u32): usize { return linksOf(row, level); }

/** Gives back what this instance holds. */
export function detach(): void {
  releaseWorkspace();
  releaseSlot();
}
