// SPDX-License-Identifier: Apache-2.0
/** Where chance comes from, so that a run can be replayed from its seed. */
export type Random = {
  /** The next number in [0, 1). */
  readonly next: () => number;
  /** The next integer in [0, bound). */
  readonly integer: (bound: number) => number;
};

/** mulberry32, a 32-bit generator of the public domain by Tommy Ettinger: fast, and good enough for levels and samples. */
export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return { next, integer: (bound) => Math.floor(next() * bound) };
}
