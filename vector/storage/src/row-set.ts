// SPDX-License-Identifier: Apache-2.0
/** A set of rows as a dense bitmap: bit r of word r >> 5. Grows on demand; all sizes combine. */
export class RowSet {
  #words: Uint32Array;

  constructor(words: Uint32Array = new Uint32Array(0)) {
    this.#words = words;
  }

  static of(rows: Iterable<number>): RowSet {
    const set = new RowSet();
    for (const row of rows) set.add(row);
    return set;
  }

  /** The bitmap itself, for the kernel; it may end before the highest row that a caller asks for. */
  get words(): Uint32Array {
    return this.#words;
  }

  add(row: number): void {
    const word = row >>> 5;
    if (word >= this.#words.length) this.#grow(word + 1);
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (row & 31));
  }

  delete(row: number): void {
    const word = row >>> 5;
    const bits = this.#words[word];
    if (bits !== undefined) this.#words[word] = bits & ~(1 << (row & 31));
  }

  has(row: number): boolean {
    return ((this.#words[row >>> 5] ?? 0) & (1 << (row & 31))) !== 0;
  }

  count(): number {
    let total = 0;
    for (let index = 0; index < this.#words.length; index++) total += bitsInWord(this.#words[index] ?? 0);
    return total;
  }

  /** One more than the highest row; 0 where there is none. */
  get bound(): number {
    const last = this.#words.findLastIndex((word) => word !== 0);
    return last < 0 ? 0 : last * 32 + 32 - Math.clz32(this.#words[last] ?? 0);
  }

  /** How many rows of a bitmap, whose first word is word `offset` of this one, are in this set. */
  countWords(offset: number, words: Uint32Array): number {
    let total = 0;
    for (let index = 0; index < words.length; index++) total += bitsInWord((this.#words[offset + index] ?? 0) & (words[index] ?? 0));
    return total;
  }

  /** Adds every row of `other` to this set. */
  union(other: RowSet): this {
    if (other.#words.length > this.#words.length) this.#grow(other.#words.length);
    for (let index = 0; index < other.#words.length; index++) {
      this.#words[index] = (this.#words[index] ?? 0) | (other.#words[index] ?? 0);
    }
    return this;
  }

  /** Adds the rows of a bitmap whose first word is word `offset` of this one. */
  unionWords(offset: number, words: Uint32Array): this {
    if (offset + words.length > this.#words.length) this.#grow(offset + words.length);
    for (let index = 0; index < words.length; index++) {
      this.#words[offset + index] = (this.#words[offset + index] ?? 0) | (words[index] ?? 0);
    }
    return this;
  }

  /** Keeps only rows that are in `other` too. */
  intersect(other: RowSet): this {
    for (let index = 0; index < this.#words.length; index++) {
      this.#words[index] = (this.#words[index] ?? 0) & (other.#words[index] ?? 0);
    }
    return this;
  }

  /** Takes every row of `other` out of this set. */
  subtract(other: RowSet): this {
    const shared = Math.min(this.#words.length, other.#words.length);
    for (let index = 0; index < shared; index++) {
      this.#words[index] = (this.#words[index] ?? 0) & ~(other.#words[index] ?? 0);
    }
    return this;
  }

  clone(): RowSet {
    return new RowSet(this.#words.slice());
  }

  toArray(): Uint32Array {
    const rows = new Uint32Array(this.count());
    let next = 0;
    // Not by the iterator, which takes ten times as long.
    for (let index = 0; index < this.#words.length; index++) {
      for (let word = this.#words[index] ?? 0; word !== 0; word &= word - 1) rows[next++] = index * 32 + 31 - Math.clz32(word & -word);
    }
    return rows;
  }

  /** The least multiple of 32 below which, from `row` on, there are `count` rows or more; the end of the bitmap where there are fewer. */
  endOf(row: number, count: number): number {
    let index = row >>> 5;
    let total = -bitsInWord((this.#words[index] ?? 0) & ((1 << (row & 31)) - 1));
    while (index < this.#words.length && total < count) total += bitsInWord(this.#words[index++] ?? 0);
    return index * 32;
  }

  /** Rows ascending. */
  *[Symbol.iterator](): Generator<number> {
    for (let index = 0; index < this.#words.length; index++) {
      let word = this.#words[index] ?? 0;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        yield index * 32 + bit;
        word &= word - 1;
      }
    }
  }

  #grow(words: number): void {
    const grown = new Uint32Array(Math.max(words, this.#words.length * 2));
    grown.set(this.#words);
    this.#words = grown;
  }
}

function bitsInWord(word: number): number {
  let bits = word - ((word >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return Math.imul((bits + (bits >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
