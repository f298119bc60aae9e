// SPDX-License-Identifier: Apache-2.0
/** Where a share lies of which a sample is known: Wilson's score interval of 95 % (JASA 22, 1927). */
export function wilson(hits: number, count: number): readonly [lower: number, upper: number] {
  const squared = 1.96 ** 2;
  if (count === 0) return [0, 1];
  const share = hits / count;
  const middle = share + squared / (2 * count);
  const reach = Math.sqrt(squared * ((share * (1 - share)) / count + squared / (4 * count * count)));
  const scale = 1 + squared / count;
  return [Math.max(0, (middle - reach) / scale), Math.min(1, (middle + reach) / scale)];
}
