// SPDX-License-Identifier: Apache-2.0
import { ANY_CHARACTER, roundsOf } from '@sextant/foundation-testing';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inBox } from '../filter/geo.ts';
import { coverBox, encodeCell } from './geo-cell.ts';
import { decodeNumber, encodeNumber } from './number-encoding.ts';
import { postingKey, postingRangeOf, prefixRange, successor, TAG } from './posting-key.ts';
import { decodeString, encodePrefix, encodeString } from './string-encoding.ts';
import { decodeUuid, encodeUuid, uuidBytes } from './uuid-encoding.ts';

const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.bigInt({ min: -(2n ** 64n), max: 2n ** 64n }),
  fc.bigInt({ min: -(2n ** 110n), max: 2n ** 110n }),
  fc.constantFrom<number | bigint>(0, -0, 5e-324, Number.MAX_VALUE, 2 ** 53, 2n ** 53n + 1n, -(2n ** 63n), 2n ** 64n - 1n),
);
const sign = (value: number) => Math.sign(value) + 0;
const compare = (a: number | bigint, b: number | bigint) => Number(a > b) - Number(a < b);

describe('numbers', () => {
  test('byte order is the order of the numbers, integers exact', () => {
    fc.assert(
      fc.property(number, number, (a, b) => {
        expect(sign(Buffer.compare(encodeNumber(a).bytes, encodeNumber(b).bytes))).toBe(compare(a, b));
      }),
      { numRuns: roundsOf({ quick: 300, long: 20_000 }) },
    );
  });

  test('an integer beside another differs from it, as far as 2^115', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 115n), max: 2n ** 115n }), (value) => {
        expect(Buffer.compare(encodeNumber(value).bytes, encodeNumber(value + 1n).bytes)).toBe(-1);
      }),
    );
  });

  test('decoding returns the number', () => {
    fc.assert(
      fc.property(number, (value) => {
        const { bytes, exact } = encodeNumber(value);
        expect(exact).toBe(true);
        expect(compare(decodeNumber(bytes) ?? Number.NaN, value)).toBe(0);
      }),
    );
  });

  test.each([2n ** 53n, 2n ** 60n, -(2n ** 63n), 2n ** 64n - 1n])('%s comes back as a bigint, whose text is exact', (value) => {
    expect(decodeNumber(encodeNumber(value).bytes)).toBe(value);
  });

  test.each([2n ** 200n + 2n ** 140n, -(2n ** 130n) - 2n ** 70n, 10n ** 400n, -(10n ** 400n)])(
    '%s shares its bytes, in the right place',
    (huge) => {
      const { bytes, exact } = encodeNumber(huge);
      expect(exact).toBe(false);
      for (const other of [0, 1e30, -1e30, 2n ** 64n, Number(huge) / 4]) {
        if (Number.isFinite(Number(other))) expect(sign(Buffer.compare(bytes, encodeNumber(other).bytes))).toBe(compare(huge, other));
      }
    },
  );
});

describe('strings', () => {
  const text = fc.oneof(
    fc.string({ unit: ANY_CHARACTER }),
    fc.string({ minLength: 440, maxLength: 500 }),
    fc.constantFrom('\ud800', 'a\udc00', '\ufffd'),
  );

  test('short strings read back, others are distinguished by a hash', () => {
    fc.assert(
      fc.property(text, text, (a, b) => {
        const { bytes, exact } = encodeString(a);
        expect(decodeString(bytes)).toBe(exact ? a : undefined);
        expect(bytes.length).toBeLessThan(500);
        expect(Buffer.compare(bytes, encodeString(b).bytes) === 0).toBe(a === b);
      }),
    );
  });

  test('a string with a prefix lies in the range of the prefix', () => {
    fc.assert(
      fc.property(text, fc.nat(600), (whole, length) => {
        const encoded = encodePrefix(whole.slice(0, length));
        if (encoded === undefined) return;
        const { start, end } = prefixRange(7, TAG.value, encoded.bytes);
        const key = postingKey(7, TAG.value, encodeString(whole).bytes);
        expect(Buffer.compare(start, key)).toBeLessThan(1);
        expect(Buffer.compare(key, end)).toBe(-1);
      }),
    );
  });
});

describe('UUIDs', () => {
  test('every spelling has the bytes of the canonical one first', () => {
    fc.assert(
      fc.property(fc.uuid(), (uuid) => {
        const canonical = encodeUuid(uuid);
        expect(canonical?.length).toBe(16);
        for (const spelling of [uuid.toUpperCase(), uuid.replaceAll('-', ''), `urn:uuid:${uuid}`]) {
          const bytes = encodeUuid(spelling) ?? new Uint8Array();
          expect(uuidBytes(bytes)).toEqual(canonical);
          expect(decodeUuid(bytes)).toBe(uuid);
          if (spelling !== uuid) expect(bytes).not.toEqual(canonical);
        }
      }),
    );
  });

  test.each([
    '',
    'x',
    '6f1f3f2e-1c1a-4a57-9d3b-0a6b1c2d3e4',
    '6f1f3f2e1c1a-4a57-9d3b-0a6b1c2d3e4f',
    '{6f1f3f2e-1c1a-4a57-9d3b-0a6b1c2d3e4f}',
    'g'.repeat(32),
  ])('%j is none', (text) => {
    expect(encodeUuid(text)).toBeUndefined();
  });
});

describe('places', () => {
  const lon = fc.integer({ min: -1_800_000, max: 1_800_000 }).map((degrees) => degrees / 10_000);
  const lat = fc.integer({ min: -900_000, max: 900_000 }).map((degrees) => degrees / 10_000);

  test('every point of a box lies in a range that covers it', () => {
    fc.assert(
      fc.property(lon, lon, lat, lat, fc.array(fc.record({ lon, lat }), { maxLength: 20 }), (left, right, a, b, points) => {
        const topLeft = { lon: left, lat: Math.max(a, b) };
        const bottomRight = { lon: right, lat: Math.min(a, b) };
        const ranges = coverBox(topLeft, bottomRight);
        expect(ranges.length).toBeLessThan(60);
        for (const point of [topLeft, bottomRight, ...points].filter((one) => inBox(one, topLeft, bottomRight))) {
          const cell = encodeCell(point);
          expect(ranges.some(({ first, last }) => Buffer.compare(first, cell) <= 0 && Buffer.compare(cell, last) <= 0)).toBe(true);
        }
      }),
    );
  });

  test('a small box is covered by about its own area', () => {
    const ranges = coverBox({ lon: 13.3, lat: 52.6 }, { lon: 13.5, lat: 52.4 });
    const cells = ranges.reduce(
      (sum, { first, last }) => sum + Number(Buffer.from(last).readBigUInt64BE() - Buffer.from(first).readBigUInt64BE() + 1n),
      0,
    );
    expect((cells / 2 ** 64) * 360 * 180).toBeLessThan(0.2 * 0.2 * 1.6);
  });
});

describe('keys', () => {
  const ordinal = fc.oneof(fc.nat(600), fc.nat(2 ** 31));

  test('the keys of one index lie in its range and in no other', () => {
    fc.assert(
      fc.property(ordinal, ordinal, fc.uint8Array({ maxLength: 20 }), (one, other, rest) => {
        const key = postingKey(one, TAG.value, rest);
        const inRange = ({ start, end }: { start: Uint8Array; end: Uint8Array }) =>
          Buffer.compare(start, key) <= 0 && Buffer.compare(key, end) < 0;
        expect(inRange(postingRangeOf(one))).toBe(true);
        expect(inRange(postingRangeOf(other))).toBe(one === other);
        expect(inRange(prefixRange(one, TAG.value, rest))).toBe(true);
        expect(inRange({ start: key, end: successor(key) })).toBe(true);
      }),
    );
  });
});
