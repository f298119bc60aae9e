// SPDX-License-Identifier: Apache-2.0
import { beforeAll, describe, expect, test } from 'vitest';
import { compileMetric } from './metric-compiler.ts';
import { EMPTY_ROW, fillRows, type SqlEngine, testContext } from './sql-engines.conformance.ts';

export function metricsSuite(engine: SqlEngine): void {
  async function measured(expression: string, ignore_nulls = true): Promise<readonly (readonly unknown[])[]> {
    const compiled = compileMetric('3', { expression, options: { ignore_nulls }, raw_sql: false }, testContext(engine.dialect));
    if (compiled.kind === 'refused') throw new Error(compiled.reason);
    const { check } = compiled;
    return engine.query(check.kind === 'aggregate' ? `SELECT ${check.sql} FROM "rows"` : check.sql);
  }

  describe('metrics', () => {
    beforeAll(() =>
      fillRows(engine, [
        { ...EMPTY_ROW, t: 'a', n: 1, x: 0.5, b: true },
        { ...EMPTY_ROW, t: 'a', n: 3, x: null, b: false },
        { ...EMPTY_ROW, t: 'b', n: 5, x: 2.5, b: true },
        { ...EMPTY_ROW, t: null, n: 7, x: 3, b: null },
      ]),
    );

    describe('[M1] aggregates and arithmetic between them', () => {
      test.each([
        ['count(*)', 4],
        ['COUNT(`x`)', 3],
        ['min(n) + max(n)', 8],
        ['sum(`n` * 2) / count(*)', 8],
        ['avg(x)', 2],
        ['distinct(t)', 2],
        ['count(DISTINCT t)', 2],
        ['variance(n)', 20 / 3],
        ['stddev(n)', Math.sqrt(20 / 3)],
        ['median(n)', 4],
        ['median(x)', 2.5],
        ["sum(CASE WHEN t = 'a' THEN n ELSE 0 END) / sum(n) * 100", 25],
        ['round(avg(n) / 3, 2)', 1.33],
        ['sum(n) / (count(*) - 4)', null],
        ['max(length(concat(t, t)))', 2],
        ['-min(n) + 2', 1],
      ])('%s', async (expression, value) => {
        const [[answer] = []] = await measured(expression);
        if (value === null) expect(answer).toBeNull();
        else expect(answer).toBeCloseTo(value, 10);
      });
    });

    test('[M2] by dimensions, each combination is a row, null among them', async () => {
      const rows = await measured('sum(n) GROUP BY t, `b`');
      expect(new Set(rows.map((row) => JSON.stringify(row)))).toEqual(
        new Set(['[1,"a",true]', '[3,"a",false]', '[5,"b",true]', '[7,null,null]']),
      );
    });

    test('[M3] without ignore_nulls, rows without a value count', async () => {
      expect(await measured('count(x)', false)).toEqual([[4]]);
      expect(await measured('distinct(t)', false)).toEqual([[3]]);
      expect(await measured('avg(x)', false)).toEqual([[1.5]]);
    });
  });
}
