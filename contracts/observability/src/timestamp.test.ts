// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { parseTimestamp } from './timestamp.ts';

describe('a timestamp', () => {
  test.each([
    ['2026-01-31T12:00:00.000Z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T12:00:00.123456789Z', '2026-01-31T12:00:00.123Z'],
    ['2026-01-31t12:00z', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31 12:00:00', '2026-01-31T12:00:00.000Z'],
    ['2026-01-31T01:30:00+0200', '2026-01-30T23:30:00.000Z'],
    ['2026-01-31T23:30:00-01:00', '2026-02-01T00:30:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ])('%s is %s in UTC', (written, utc) => {
    expect(parseTimestamp(written)).toBe(utc);
  });

  test.each(['', 'now', '2026-02-29', '2026-13-01', '2026-01-31T25:00:00Z', '2026-1-3', '1769860800000', '2026-01-31T12:00:00Zx'])(
    '%j is none',
    (written) => {
      expect(parseTimestamp(written)).toBeUndefined();
    },
  );
});
