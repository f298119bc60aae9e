// SPDX-License-Identifier: Apache-2.0
/** Days beyond all timestamps, and those without end: what a calendar knows of them is measured, what takes a timestamp is null. */
import { beforeAll, describe, expect, test } from 'vitest';
import { compileMetric } from './metric-compiler.ts';
import { EMPTY_ROW, fillRows, type SqlEngine, testContext } from './sql-engines.conformance.ts';

export function farDaysSuite(engine: SqlEngine): void {
  describe('days beyond all timestamps', () => {
    beforeAll(() => {
      const days = ['2026-01-31', '300000-05-07', 'infinity', null];
      return fillRows(
        engine,
        days.map((d) => ({ ...EMPTY_ROW, d, ts: '2026-02-01 00:00:00' })),
      );
    });

    test.each([
      ['max(year(d))', 300_000],
      ['sum(year(d))', 302_026],
      ['max(quarter(d))', 2],
      ['max(month(d))', 5],
      ['max(day(d))', 31],
      ['sum(dayofweek(d))', 7 + dayOfWeek(300_000, 5, 7)],
      ['max(unix_timestamp(d))', epochDay(300_000, 5, 7) * 86_400],
      ['max(hour(d))', 0],
      ['count(hour(d))', 1],
      ['max(datediff(d, ts))', epochDay(300_000, 5, 7) - epochDay(2026, 2, 1)],
      ['count(datediff(d, ts))', 2],
      ['count(year(date_add(d, 1)))', 2],
      ['sum(CASE WHEN d > ts THEN 1 ELSE 0 END)', 0],
      ['count(CAST(d AS TIMESTAMP))', 1],
    ])('%s', async (expression, value) => {
      const compiled = compileMetric('3', { expression, options: { ignore_nulls: true }, raw_sql: false }, testContext(engine.dialect));
      if (compiled.kind === 'refused') throw new Error(compiled.reason);
      expect(await engine.query(`SELECT ${compiled.check.sql} FROM "rows"`)).toEqual([[value]]);
    });
  });
}

/** Since 1970; the calendar comes again every 400 years of 146,097 days. */
function epochDay(year: number, month: number, day: number): number {
  const cycles = Math.floor((year - 2000) / 400);
  return cycles * 146_097 + Date.UTC(year - cycles * 400, month - 1, day) / 86_400_000;
}

/** From 1, Sunday. */
function dayOfWeek(year: number, month: number, day: number): number {
  return ((epochDay(year, month, day) + 4) % 7) + 1;
}
