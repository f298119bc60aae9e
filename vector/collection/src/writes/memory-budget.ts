// SPDX-License-Identifier: Apache-2.0
/**
 * How much memory the vectors, codes and graphs of all collections may take together. It bounds what is written: what was accepted once is
 * always loaded, also under a lower limit.
 */
export class MemoryBudget {
  /** In bytes; `Infinity` leaves it to the system. */
  readonly limit: number;
  readonly #used: () => number;

  constructor({ limit, used }: { readonly limit: number; readonly used: () => number }) {
    this.limit = limit;
    this.#used = used;
  }

  /** Whether so many bytes may be taken beyond what is taken. */
  allows(bytes: number): boolean {
    return this.#used() + bytes <= this.limit;
  }
}
