// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { IntegerRuns } from './integer-runs.ts';
import { OrcMemory } from './memory.ts';
import { OrcStream } from './stream.ts';
import { gregorianDay, microsecondsReader, zoneOffset } from './times.ts';

/** A literal of the first version. */
function integer(value: bigint, isSigned: boolean): IntegerRuns {
  const bytes = [0xff];
  let rest = BigInt.asUintN(64, isSigned ? (value << 1n) ^ (value >> 63n) : value);
  for (; rest >= 0x80n; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  const content = Uint8Array.from([...bytes, Number(rest)]);
  const read = (at: number, length: number) => content.subarray(at, at + length);
  const stream = new OrcStream({ read, start: 0, length: content.length, packing: { unpack: undefined }, memory: new OrcMemory() });
  return new IntegerRuns(stream, { version: 1, isSigned });
}

const seconds = (text: string): number => Date.parse(`${text}Z`) / 1000;
const EPOCH = seconds('2015-01-01T00:00:00');

function read(written: number, { nanoseconds = 0, zone = 'UTC', isHybridCalendar = false } = {}): string {
  const next = microsecondsReader({
    seconds: integer(BigInt(written), true),
    nanoseconds: integer(BigInt(nanoseconds), false),
    offset: zoneOffset(zone),
    isHybridCalendar,
  });
  const value = next();
  const fraction = ((value % 1_000_000n) + 1_000_000n) % 1_000_000n;
  return `${new Date(Number((value - fraction) / 1000n)).toISOString().slice(0, 19)}.${String(fraction).padStart(6, '0')}`;
}

describe('a time', () => {
  test.each([
    [0, {}, '2015-01-01T00:00:00.000000'],
    [-1, {}, '2014-12-31T23:59:59.000000'],
    // Examples of the specification: 1000 and 100,000 nanoseconds.
    [0, { nanoseconds: 0x0a }, '2015-01-01T00:00:00.000001'],
    [0, { nanoseconds: 0x0c }, '2015-01-01T00:00:00.000100'],
    [0, { nanoseconds: 123_456_789 * 8 }, '2015-01-01T00:00:00.123456'],
    // Before 1970 the writer cuts towards it.
    [seconds('1969-07-20T20:17:41') - EPOCH, { nanoseconds: 5 * 8 + 7 }, '1969-07-20T20:17:40.500000'],
    [seconds('1969-07-20T20:17:41') - EPOCH, { nanoseconds: 0 }, '1969-07-20T20:17:41.000000'],
    [seconds('1969-07-20T20:17:41') - EPOCH, { nanoseconds: 999_000 * 8 }, '1969-07-20T20:17:41.000999'],
    // As the writer of Arrow has it.
    [seconds('1969-07-20T20:17:41') - EPOCH, { nanoseconds: -5 * 8 + 7 }, '1969-07-20T20:17:40.500000'],
    [seconds('9999-12-31T23:59:59') - EPOCH, { nanoseconds: 999_999_999 * 8 }, '9999-12-31T23:59:59.999999'],
  ])('of %d seconds, %j', (written, parts, expected) => expect(read(written, parts)).toBe(expected));

  test.each([
    ['2015-01-01T05:00:00', '2015-01-01T00:00:00.000000'],
    ['2015-07-01T16:00:00', '2015-07-01T12:00:00.000000'],
    ['2015-03-08T06:59:59', '2015-03-08T01:59:59.000000'],
    ['2015-03-08T07:00:00', '2015-03-08T03:00:00.000000'],
    ['1969-07-20T20:17:40', '1969-07-20T16:17:40.000000'],
  ])('that was written in New York at %s of UTC is what the clock showed there', (instant, expected) => {
    const epoch = seconds('2015-01-01T05:00:00');
    expect(read(seconds(instant) - epoch, { zone: 'America/New_York' })).toBe(expected);
  });

  test('before 1582 of a file that counts as Java does', () => {
    const julian = -719_164 * 86_400 - EPOCH;
    expect(read(julian, { isHybridCalendar: true })).toBe('0001-01-01T00:00:00.000000');
    expect(read(julian, { isHybridCalendar: false })).toBe('0000-12-30T00:00:00.000000');
  });

  test.each([
    [0, { nanoseconds: 1_000_000_000 * 8 }],
    [0, { nanoseconds: 1_000_002 * 8 + 7 }],
    [10 ** 13, {}],
  ])('that is none is damaged: %d seconds, %j', (written, parts) => {
    expect(() => read(written, parts)).toThrow('damaged or truncated');
  });
});

describe('a time zone', () => {
  test.each([
    ['', 0],
    ['GMT', 0],
    ['Etc/UTC', 0],
    ['GMT+05:30', 19_800],
    ['GMT-8', -28_800],
    ['UTC+0100', 3600],
    ['Asia/Kolkata', 19_800],
    ['America/New_York', -18_000],
  ])('%j is ahead of UTC by %d seconds', (zone, expected) => expect(zoneOffset(zone)(EPOCH)).toBe(expected));

  test('that nobody knows is named', () => {
    expect(() => zoneOffset('Mars/Olympus')).toThrow('holds times of the time zone "Mars/Olympus", which is not known');
  });
});

describe('a day', () => {
  test.each([
    ['1582-10-15', -141_427, -141_427],
    ['1582-10-04', -141_428, -141_438],
    ['1500-02-29, which became 1 March', -171_596, -171_605],
    ['0001-01-01', -719_164, -719_162],
    ['2026-11-24', 20_781, 20_781],
  ])('%s of the Julian calendar keeps its name', (_name, julian, gregorian) => expect(gregorianDay(julian)).toBe(gregorian));
});
