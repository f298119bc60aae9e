/** This thread's scratch memory within the space: it grows with the space and with what is asked, and is released at the end. */
import { allocate, release } from './allocator';
import { hasCodebook, linksMax, pointBytes } from './layout';

/** Rows of a walk that may be remembered although no answer may hold them. Beyond it the walk forgets: it loses reach, not truth. */
const DETOURS_MAX: u32 = 1 << 16;
const WALK_NUMBER_MAX: u32 = 0xffff;
const PIECE_MIN: u32 = 64;
/**
 * Nodes that a walk expands at once, so that it asks for all that they lead to before it waits for any. Three in place of two take an eighth less time among 340,000 word
 * vectors, and find as much; four take as long as three.
 */
export const EXPANSION_BATCH: u32 = 3;
const BATCH_ROWS_MIN: u32 = 64;

/** Rows that the batch has room for: the lists of these nodes, and no fewer than two words of a filter have bits. */
// @ts-ignore: decorator
@inline export function batchRows(): u32 { return max<u32>((linksMax << 1) * EXPANSION_BATCH, BATCH_ROWS_MIN); }

/** A copy of the query, padded. */
export let query: usize = 0;
/** For each row below `visitedRows` the number of the last walk that met it. Numbers save clearing until they run out. */
let visited: usize = 0;
let walkNumber: u32 = 0;
export let visitedRows: u32 = 0;
/** Sorted keys of the nearest accepted rows. */
export let pool: usize = 0;
/** Min-heap of keys to walk through that the answer cannot hold. */
export let detours: usize = 0;
export let detoursMax: u32 = 0;
/** Pairs of row and vector address whose distances are computed together. */
export let batch: usize = 0;
/** The code that others are compared with, laid out. */
export let queryCode: usize = 0;
/** Bits of rows that may be answered; `inputBytes` long. Also the rows of `scanRows`. */
export let input: usize = 0;

let queryBytes: u32 = 0;
let visitedBytes: u32 = 0;
let poolBytes: u32 = 0;
let detourBytes: u32 = 0;
let batchBytes: u32 = 0;
let inputBytes: u32 = 0;

/** Bytes of a code that is laid out for comparison; product and binary codes are not. */
// @ts-ignore: decorator
@inline function queryCodeBytes(): u32 { return hasCodebook ? 0 : pointBytes << 1; }

// Each grows its piece if it is too small; false where the space's bound does not allow it.

/** What grows with the space grows to a power of two: seldom, and the pieces that it leaves behind are together no larger. */
function grown(bytes: u32): u32 {
  return <u32>1 << (32 - clz<u32>(max<u32>(bytes, PIECE_MIN) - 1));
}

export function prepareQuery(bytes: u32): bool {
  if (bytes <= queryBytes) return true;
  release(query, queryBytes);
  queryBytes = grown(bytes);
  query = allocate(queryBytes);
  if (query == 0) queryBytes = 0;
  return query != 0;
}

export function prepareInput(bytes: u32): bool {
  if (bytes <= inputBytes) return true;
  release(input, inputBytes);
  inputBytes = grown(bytes);
  input = allocate(inputBytes);
  if (input == 0) inputBytes = 0;
  return input != 0;
}

export function preparePool(keys: u32): bool {
  const bytes = keys << 3;
  if (bytes <= poolBytes) return true;
  release(pool, poolBytes);
  poolBytes = grown(bytes);
  pool = allocate(poolBytes);
  if (pool == 0) poolBytes = 0;
  return pool != 0;
}

/** Room for a walk over rows below `rowBound`; with `exhaustive` no detour is ever forgotten. */
export function prepareWalk(rowBound: u32, exhaustive: bool): bool {
  const numbers = rowBound << 1;
  if (numbers > visitedBytes) {
    release(visited, visitedBytes);
    visitedBytes = grown(numbers);
    visited = allocate(visitedBytes);
    if (visited == 0) visitedBytes = 0;
    if (visited == 0) return false;
    memory.fill(visited, 0, visitedBytes);
    walkNumber = 0;
  }
  visitedRows = rowBound;
  const wanted = (exhaustive || rowBound < DETOURS_MAX ? rowBound : DETOURS_MAX) << 3;
  if (wanted > detourBytes) {
    release(detours, detourBytes);
    detourBytes = grown(wanted);
    detours = allocate(detourBytes);
    if (detours == 0) detourBytes = 0;
    if (detours == 0) return false;
  }
  detoursMax = detourBytes >> 3;
  if (batchBytes == 0) {
    // Their lists, and room for the last four to be filled up.
    const entries = (batchRows() << 3) + 32;
    const bytes = entries + queryCodeBytes();
    batch = allocate(bytes);
    if (batch == 0) return false;
    batchBytes = bytes;
    queryCode = batch + entries;
  }
  return true;
}

/** Begins a walk that has met nothing. */
export function clearVisited(): void {
  walkNumber = (walkNumber + 1) & WALK_NUMBER_MAX;
  if (walkNumber != 0) return;
  memory.fill(visited, 0, visitedBytes);
  walkNumber = 1;
}

/** Marks the row; true where it was not marked before. Marks it again otherwise: a branch would cost more than the store. */
// @ts-ignore: decorator
@inline export function visit(row: u32): bool {
  const number = visited + (row << 1);
  const isNew = load<u16>(number) != walkNumber;
  store<u16>(number, <u16>walkNumber);
  return isNew;
}

// @ts-ignore: decorator
@inline export function isVisited(row: u32): bool { return load<u16>(visited + (row << 1)) == walkNumber; }

export function releaseWorkspace(): void {
  release(query, queryBytes);
  release(visited, visitedBytes);
  release(pool, poolBytes);
  release(detours, detourBytes);
  release(batch, batchBytes);
  release(input, inputBytes);
  query = visited = pool = detours = batch = queryCode = input = 0;
  queryBytes = visitedBytes = poolBytes = detourBytes = batchBytes = inputBytes = 0;
}
