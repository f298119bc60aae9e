// SPDX-License-Identifier: Apache-2.0
/**
 * A key is one u64 that sorts by nearness, then by row: above, an unsigned integer with the order of distances; below, the row shifted left
 * by one; in the lowest bit, a mark that the row has been expanded. Rows stay below 2^31 because a row takes more than two bytes. The order
 * of a float distance is its bits, changed so that they compare as an integer; distances of codes are integers already.
 */

// @ts-ignore: decorator
@inline export function orderOf(distance: f32): u32 {
  const bits = reinterpret<i32>(distance);
  return <u32>(bits ^ ((bits >> 31) | i32.MIN_VALUE));
}

// @ts-ignore: decorator
@inline export function keyOf(order: u32, row: u32): u64 { return (<u64>order << 32) | (<u64>row << 1); }

// @ts-ignore: decorator
@inline export function orderIn(key: u64): u32 { return <u32>(key >> 32); }

// @ts-ignore: decorator
@inline export function rowOf(key: u64): u32 { return <u32>key >> 1; }

/** The distance that has this order. */
// @ts-ignore: decorator
@inline export function valueOf(order: u32): f32 {
  const ordered = <i32>order;
  return reinterpret<f32>(ordered ^ ((~ordered >> 31) | i32.MIN_VALUE));
}

// @ts-ignore: decorator
@inline export function distanceOf(key: u64): f32 { return valueOf(orderIn(key)); }

/** Inserts a key into sorted keys that have room for it. */
export function insertSorted(keys: usize, count: u32, key: u64): void {
  let at = keys + (count << 3);
  for (; at > keys; at -= 8) {
    const before = load<u64>(at - 8);
    if (before < key) break;
    store<u64>(at, before);
  }
  store<u64>(at, key);
}

/** Pushes a key to a binary min-heap that has room. */
export function pushHeap(heap: usize, count: u32, key: u64): void {
  let at = count;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const parentKey = load<u64>(heap + (parent << 3));
    if (parentKey <= key) break;
    store<u64>(heap + (at << 3), parentKey);
    at = parent;
  }
  store<u64>(heap + (at << 3), key);
}

/** Replaces the least key by `key` and restores the order of a heap of `count`. */
export function replaceLeast(heap: usize, count: u32, key: u64): void {
  let at: u32 = 0;
  for (;;) {
    let child = (at << 1) + 1;
    if (child >= count) break;
    let childKey = load<u64>(heap + (child << 3));
    if (child + 1 < count) {
      const other = load<u64>(heap + ((child + 1) << 3));
      if (other < childKey) {
        child++;
        childKey = other;
      }
    }
    if (key <= childKey) break;
    store<u64>(heap + (at << 3), childKey);
    at = child;
  }
  store<u64>(heap + (at << 3), key);
}
