// SPDX-License-Identifier: Apache-2.0
/** How often collections were opened and closed, in memory that all threads share, and in the metrics. */
import type { Figure } from '@sextant/foundation-service/http';
import type { CatalogView, OpeningCounts } from '@sextant/vector-collection';

const OPENED = 0;
const RELEASED = 1;
const FAILED = 2;
const OPENING_MICROSECONDS = 3;
const WORDS = 4;

export class OpeningGauges implements OpeningCounts {
  readonly #words: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new BigInt64Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
  }

  opened(ms: number): void {
    this.#add(OPENED, 1);
    this.#add(OPENING_MICROSECONDS, Math.round(ms * 1000));
  }

  released(): void {
    this.#add(RELEASED, 1);
  }

  failed(): void {
    this.#add(FAILED, 1);
  }

  figures(states: CatalogView['states'], { openMax }: { readonly openMax: number }): readonly Figure[] {
    return [
      { name: 'collections_open', help: 'Open collections', value: states.open },
      { name: 'collections_open_max', help: 'Maximum number of open collections', value: openMax },
      {
        name: 'collections_released',
        help: 'Collections that are closed to make room; a request opens them again',
        value: states.released,
      },
      {
        name: 'collections_not_opened',
        help: 'Collections that were not opened since the start, so that it is unknown whether they can be read',
        value: states.not_opened,
      },
      { name: 'collections_unreadable', help: 'Collections that could not be opened', value: states.failed },
      {
        name: 'collections_opened_total',
        help: 'Times that a collection was opened since the start',
        value: this.#read(OPENED),
        isCounter: true,
      },
      {
        name: 'collections_opening_seconds_total',
        help: 'Total time to open collections since the start, in seconds',
        value: this.#read(OPENING_MICROSECONDS) / 1e6,
        isCounter: true,
      },
      {
        name: 'collections_released_total',
        help: 'Times that a collection was closed to make room since the start',
        value: this.#read(RELEASED),
        isCounter: true,
      },
      {
        name: 'collections_opening_failed_total',
        help: 'Failed attempts to open a collection since the start',
        value: this.#read(FAILED),
        isCounter: true,
      },
    ];
  }

  #add(word: number, count: number): void {
    Atomics.add(this.#words, word, BigInt(count));
  }

  #read(word: number): number {
    return Number(Atomics.load(this.#words, word));
  }
}
