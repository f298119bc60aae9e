// SPDX-License-Identifier: Apache-2.0
/**
 * One file, in the long run of 200,000 rows, measured twice by DuckDB and once by Spark: the same values. What Spark takes is for planning statements, by the
 * number of columns and monitors, so that there is one column of each kind (days and truth values are those of `spark-functions.test.ts`), and each kind of expectation and aggregate once.
 */
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { isLongRun, roundsOf, temporaryDirectory } from '@sextant/foundation-testing';
import { asFile, type OpenedSource } from '@sextant/observability-connectors';
import { missingSpark, openSparkTable } from '@sextant/observability-connectors/spark-for-tests';
import { describe, expect, test } from 'vitest';
import { duckdbDialect } from './dialect/duckdb.ts';
import { profileRequest } from './scan.conformance.ts';
import { scanOnThread } from './testing/engine-on-thread.ts';
import { writeParquet } from './testing/parquet-writer.ts';
import { fileSource } from './testing/table-files.ts';
import { testLimits } from './testing/test-limits.ts';

const ROWS = roundsOf({ quick: 80, long: 200_000 });
/** Beyond what is shown of a text; the patterns of personal data take a time that grows with its square. */
const LONGEST = roundsOf({ quick: 300, long: 5000 });
const NAMES = ['id', 'huge', 'fraction', 'at', 'we"ird; name\'é', 'colour'];
/** The last is of texts like the one before it: the quick run has only segments, rules and groups of it. */
const MEASURED = isLongRun() ? NAMES : NAMES.slice(0, -1);
const VALUES = [
  'i',
  "CAST((hash(i) % 5000000) / 100 AS DECIMAL(7, 2)) * CASE WHEN i % 3 = 0 THEN 1 ELSE '100000000000000000000000000000'::DECIMAL(30, 0) END",
  "CASE WHEN i % 50 = 0 THEN 'nan'::DOUBLE WHEN i % 51 = 0 THEN 'inf'::DOUBLE WHEN i % 52 = 0 THEN -0.0 ELSE CAST(hash(i + 1) % 1000000000 AS DOUBLE) / 1024 END",
  "CASE WHEN i % 67 = 0 THEN TIMESTAMP 'infinity' WHEN i % 71 = 0 THEN TIMESTAMP '-infinity' ELSE TIMESTAMP '2020-01-01' + to_seconds(CAST(hash(i + 4) % 100000000 AS BIGINT)) END",
  `CASE WHEN i % 4000 = 0 THEN repeat('x', ${LONGEST}) WHEN i % 7 = 0 THEN '' WHEN i % 13 = 0 THEN NULL WHEN i % 11 = 0 THEN 'Жé日 $''' || (i % 4) WHEN i % 5 = 0 THEN 'user ' || (hash(i + 5) % 100000) || '@example.com' ELSE md5(CAST(i AS VARCHAR)) END`,
  "(['red', 'green', 'blue', NULL])[1 + CAST(hash(i + 6) % 4 AS INTEGER)]",
];
const COLUMNS = VALUES.map((value, index) => `${value} AS ${duckdbDialect.identifier(NAMES[index] ?? '')}`).join(', ');
const rule = (id: string, expression: string) =>
  ({ id, type: 'RULE', name: id, monitor: { expression, options: { ignore_nulls: true, empty_values: [] }, variables: [] } }) as const;
const metric = (id: string, expression: string) =>
  ({ id, type: 'METRIC', name: id, monitor: { expression, options: { ignore_nulls: true }, raw_sql: false } }) as const;
const MONITORS = [
  rule('1', 'VALIDATE huge EXPECT NUMERIC_VALUE < 49000 AND FREQUENCY < 2'),
  rule('2', 'VALIDATE colour EXPECT REGEX("^[a-e]+$") OR LENGTH > 4'),
  rule('3', 'VALIDATE at EXPECT VALUE > "2021-01-01"'),
  metric('4', 'max(year(at)) + min(unix_timestamp(at)) - max(dayofweek(at)) + stddev(id) + sum(round(id)) + min(floor(huge))'),
  metric('5', 'avg(id) / count(distinct id) GROUP BY colour'),
];

const missing = missingSpark();

async function scan(source: OpenedSource, directory: string) {
  const { metrics, samples, ruleCounts, failures, columns, schemaChanges } = await scanOnThread(
    profileRequest(source, MEASURED, { options: { segments: { colour: ['red', '__null__'] }, id_attributes: ['id'] }, monitors: MONITORS }),
    {
      limits: { ...testLimits(directory), timeoutMs: 3_600_000 },
      clock: systemClock,
      signal: new AbortController().signal,
      onProgress: () => undefined,
    },
  );
  const values = metrics.map(
    ({ value, ...point }) =>
      [[point.metric_name, point.metric_aggregation, point.attribute, point.segment, point.monitor_id].join(' | '), value] as const,
  );
  // Of a file the number of a row is known, and its order.
  const rows = samples.map(({ record_number: _number, ...sample }) => JSON.stringify(sample)).toSorted();
  return { values: new Map(values), rows, ruleCounts, failures, columns, schemaChanges };
}

/** The points whose values differ by more than the last digits of a double. */
function differences(one: ReadonlyMap<string, number | null>, other: ReadonlyMap<string, number | null>): readonly string[] {
  return [...new Set([...one.keys(), ...other.keys()])].filter((point) => {
    const [left, right] = [one.get(point), other.get(point)];
    if (left === right) return false;
    return typeof left !== 'number' || typeof right !== 'number' || !(Math.abs(left - right) <= 1e-12 * Math.abs(left));
  });
}

describe.skipIf(missing !== undefined)(missing === undefined ? 'engines' : `engines (skipped: ${missing})`, { timeout: 900_000 }, () => {
  test('DuckDB measures the same twice, and Spark what DuckDB does, NaN, infinities of numbers and times, both zeros and hostile names included', async () => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'table.parquet');
    await writeParquet(`SELECT ${COLUMNS} FROM range(${ROWS}) AS r(i)`, path);
    await using file = await fileSource(path);
    const first = await scan(file, directory.path);
    const again = await scan(file, directory.path);
    expect(first.failures).toEqual([]);
    expect(again.values.size).toBeGreaterThan(100);
    expect({ ...again, values: differences(again.values, first.values) }).toEqual({ ...first, values: [] });
    await using opened = await openSparkTable({ path, format: 'parquet' }, { clock: systemClock });
    const spark = await scan(asFile(opened, file.description), directory.path);
    expect({ ...spark, values: differences(spark.values, first.values) }).toEqual({ ...first, values: [] });
  });
});
