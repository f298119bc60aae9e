// SPDX-License-Identifier: Apache-2.0
/**
 * Float32 values in few digits. A float32 widened to a double prints as 0.10000000149011612; the shortest decimal that reads back to the
 * same float32 is 0.1. This returns the double nearest to that decimal, so that every printer of doubles prints it short.
 *
 * Any decimal of up to 6 significant digits survives a trip through float32, and 9 digits tell all float32 values apart (FLT_DIG
 * and FLT_DECIMAL_DIG of C11, 5.2.4.2.2), so at most the lengths 6 to 9 have to be tried; below the normal range (1.2e-38), where
 * a float32 holds fewer digits, the result can be longer than need be. Rounding to n digits scales by a power of ten; powers up to
 * 10^22 are exact in a double, so the quotient is the double nearest to the decimal.
 */

const POWERS_OF_TEN = Float64Array.from({ length: 23 }, (_, exponent) => 10 ** exponent);
const EXACT_MAX = POWERS_OF_TEN.length - 1;

/** @param value a float32 held in a double; infinities and NaN come back as they are */
export function shortestFloat32(value: number): number {
  if (value === 0 || !Number.isFinite(value)) return value;
  const first = 5 - decimalExponent(Math.abs(value));
  if (first < 0 || first + 3 > EXACT_MAX) return shortestBySearch(value);
  for (let decimals = first; decimals < first + 4; decimals += 1) {
    // The index was checked above; typed arrays of fixed length are not known to the compiler.
    const scale = POWERS_OF_TEN[decimals] as number;
    const rounded = Math.round(value * scale) / scale;
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

/** Of a positive value; the magnitudes of embeddings and scores are found without a logarithm, which costs more than the rest. */
function decimalExponent(magnitude: number): number {
  if (magnitude < 1) {
    if (magnitude >= 0.1) return -1;
    if (magnitude >= 0.01) return -2;
    if (magnitude >= 0.001) return -3;
  } else if (magnitude < 10) return 0;
  return Math.floor(Math.log10(magnitude));
}

/** The same by way of text, for magnitudes whose powers of ten are not exact. */
function shortestBySearch(value: number): number {
  for (let digits = 6; digits < 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return Number(value.toPrecision(9));
}
