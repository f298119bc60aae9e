// SPDX-License-Identifier: Apache-2.0
/**
 * The rows of one posting list that share their upper 16 bits, after Roaring bitmaps
 * (Chambi, Lemire, Kaser, Godin: Better bitmap performance with Roaring bitmaps, 2016): a sorted array of the lower
 * 16 bits while there are fewer than 4096, a bitmap of 8 KiB from then on, so never more than 8 KiB.
 * On disk it is the array itself, or the bitmap and the number of its rows as u32; all little-endian.
 */
import { assert } from '@sextant/foundation-std';
import type { RowSet } from './row-set.ts';
import { StorageError } from './storage-error.ts';

const BITMAP_BYTES = 8192;
const STORED_BITMAP_BYTES = BITMAP_BYTES + 4;
const ARRAY_ENTRIES_MAX = BITMAP_BYTES / 2 - 1;

/** Adds the rows of a stored container to `rows`; `base` is its first possible row, a multiple of 65 536. */
export function addStoredContainer(stored: Uint8Array, base: number, rows: RowSet): void {
  if (stored.length === STORED_BITMAP_BYTES) addStoredBitmap(stored, base, rows);
  else for (let index = 0; index < stored.length; index += 2) rows.add(base + lowAt(stored, index));
}

function addStoredBitmap(stored: Uint8Array, base: number, rows: RowSet): void {
  storedCount(stored);
  rows.unionWords(base / 32, storedBitmap(stored));
}

/** How many rows of a stored container are in `within`; all when it is absent. */
export function countStoredContainer(stored: Uint8Array, base: number, within: RowSet | undefined): number {
  const isBitmap = stored.length === STORED_BITMAP_BYTES;
  if (within === undefined) return isBitmap ? storedCount(stored) : stored.length / 2;
  if (isBitmap) return within.countWords(base / 32, storedBitmap(stored));
  let count = 0;
  for (let index = 0; index < stored.length; index += 2) if (within.has(base + lowAt(stored, index))) count += 1;
  return count;
}

/** A container that is being changed. */
export class Container {
  /** Sorted, valid up to #count; undefined when this is a bitmap. */
  #array: Uint16Array | undefined;
  #bitmap: Uint32Array | undefined;
  #count: number;

  private constructor(array: Uint16Array | undefined, bitmap: Uint32Array | undefined, count: number) {
    this.#array = array;
    this.#bitmap = bitmap;
    this.#count = count;
  }

  static empty(): Container {
    return new Container(new Uint16Array(4), undefined, 0);
  }

  /** Copies the bytes. */
  static decode(source: Uint8Array): Container {
    const bytes = source.length;
    if (bytes === STORED_BITMAP_BYTES) return new Container(undefined, storedBitmap(source).slice(), storedCount(source));
    assert(bytes > 0 && bytes <= ARRAY_ENTRIES_MAX * 2 && bytes % 2 === 0, 'a stored container is an array or a bitmap');
    const array = new Uint16Array(bytes / 2);
    for (let index = 0; index < array.length; index++) array[index] = lowAt(source, index * 2);
    return new Container(array, undefined, array.length);
  }

  /** May share memory with the container: valid until its next change. */
  encode(): Uint8Array {
    if (this.#bitmap !== undefined) return storeBitmap(this.#bitmap, this.#count);
    assert(this.#array !== undefined && this.#count > 0, 'an empty container is removed, not stored');
    return new Uint8Array(this.#array.buffer, 0, this.#count * 2);
  }

  get count(): number {
    return this.#count;
  }

  /** Returns whether `low` is new. */
  add(low: number): boolean {
    if (this.#bitmap !== undefined) return this.#addToBitmap(this.#bitmap, low);
    const array = this.#array ?? new Uint16Array(0);
    const position = lowerBound(array, this.#count, low);
    if (position < this.#count && array[position] === low) return false;
    if (this.#count === ARRAY_ENTRIES_MAX) return this.#addToBitmap(this.#toBitmap(array), low);
    this.#insert(array, position, low);
    return true;
  }

  /** Returns whether `low` was there. */
  delete(low: number): boolean {
    if (this.#bitmap !== undefined) return this.#deleteFromBitmap(this.#bitmap, low);
    const array = this.#array ?? new Uint16Array(0);
    const position = lowerBound(array, this.#count, low);
    if (position === this.#count || array[position] !== low) return false;
    array.copyWithin(position, position + 1, this.#count);
    this.#count -= 1;
    return true;
  }

  #insert(array: Uint16Array, position: number, low: number): void {
    let target = array;
    if (this.#count === array.length) {
      target = new Uint16Array(Math.min(ARRAY_ENTRIES_MAX, array.length * 2 + 4));
      target.set(array);
      this.#array = target;
    }
    target.copyWithin(position + 1, position, this.#count);
    target[position] = low;
    this.#count += 1;
  }

  #addToBitmap(bitmap: Uint32Array, low: number): boolean {
    const before = bitmap[low >>> 5] ?? 0;
    const after = before | (1 << (low & 31));
    if (after === (before | 0)) return false;
    bitmap[low >>> 5] = after;
    this.#count += 1;
    return true;
  }

  #deleteFromBitmap(bitmap: Uint32Array, low: number): boolean {
    const before = bitmap[low >>> 5] ?? 0;
    const after = before & ~(1 << (low & 31));
    if (after === (before | 0)) return false;
    bitmap[low >>> 5] = after;
    this.#count -= 1;
    if (this.#count === ARRAY_ENTRIES_MAX) this.#toArray(bitmap);
    return true;
  }

  #toBitmap(array: Uint16Array): Uint32Array {
    const bitmap = new Uint32Array(BITMAP_BYTES / 4);
    for (let index = 0; index < this.#count; index++) {
      const low = array[index] ?? 0;
      bitmap[low >>> 5] = (bitmap[low >>> 5] ?? 0) | (1 << (low & 31));
    }
    this.#bitmap = bitmap;
    this.#array = undefined;
    return bitmap;
  }

  #toArray(bitmap: Uint32Array): void {
    const array = new Uint16Array(this.#count);
    let next = 0;
    for (let index = 0; index < bitmap.length; index++) {
      for (let word = bitmap[index] ?? 0; word !== 0; word &= word - 1) {
        array[next++] = index * 32 + 31 - Math.clz32(word & -word);
      }
    }
    this.#array = array;
    this.#bitmap = undefined;
  }
}

/** First position whose entry is not below `low`; rows mostly arrive ascending, so the end is looked at first. */
function lowerBound(array: Uint16Array, count: number, low: number): number {
  if (count === 0 || (array[count - 1] ?? 0) < low) return count;
  let start = 0;
  let end = count;
  while (start < end) {
    const middle = (start + end) >>> 1;
    if ((array[middle] ?? 0) < low) start = middle + 1;
    else end = middle;
  }
  return start;
}

function lowAt(stored: Uint8Array, index: number): number {
  return (stored[index] ?? 0) | ((stored[index + 1] ?? 0) << 8);
}

/** lmdb-js reads into the start of a buffer of its own, so the words are aligned. */
function storedBitmap(stored: Uint8Array): Uint32Array {
  return new Uint32Array(stored.buffer, stored.byteOffset, BITMAP_BYTES / 4);
}

/** The count comes last, so that it also tells a bitmap from the zeros that a cut file reads as. */
function storedCount(stored: Uint8Array): number {
  const count = new DataView(stored.buffer, stored.byteOffset).getUint32(BITMAP_BYTES, true);
  if (count === 0) throw new StorageError('a stored posting list is damaged');
  return count;
}

function storeBitmap(bitmap: Uint32Array, count: number): Uint8Array {
  const stored = new Uint8Array(STORED_BITMAP_BYTES);
  stored.set(new Uint8Array(bitmap.buffer));
  new DataView(stored.buffer).setUint32(BITMAP_BYTES, count, true);
  return stored;
}
