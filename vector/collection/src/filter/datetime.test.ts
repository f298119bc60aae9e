// SPDX-License-Identifier: Apache-2.0
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseDatetime } from './datetime.ts';

describe('dates in microseconds', () => {
  test.each<[string, number | bigint]>([
    ['1970-01-01', 0],
    ['1970-01-01T00:00:00Z', 0],
    ['1970-01-01t00:00:01z', 1_000_000],
    ['1970-01-01 00:00', 0],
    ['1970-01-01T00:00:00.000001', 1],
    ['1970-01-01T00:00:00.0000019Z', 1],
    ['1970-01-01T00:00:00.5', 500_000],
    ['1970-01-01T01:00:00+01:00', 0],
    ['1969-12-31T23:00:00-0100', 0],
    ['1969-12-31T23:59:59.999999Z', -1],
    ['2016-12-31T23:59:60Z', 1_483_228_800_000_000],
    ['2024-02-29', 1_709_164_800_000_000],
    ['0001-01-01', -62_135_596_800_000_000n],
    ['9999-12-31T23:59:59.999999Z', 253_402_300_799_999_999n],
  ])('%s is %s', (text, micros) => {
    expect(parseDatetime(text)).toBe(micros);
  });

  test.each([
    '',
    '2024',
    '2024-1-1',
    '2024-13-01',
    '2024-00-10',
    '2024-02-30',
    '2023-02-29',
    '2024-01-01T',
    '2024-01-01T24:00:00Z',
    '2024-01-01T10:60:00Z',
    '2024-01-01T10:00:61Z',
    '2024-01-01T10:00:00.Z',
    '2024-01-01T10:00:00+25:00',
    '2024-01-01T10:00:00+1',
    '2024-01-01Z',
    ' 2024-01-01',
    '2024-01-01\n',
    '+2024-01-01',
    '１９７０-01-01',
  ])('%j is no date', (text) => {
    expect(parseDatetime(text)).toBeUndefined();
  });

  test('every instant that JavaScript writes reads back', () => {
    fc.assert(
      fc.property(fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
        expect(BigInt(parseDatetime(date.toISOString()) ?? 'none')).toBe(BigInt(date.getTime()) * 1000n);
      }),
    );
  });
});
