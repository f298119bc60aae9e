// SPDX-License-Identifier: Apache-2.0

/** `Math.hypot` of two numbers, to the last bit: that one takes any number of them, and makes a list of them each time. */
export function hypot(one: number, other: number): number {
  const first = Math.abs(one);
  const second = Math.abs(other);
  const largest = Math.max(first, second);
  if (first === Number.POSITIVE_INFINITY || second === Number.POSITIVE_INFINITY) return Number.POSITIVE_INFINITY;
  if (largest === 0) return 0;
  return Math.sqrt((first / largest) ** 2 + (second / largest) ** 2) * largest;
}
