// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { shortestFloat32 } from './shortest-float32.ts';

/** The definition, tried from one digit on. */
function shortestByDefinition(value: number): number {
  for (let digits = 1; digits <= 9; digits += 1) {
    const rounded = Number(value.toPrecision(digits));
    if (Math.fround(rounded) === value) return rounded;
  }
  return value;
}

function significantDigits(value: number): number {
  return value.toExponential().replace(/e.*/, '').replace(/[-.]/g, '').length;
}

describe('shortest decimals of float32', () => {
  test.each([0.1, 0.2, 1.5, -0.333, 1e-7, 16777216, 3.4028235e38, 123456.7, 1e10])('%d prints as it was written', (value) => {
    expect(shortestFloat32(Math.fround(value))).toBe(value);
  });

  test.each([0, -0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN])('%d stays as it is', (value) => {
    expect(Object.is(shortestFloat32(value), value)).toBe(true);
  });

  test('every float32 reads back as itself, and none is longer than need be', () => {
    fc.assert(
      fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const short = shortestFloat32(value);
        expect(Math.fround(short)).toBe(value);
        if (Math.abs(value) > 1.2e-38) expect(significantDigits(short)).toBe(significantDigits(shortestByDefinition(value)));
      }),
      { numRuns: 20_000 },
    );
  });

  test('the borders between binades are exact too', () => {
    const bits = new Uint32Array(1);
    const float = new Float32Array(bits.buffer);
    for (let exponent = 1; exponent < 255; exponent += 1) {
      for (const offset of [-1, 0, 1]) {
        bits[0] = (exponent << 23) + offset;
        const value = float[0] ?? 0;
        expect(Math.fround(shortestFloat32(value))).toBe(value);
      }
    }
  });
});
