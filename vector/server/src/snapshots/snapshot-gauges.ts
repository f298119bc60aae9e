// SPDX-License-Identifier: Apache-2.0
/** What the snapshots of a server do, in memory that all its threads share. */
import type { SnapshotCounts, SnapshotGauge } from '@sextant/vector-collection';

const WORDS: readonly SnapshotGauge[] = ['creating', 'recovering', 'created', 'recovered', 'failed'];

export class SnapshotGauges implements SnapshotCounts {
  readonly #words: Int32Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new Int32Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(WORDS.length * Int32Array.BYTES_PER_ELEMENT);
  }

  add(gauge: SnapshotGauge, count: number): void {
    Atomics.add(this.#words, WORDS.indexOf(gauge), count);
  }

  read(gauge: SnapshotGauge): number {
    return Atomics.load(this.#words, WORDS.indexOf(gauge));
  }
}
