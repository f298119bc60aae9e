// SPDX-License-Identifier: Apache-2.0
/**
 * The memory map. Every thread instantiates this module over one shared memory, so the module owns no data: no segments, no managed
 * objects, only addresses. The globals below repeat the fixed parameters of the space for this instance.
 *
 *      0  header: parameters, counters, entry point, epoch
 *    256  heads of the allocator's free lists
 *   2048  reader slots, one cache line each
 *   8192  directory: address of each block
 *  40960  per block: rows that are PENDING
 *  73728  per block: rows that are LINKED or RETIRED
 * 106496  per block: claimed by the indexer or a linker, one byte
 * 114688  blocks, upper links and threads' scratch memory, as they are allocated
 *
 * A block holds 2^blockShift rows, as arrays: vectors (or their addresses), codes, level-0 links, versions, addresses of upper links,
 * levels, states. A list of links is a count, a lock (see locks.ts) and neighbour rows; an upper-links record is one such list for each
 * level from 1 up.
 */
import { seen } from './seen-memory';

// Row states. Writer: FREE > PENDING, PENDING > RETIRED, LINKED or INDEXED > TOMBSTONE. Indexer: all others.
export const FREE: u32 = 0;
/** Has a vector; an exact scan finds it. */
export const PENDING: u32 = 1;
/** In the graph, but still scanned for readers that began before it was linked. */
export const LINKED: u32 = 2;
export const INDEXED: u32 = 3;
/** Deleted: walks pass through it and never return it. */
export const TOMBSTONE: u32 = 4;
/** A tombstone that the present repair unlinks. */
export const DOOMED: u32 = 5;
/** In no list; a reader that began earlier may still see it. */
export const RETIRED: u32 = 6;
/** Links are loaded from a saved graph, the vector is still to be adopted. */
export const SAVED: u32 = 7;

export const DOT: u32 = 0;
export const EUCLID: u32 = 1;
export const MANHATTAN: u32 = 2;
/** For bytes, which are not normalised: everything but their distance treats it as DOT. */
const COSINE: u32 = 3;

// Datatypes of components.
export const FLOAT32: u32 = 0;
export const FLOAT16: u32 = 1;
export const UINT8: u32 = 2;

// Kinds of codes; 2 was a kind that no longer exists.
export const NO_CODES: u32 = 0;
/** One byte for each component. */
export const BYTES: u32 = 1;
/** One byte for each component, and the numbers that follow: one for 2, 4, 8 or 16, the number of a centroid. */
const PRODUCT: u32 = 3;
/** One bit for each component, and the numbers that follow: half a bit more each. */
const BINARY: u32 = 8;
/** One byte for each of the few directions in which rows differ most; for each component where these do not tell neighbours apart. */
const REDUCED_BYTES: u32 = 11;

export const NO_ROW: u32 = 0xffffffff;
export const LEVEL_MAX: u32 = 15;

const MAGIC_VALUE: u32 = 0x31535853;
const MAGIC: usize = 0;
const DIMENSION: usize = 4;
export const METRIC: usize = 8;
const M: usize = 12;
const EF_CONSTRUCT: usize = 16;
const BLOCK_SHIFT: usize = 20;
export const BYTES_MAX: usize = 24;
export const CHANCE: usize = 28;
export const LOCK: usize = 32;
export const BREAK: usize = 36;
export const MEMORY_END: usize = 40;
export const ROW_BOUND: usize = 44;
export const BLOCK_COUNT: usize = 48;
export const PENDING_COUNT: usize = 52;
export const GRAPH_LIVE_COUNT: usize = 56;
export const TOMBSTONE_COUNT: usize = 60;
/** Low word: the row; high word: its level. One word, so that readers always see a matching pair. */
export const ENTRY: usize = 64;
export const EPOCH: usize = 72;
export const QUANTIZATION: usize = 80;
/**
 * NO_CODES, or BYTES while readers may compare codes. This word and the four that follow are the calibration, which a saved graph keeps.
 */
export const CODES: usize = 84;
export const CODE_SCALE: usize = 88;
export const CODE_OFFSET: usize = 92;
/** Live rows at the last calibration, 0 before the first; and rows linked since. */
export const CALIBRATED_ROWS: usize = 96;
export const LINKED_SINCE: usize = 100;
/** Linkers at work, and whether the indexer wants to be alone; see locks.ts. */
export const LINKERS: usize = 104;
export const ALONE: usize = 108;
export const ENTRY_LOCK: usize = 112;
/** Rows linked since the last calibration whose codes do not fit the scale. */
export const MISFITS: usize = 116;
/** Addresses of the codebook of product or binary codes, 0 before it is learned, and of the one that is being learned, 0 while none is. */
export const CODEBOOK: usize = 192;
export const NEXT_CODEBOOK: usize = 196;
/**
 * Mean squared error of product codes, or mean square of the distances from the centre of binary codes, when the codebook was learned. A
 * saved graph keeps this word and the two that follow.
 */
export const CODEBOOK_ERROR: usize = 200;
/** 1 from when the codebook is in place until every row has its code and the trial has ended. */
export const RECODING: usize = 204;
/** Rows to measure by their vectors for each wanted one, as the last trial of product or binary codes found. */
export const OVERSAMPLING: usize = 208;
/** Share of components that codes cover, 0 where their standard deviation decides. */
export const QUANTILE: usize = 212;
const DATATYPE: usize = 216;
const RELEASES_VECTORS: usize = 220;
/** 1 once many later rows do not fit codes that cannot be replaced. */
export const OUTGROWN: usize = 224;
/** Bits for each component of a query for binary codes; 0 means 4. */
export const QUERY_BITS: usize = 228;
/** Row bound when reducing codes was last tried. */
export const REDUCTION_TRIED: usize = 232;
/** 1 once codes of all components were written to the room that reduced codes leave. */
export const ROOM_WRITTEN: usize = 236;
/**
 * Bytes of a reduced code, 0 while codes are of all components. A saved graph keeps this word and the two that follow, of which the first
 * is always 0.
 */
export const REDUCED: usize = 240;
/** By how much more than the last wanted row, in units of reduced codes, a wanted one may be farther. */
export const MARGIN: usize = 248;
/** Address of what reduced codes are made by, 0 while codes are of all components. */
export const REDUCER: usize = 252;
export const FREE_LISTS: usize = 256;
export const READER_SLOTS: usize = 2048;
export const READER_SLOT_COUNT: u32 = 64;
const DIRECTORY: usize = 8192;
export const BLOCK_COUNT_MAX: u32 = 8192;
const BLOCK_PENDING: usize = 40960;
const BLOCK_TRANSIT: usize = 73728;
const BLOCK_CLAIMS: usize = 106496;
const HEAP_START: usize = 114688;

/** Offset of the lock of all lists of a row, in its list at level 0. In the others it is 0. */
export const LOCK_IN_LIST: usize = 2;

/** A binary code begins with three numbers; see binary-codes.ts. */
export const CODE_HEADER_BYTES: u32 = 12;
/** Offset of the bit planes of a query for binary codes, and their largest number. */
export const PLANES: u32 = 16;
const QUERY_BITS_MAX: u32 = 8;

const REDUCED_BYTES_MAX: u32 = 512;
/** Components of all directions, which bounds the time of learning to about a second and its memory to eight megabytes. */
const REDUCER_COMPONENTS_MAX: u32 = 1 << 20;

const BLOCK_BYTES_TARGET: u32 = 1 << 20;

export let dimension: u32 = 0;
export let datatype: u32 = 0;
/** Bytes of a vector, padded with zeros. */
export let stride: u32 = 0;
/**
 * Whether vectors are released once their rows are in the graph and have codes; see originals.ts. A block then holds, in place of each
 * vector, the address of a piece that holds it, or 0.
 */
export let releasesVectors: bool = false;
/** Bytes from one row's vector, or its address, to the next. */
let vectorStep: u32 = 0;
/**
 * Whether bytes are stored less 128, as signed ones. Differences do not change, so each vector is its own code, unless codes are reduced.
 */
export let isShifted: bool = false;
/** Whether distances are divided by lengths. */
export let cosine: bool = false;
/** Bytes from one row's code to the next, as of the last `readCodeLayout`; 0 where the space has no codes. */
export let codeStride: u32 = 0;
/** Bytes of a code that is not reduced. */
let wholeCodeBytes: u32 = 0;
/** Bytes that a block reserves for a row's code. What reduced codes leave of it is never written, so it takes no memory. */
let codeRoom: u32 = 0;
/** Whether codes may be reduced, and whether they are. */
export let isReducible: bool = false;
export let isReduced: bool = false;
/** Components that share a byte of a product code; 0 for other kinds. */
export let codeWidth: u32 = 0;
/** Whether codes are binary: signs of the components of a rotated vector. */
export let isBinary: bool = false;
/** For binary codes, the words of 64 signs, and the number of these words whose components have a second bit. */
export let signWords: u32 = 0;
export let fineWords: u32 = 0;
/** Whether codes are made by a codebook, which is learned step by step. */
export let hasCodebook: bool = false;
/** Bytes of the form of a vector that codes are compared with: one for each component, or bit planes with room to make them. */
export let pointBytes: u32 = 0;
export let metric: u32 = 0;
export let linksMax: u32 = 0;
export let efConstruct: u32 = 0;
export let baseLinkBytes: u32 = 0;
export let upperLinkBytes: u32 = 0;
export let blockShift: u32 = 0;
export let blockMask: u32 = 0;
export let blockBytes: u32 = 0;
/** Offset of the room for codes, and of the codes: that of the vectors where these are the codes. */
let roomOffset: u32 = 0;
export let codesOffset: u32 = 0;
let linksOffset: u32 = 0;
let versionsOffset: u32 = 0;
let uppersOffset: u32 = 0;
let levelsOffset: u32 = 0;
let statesOffset: u32 = 0;

/** Writes the header of a new space. `pages` is the present size of the memory. */
export function format(
  dimension: u32, metric: u32, m: u32, efConstruct: u32, seed: u32, bytesMax: u32, pages: u32, quantization: u32, datatype: u32,
  releasesVectors: bool,
): void {
  const codes = codeRoomBytes(quantization, dimension, datatype, metric);
  const rowBytes: u32 = (releasesVectors ? 4 : vectorBytes(datatype, dimension)) + codes + 4 + (m << 3) + 14;
  let shift: u32 = 0;
  while (rowBytes << (shift + 1) <= BLOCK_BYTES_TARGET) shift++;
  store<u32>(DIMENSION, dimension);
  store<u32>(METRIC, metric);
  store<u32>(M, m);
  store<u32>(EF_CONSTRUCT, efConstruct);
  store<u32>(BLOCK_SHIFT, shift);
  store<u32>(BYTES_MAX, bytesMax);
  store<u32>(CHANCE, seed);
  store<u32>(QUANTIZATION, quantization);
  store<u32>(DATATYPE, datatype);
  store<u32>(RELEASES_VECTORS, u32(releasesVectors));
  store<u32>(CODES, u32(isShiftedIn(datatype, metric)));
  store<u32>(BREAK, HEAP_START);
  store<u32>(MEMORY_END, pages << 16);
  store<u64>(ENTRY, NO_ROW);
  store<u64>(EPOCH, 1);
  atomic.store<u32>(MAGIC, MAGIC_VALUE);
}

/** Rounded up to whole steps of the loops that read it. */
// @ts-ignore: decorator
@inline function vectorBytes(datatype: u32, dimension: u32): u32 {
  if (datatype == FLOAT32) return ((dimension + 3) & ~3) << 2;
  if (datatype == FLOAT16) return ((dimension + 7) & ~7) << 1;
  return (dimension + 15) & ~15;
}

// @ts-ignore: decorator
@inline function isShiftedIn(datatype: u32, metric: u32): bool { return datatype == UINT8 && (metric == EUCLID || metric == MANHATTAN); }

/**
 * From one row's code to the next. Codes of bytes begin on a cache line, or short ones lie within one: otherwise every second code would
 * cross one line more, and cache lines are most of the cost.
 */
function codeBytes(quantization: u32, dimension: u32): u32 {
  if (quantization == NO_CODES) return 0;
  if (isBinaryIn(quantization)) return CODE_HEADER_BYTES + ((wordsOf(dimension) + fineWordsOf(quantization, dimension)) << 3);
  if (isProductIn(quantization)) return ((dimension + 15) & ~15) >> (quantization - PRODUCT);
  return dimension <= 16 ? 16 : dimension <= 32 ? 32 : (dimension + 63) & ~63;
}

/** Bytes that are their own codes need no room for others, except reduced ones. */
function codeRoomBytes(quantization: u32, dimension: u32, datatype: u32, metric: u32): u32 {
  if (!isShiftedIn(datatype, metric)) return codeBytes(quantization, dimension);
  return quantization == REDUCED_BYTES ? reducedBytesMax(dimension) : 0;
}

/** A reduced code is at most half as long as one of all components, and not so long that learning its directions would take too long. */
export function reducedBytesMax(dimension: u32): u32 {
  const components = (dimension + 15) & ~15;
  return min(REDUCED_BYTES_MAX, min(components >> 1, REDUCER_COMPONENTS_MAX / components)) & ~63;
}

// @ts-ignore: decorator
@inline function isProductIn(quantization: u32): bool { return quantization >= PRODUCT && quantization < BINARY; }
// @ts-ignore: decorator
@inline function isBinaryIn(quantization: u32): bool { return quantization >= BINARY && quantization < REDUCED_BYTES; }

// @ts-ignore: decorator
@inline function wordsOf(dimension: u32): u32 { return (dimension + 63) >> 6; }

/** Where components have a bit and a half, the first half of them have two. */
// @ts-ignore: decorator
@inline function fineWordsOf(quantization: u32, dimension: u32): u32 { return (wordsOf(dimension) * (quantization - BINARY)) >> 1; }

/** Reads the fixed parameters into this instance. Returns false where the memory does not hold a space of this layout. */
export function attach(): bool {
  if (atomic.load<u32>(MAGIC) != MAGIC_VALUE) return false;
  dimension = load<u32>(DIMENSION);
  datatype = load<u32>(DATATYPE);
  stride = vectorBytes(datatype, dimension);
  releasesVectors = load<u32>(RELEASES_VECTORS) != 0;
  vectorStep = releasesVectors ? 4 : stride;
  cosine = load<u32>(METRIC) == COSINE;
  metric = cosine ? DOT : load<u32>(METRIC);
  isShifted = isShiftedIn(datatype, metric);
  const quantization = load<u32>(QUANTIZATION);
  wholeCodeBytes = isShifted ? stride : codeBytes(quantization, dimension);
  codeRoom = codeRoomBytes(quantization, dimension, datatype, metric);
  isBinary = isBinaryIn(quantization);
  codeWidth = isProductIn(quantization) ? 1 << (quantization - PRODUCT) : 0;
  isReducible = quantization == REDUCED_BYTES;
  hasCodebook = isBinary || codeWidth != 0;
  signWords = isBinary ? wordsOf(dimension) : 0;
  fineWords = isBinary ? fineWordsOf(quantization, dimension) : 0;
  pointBytes = isBinary ? PLANES + (signWords << 3) * (QUERY_BITS_MAX + 32) : (dimension + 15) & ~15;
  linksMax = load<u32>(M);
  efConstruct = load<u32>(EF_CONSTRUCT);
  blockShift = load<u32>(BLOCK_SHIFT);
  baseLinkBytes = 4 + (linksMax << 3);
  upperLinkBytes = 4 + (linksMax << 2);
  const rows: u32 = 1 << blockShift;
  blockMask = rows - 1;
  roomOffset = (rows * vectorStep + 63) & ~63;
  linksOffset = (roomOffset + rows * codeRoom + 63) & ~63;
  versionsOffset = (linksOffset + rows * baseLinkBytes + 7) & ~7;
  uppersOffset = versionsOffset + rows * 8;
  levelsOffset = uppersOffset + rows * 4;
  statesOffset = levelsOffset + rows;
  blockBytes = (statesOffset + rows + 63) & ~63;
  readCodeLayout();
  return true;
}

/**
 * Reads the length and the offset of codes. They do not change while codes are in use: a reader calls this when it has seen that they are,
 * the indexer and linkers before they work.
 */
export function readCodeLayout(): void {
  const reduced: u32 = isReducible ? atomic.load<u32>(REDUCED) : 0;
  isReduced = reduced != 0;
  codeStride = isReduced ? reduced : wholeCodeBytes;
  codesOffset = isShifted && !isReduced ? 0 : roomOffset;
}

// @ts-ignore: decorator
@inline export function directoryEntry(block: u32): usize { return DIRECTORY + (block << 2); }
// @ts-ignore: decorator
@inline export function blockAddress(block: u32): usize { return load<u32>(directoryEntry(block)); }
// @ts-ignore: decorator
@inline export function blockPending(block: u32): usize { return BLOCK_PENDING + (block << 2); }
// @ts-ignore: decorator
@inline export function blockTransit(block: u32): usize { return BLOCK_TRANSIT + (block << 2); }
// @ts-ignore: decorator
@inline export function blockClaim(block: u32): usize { return BLOCK_CLAIMS + block; }
// @ts-ignore: decorator
@inline export function blockStates(block: u32): usize { return seen(blockAddress(block) + statesOffset, blockMask + 1); }
// @ts-ignore: decorator
@inline export function vectorSlot(row: u32): usize { return blockAddress(row >> blockShift) + (row & blockMask) * vectorStep; }
/** 0 where the vector has been released. */
// @ts-ignore: decorator
@inline export function vectorOf(row: u32): usize { return releasesVectors ? <usize>load<u32>(vectorSlot(row)) : vectorSlot(row); }
// @ts-ignore: decorator
@inline export function codeOf(row: u32): usize { return blockAddress(row >> blockShift) + codesOffset + (row & blockMask) * codeStride; }
// @ts-ignore: decorator
@inline export function versionOf(row: u32): usize { return blockAddress(row >> blockShift) + versionsOffset + ((row & blockMask) << 3); }
// @ts-ignore: decorator
@inline export function upperOf(row: u32): usize { return blockAddress(row >> blockShift) + uppersOffset + ((row & blockMask) << 2); }
// @ts-ignore: decorator
@inline export function levelOf(row: u32): usize { return blockAddress(row >> blockShift) + levelsOffset + (row & blockMask); }
// @ts-ignore: decorator
@inline export function stateOf(row: u32): usize { return seen(blockAddress(row >> blockShift) + statesOffset + (row & blockMask), 1); }
// @ts-ignore: decorator
@inline export function baseLinksOf(row: u32): usize {
  return seen(blockAddress(row >> blockShift) + linksOffset + (row & blockMask) * baseLinkBytes, baseLinkBytes);
}

/** Address of the row's links at a level that the row has. */
// @ts-ignore: decorator
@inline export function linksOf(row: u32, level: u32): usize {
  return level == 0 ? baseLinksOf(row) : seen(load<u32>(upperOf(row)) + (level - 1) * upperLinkBytes, upperLinkBytes);
}

// @ts-ignore: decorator
@inline export function linkCount(links: usize): u32 { return atomic.load<u16>(links); }
// @ts-ignore: decorator
@inline export function setLinkCount(links: usize, count: u32): void { atomic.store<u16>(links, <u16>count); }

// @ts-ignore: decorator
@inline export function capacityAt(level: u32): u32 { return level == 0 ? linksMax << 1 : linksMax; }

// @ts-ignore: decorator
@inline export function state(row: u32): u32 { return atomic.load<u8>(stateOf(row)); }
// @ts-ignore: decorator
@inline export function isLive(state: u32): bool { return state - PENDING <= INDEXED - PENDING; }
/** Whether links may lead to a row in this state. */
// @ts-ignore: decorator
@inline export function isInGraph(state: u32): bool { return state - LINKED <= DOOMED - LINKED; }
/** Returns true where this thread made the change. */
// @ts-ignore: decorator
@inline export function changeState(row: u32, from: u32, to: u32): bool {
  return atomic.cmpxchg<u8>(stateOf(row), <u8>from, <u8>to) == <u8>from;
}
