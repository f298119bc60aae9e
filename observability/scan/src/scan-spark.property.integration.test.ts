// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { asFile, type OpenedSource } from '@sextant/observability-connectors';
import { missingSpark, openSparkTable } from '@sextant/observability-connectors/spark-for-tests';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  checkCombinations,
  checkCombinedMoves,
  checkExplanations,
  checkMetricFaults,
  checkScans,
  checkSegmentMoves,
  profileRequest,
} from './scan.conformance.ts';
import type { ScanResult } from './scan.ts';
import { scanOnThread } from './testing/engine-on-thread.ts';
import { type Table, tables } from './testing/table-arbitraries.ts';
import { parquetFile } from './testing/table-files.ts';
import { testLimits } from './testing/test-limits.ts';

const missing = missingSpark();

async function openTable(table: Table, directory: string): Promise<OpenedSource> {
  await using _file = await parquetFile(table, directory);
  return await openSparkTable({ path: join(directory, 'table.parquet'), format: 'parquet' }, { clock: systemClock });
}

const rule = (id: string, expression: string, ignoresNulls: boolean) =>
  ({
    id,
    type: 'RULE',
    name: id,
    monitor: { expression, options: { ignore_nulls: ignoresNulls, empty_values: [] }, variables: [] },
  }) as const;
const metric = (id: string, expression: string, raw: boolean) =>
  ({ id, type: 'METRIC', name: id, monitor: { expression, options: { ignore_nulls: true }, raw_sql: raw } }) as const;

/** One of each kind of expectation, of text, number and time. */
const MONITORS = [
  rule('1', 'VALIDATE id EXPECT NUMERIC_VALUE >= 0', true),
  rule('2', 'VALIDATE day EXPECT VALUE > "2000-01-01" AND NOT (VALUE > "2500-01-01")', true),
  rule('3', 'VALIDATE select EXPECT FREQUENCY < 3 OR LENGTH < 4', false),
  rule('4', 'VALIDATE huge EXPECT REGEX("^-?[0-9]{2,30}$")', true),
  metric('5', 'sum(round(select, 2)) + max(floor(select)) + min(year(day))', false),
  metric('6', 'avg(select) / count(distinct id) GROUP BY flag, at', false),
  metric('7', 'stddev(unix_timestamp(at)) - max(dayofweek(day)) + max(datediff(day, at))', false),
];

/** Everything that a scan measures and shows, without what names the engine. */
function comparable({ samples, metrics, memory, ...rest }: ScanResult) {
  const { files: _files, ...kept } = memory;
  return {
    ...rest,
    memory: kept,
    // Of a file the number of a row is known, and its order.
    samples: samples.map(({ record_number: _number, ...sample }) => JSON.stringify(sample)).toSorted(),
    metrics: Object.fromEntries(
      metrics.map(({ value, ...point }) => [
        [point.metric_name, point.metric_aggregation, point.attribute, point.segment, point.monitor_id].join(' | '),
        value,
      ]),
    ),
  };
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'Spark' : `Spark (skipped: ${missing})`, { timeout: 900_000 }, () => {
  // The quick run compares them over one table, in `scan-engines.test.ts`.
  test.skipIf(!isLongRun())(
    'a scan of Spark finds what a scan of the same file by DuckDB finds: values, rows at fault, explanations, what it remembers',
    async () => {
      await fc.assert(
        fc.asyncProperty(tables('all'), async (table) => {
          await using directory = await temporaryDirectory();
          await using file = await parquetFile(table, directory.path);
          // As a file goes to Spark for its size.
          await using opened = await openTable(table, directory.path);
          const spark = asFile(opened, file.description);
          const names = table.columns.map(({ name }) => name);
          const changes = {
            options: { segments: { flag: ['true', '__null__'] }, id_attributes: ['id'] },
            monitors: MONITORS,
          };
          const options = {
            limits: { ...testLimits(directory.path), timeoutMs: 800_000 },
            clock: systemClock,
            signal: new AbortController().signal,
            onProgress: () => undefined,
          };
          const expected = comparable(await scanOnThread(profileRequest(file, names, changes), options));
          const found = comparable(await scanOnThread(profileRequest(spark, names, changes), options));
          expect(Object.keys(found.metrics)).toEqual(Object.keys(expected.metrics));
          for (const [point, value] of Object.entries(expected.metrics)) {
            const same = found.metrics[point];
            if (value === null) expect(same, point).toBeNull();
            else expect(Math.abs((same ?? Number.NaN) - value), point).toBeLessThanOrEqual(1e-12 * Math.abs(value));
          }
          expect({ ...found, metrics: {} }).toEqual({ ...expected, metrics: {} });
        }),
        { numRuns: 30, endOnFailure: true },
      );
    },
  );

  test("a tenant's SQL is refused", async () => {
    const [table] = fc.sample(tables('ascii'), { seed: 1, numRuns: 1 });
    if (table === undefined) throw new Error('there is a table');
    await using directory = await temporaryDirectory();
    await using spark = await openTable(table, directory.path);
    const request = profileRequest(spark, [], { monitors: [metric('1', 'SELECT count(*) FROM asset', true)] });
    const options = {
      limits: { ...testLimits(directory.path), timeoutMs: 800_000 },
      clock: systemClock,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    };
    const { failures } = await scanOnThread(request, options);
    expect(failures).toEqual([
      {
        monitor_id: '1',
        reason: 'Custom SQL is not run on Spark, where it could not be confined to its asset; write the metric as an expression',
      },
    ]);
  });

  // The first test compares the same things with DuckDB, at a tenth of the time.
  describe.skipIf(!isLongRun())('against computations of their own', () => {
    checkExplanations('a table of Spark', openTable);
    checkCombinations('a table of Spark', openTable);
    checkCombinedMoves('a table of Spark', openTable);
    checkMetricFaults('a table of Spark', openTable);
    checkSegmentMoves('a table of Spark', openTable);
    checkScans('a table of Spark', { letters: 'all', runs: 2, open: openTable });
  });
});
