// SPDX-License-Identifier: Apache-2.0
import { roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { numberArraysOf } from './number-array.ts';

const FLOAT32_MAX = 3.4028234663852886e38;
const digits = (min: number, max: number) => fc.stringMatching(new RegExp(`^[0-9]{${min},${max}}$`));
const sign = fc.constantFrom('', '-');
/** Every form of a JSON number, and decimals close to the middle between two float32. */
const numberText = fc.oneof(
  fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
  fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e39, max: 1e39 }).map(String),
  fc.double({ noNaN: true, min: -1, max: 1 }).map((value) => value.toFixed(20)),
  fc.float({ noNaN: true, noDefaultInfinity: true, min: Math.fround(1e-30), max: Math.fround(1e30) }).map(betweenTwo),
  fc
    .tuple(
      sign,
      fc.oneof(fc.constant('0'), fc.stringMatching(/^[1-9][0-9]{0,40}$/)),
      digits(1, 40),
      fc.constantFrom('e', 'E'),
      fc.constantFrom('', '+', '-'),
      digits(1, 6),
    )
    .chain(([minus, whole, fraction, e, plus, exponent]) =>
      fc.constantFrom(
        `${minus}${whole}`,
        `${minus}${whole}.${fraction}`,
        `${minus}${whole}${e}${plus}${exponent}`,
        `${minus}${whole}.${fraction}${e}${plus}${exponent}`,
      ),
    ),
  fc.constantFrom(
    '-0',
    '0',
    '-0.0',
    '0e5',
    '-0E-5',
    '1e-45',
    '7e-46',
    '1.1754943508222875e-38',
    '16777217',
    '9007199254740993',
    '18446744073709551615',
  ),
);
/** What is no number, or none that a vector may have. */
const otherText = fc.oneof(
  fc.constantFrom(
    '',
    '01',
    '-',
    '+1',
    '.5',
    '1.',
    '1e',
    '1e+',
    '--1',
    '0x10',
    'NaN',
    'Infinity',
    'null',
    '"1"',
    '1 2',
    '[1]',
    '1e400',
    '-3.5e38',
    '3.4028235e38',
    '1_0',
    '٣',
  ),
  numberText.chain((text) => fc.constantFrom(`${text}.`, `0${text}`, `${text}x`, `+${text}`)),
);
const space = fc.stringMatching(/^[ \t\n\r]{0,3}$/);

function betweenTwo(value: number): string {
  const bits = new Uint32Array(Float32Array.of(value).buffer);
  const next = new Float32Array(Uint32Array.of((bits[0] ?? 0) + 1).buffer)[0] ?? 0;
  return String((value + next) / 2);
}

function arrayText(items: readonly string[], spaces: readonly string[]): string {
  return `[${items.map((item, index) => `${spaces[index % spaces.length]}${item}${spaces[(index + 1) % spaces.length]}`).join(',')}]`;
}

const read = (text: string) => numberArraysOf(Buffer.from(text))(1);

function parsed(text: string): readonly number[] | undefined {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.length > 0 && values.every(isComponent) ? values : undefined;
  } catch {
    return undefined;
  }
}

function isComponent(value: unknown): value is number {
  return typeof value === 'number' && Math.abs(value) <= FLOAT32_MAX;
}

describe('an array of numbers', () => {
  test('is read as JSON.parse and Math.fround read it, bit for bit', () => {
    fc.assert(
      fc.property(
        fc.array(numberText, { minLength: 1, maxLength: 30 }),
        fc.array(space, { minLength: 1, maxLength: 5 }),
        (items, spaces) => {
          const text = arrayText(items, spaces);
          const expected = parsed(text);
          const found = read(text);
          expect(found?.values).toEqual(expected === undefined ? undefined : new Float32Array(expected));
          if (found !== undefined) expect(found.end).toBe(text.length);
        },
      ),
      { numRuns: roundsOf({ quick: 670, long: 20_000 }) },
    );
  });

  test('is refused where one of its items is nothing that a vector may have', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(numberText, otherText), { minLength: 1, maxLength: 6 }),
        fc.array(space, { minLength: 1, maxLength: 3 }),
        (items, spaces) => {
          const text = arrayText(items, spaces);
          const expected = parsed(text);
          expect(read(text)?.values).toEqual(expected === undefined ? undefined : new Float32Array(expected));
        },
      ),
      { numRuns: roundsOf({ quick: 330, long: 10_000 }) },
    );
  });

  test.each(['[', '[1', '[1,', '[1 ', '[-', '[1.', '[1e', '[]', '[1,]', '[,1]', '[1}'])('%s is none', (text) => {
    expect(read(text)).toBeUndefined();
  });

  test('may lie anywhere in a text that is longer than the window of the module', () => {
    const arrays = Array.from({ length: 400 }, (_, index) =>
      Array.from({ length: 150 + (index % 7) }, (__, column) => (column - index) / 7),
    );
    const text = JSON.stringify(arrays);
    const readAt = numberArraysOf(Buffer.from(text));
    let at = 1;
    for (const array of arrays) {
      const found = readAt(at + 1);
      expect(found?.values).toEqual(new Float32Array(array));
      at = (found?.end ?? 0) + 1;
    }
    expect(at).toBe(text.length);
  });

  test('has at most as many components as a vector may have', () => {
    expect(read(`[${'1,'.repeat(65_535)}1]`)?.values).toHaveLength(65_536);
    expect(read(`[${'1,'.repeat(65_536)}1]`)).toBeUndefined();
  });
});
