// SPDX-License-Identifier: Apache-2.0
/** This thread's scratch memory within the space. It grows with the space and with what is asked for, and is released at the end. */
import { allocate, release } from './allocator';
import { hasCodebook, linksMax, pointBytes } from './layout';

/** Bound of the detours of a walk, rows that no answer may hold. Beyond it the walk forgets some: it may find less, but nothing wrong. */
const DETOURS_MAX: u32 = 1 << 16;
const WALK_NUMBER_MAX: u32 = 0xffff;
const PIECE_MIN: u32 = 64;
/**
 * Nodes that a walk expands together, so that it prefetches all their neighbours before it reads any. Three instead of two save an eighth
 * of the time on 340,000 GloVe-100 vectors at the same recall; four take as long as three.
 */
export const EXPANSION_BATCH: u32 = 3;
const BATCH_ROWS_MIN: u32 = 64;

/** Rows that the batch has room for: the lists of these nodes, and at least the bits of two words of a filter. */
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
/** Min-heap of keys to expand that the answer cannot hold. */
export let detours: usize = 0;
export let detoursMax: u32 = 0;
/** Pairs of row and vector address whose distances are computed together. */
export let batch: usize = 0;
/** The query's code, laid out for comparison. */
export let queryCode: usize = 0;
/** Filter bits or rows from the caller; `inputBytes` long. */
export let input: usize = 0;

let queryBytes: u32 = 0;
let visitedBytes: u32 = 0;
let poolBytes: u32 = 0;
let detourBytes: u32 = 0;
let batchBytes: u32 = 0;
let inputBytes: u32 = 0;

/** Bytes of the query's code when it is laid out; product and binary codes are not. */
// @ts-ignore: decorator
@inline function queryCodeBytes(): u32 { return hasCodebook ? 0 : pointBytes << 1; }

// Each function grows its piece if it is too small, and returns false where the bound of the space does not allow it.

/** What grows with the space grows to a power of two: rarely, and the released pieces together are no larger. */
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

/** Makes room for a walk over rows below `rowBound`; with `exhaustive` no detour is ever forgotten. */
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
    // Their lists, and room to pad the last four.
    const entries = (batchRows() << 3) + 32;
    const bytes = entries + queryCodeBytes();
    batch = allocate(bytes);
    if (batch == 0) return false;
    batchBytes = bytes;
    queryCode = batch + entries;
  }
  return true;
}

/** Begins a walk that has visited no row. */
export function clearVisited(): void {
  walkNumber = (walkNumber + 1) & WALK_NUMBER_MAX;
  if (walkNumber != 0) return;
  memory.fill(visited, 0, visitedBytes);
  walkNumber = 1;
}

/** Marks the row as visited. Returns true where it was not. It stores in either case, because a branch would cost more. */
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
