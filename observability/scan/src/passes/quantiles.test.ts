// SPDX-License-Identifier: Apache-2.0
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { isLongRun, temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { measuredColumns } from '../plan/columns.ts';
import { segmentDimensions } from '../plan/segments.ts';
import { PointCollector } from '../points.ts';
import { engineOnThread } from '../testing/engine-on-thread.ts';
import { fileSource } from '../testing/table-files.ts';
import { columnStatistics } from './column-statistics.ts';
import { NumberRanges } from './number-ranges.ts';
import { runPass } from './pass.ts';
import { measureQuantiles } from './quantiles.ts';

/** Columns in which an estimate is good, far off, or of values most of which are the same. */
const TABLE = `
  SELECT CAST(hash(i) % 1000003 AS DOUBLE) / 7 AS even, exp(CAST(hash(i + 1) % 100000 AS DOUBLE) / 4000) - 1 AS skewed,
    CAST(CASE WHEN i % 20 = 0 THEN hash(i) % 97 ELSE 0 END AS INTEGER) AS same, CAST(i % 2 AS DOUBLE) AS two, 7 AS one,
    CASE WHEN i % 3 = 0 THEN 'a' WHEN i % 3 = 1 THEN 'b' END AS kind
  FROM range(20000) AS r(i)`;
const OPTIONS = { segments: { kind: ['a', '__null__'] } };
const NAMES = ['even', 'skewed', 'same', 'two', 'one'];

/** With samples that are large, too small to say where a quantile lies, and not needed. */
const SIZES = [
  [0, 2000],
  [1000, 3],
  [1_000_000, 500],
] as const;
const MORE_SIZES = [
  [0, 100_000],
  [1000, 500],
  [60_000, 500],
] as const;

test.each([...SIZES, ...(isLongRun() ? MORE_SIZES : [])])(
  'quantiles are exact, however few values may be put in order at once (%i), and however small the samples (%i)',
  async (valuesMax, sampleSize) => {
    await using directory = await temporaryDirectory();
    const path = join(directory.path, 'table.parquet');
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    await connection.run(`COPY (${TABLE}) TO '${path}' (FORMAT parquet)`);
    const rows = (await connection.runAndReadAll(`SELECT kind, ${NAMES.join(', ')} FROM '${path}'`)).getRowsJS();
    connection.closeSync();
    instance.closeSync();
    await using source = await fileSource(path);
    await using engine = await engineOnThread(source, directory.path);
    const attributes = NAMES.map((name) => ({ name, data_type: 'OTHER' as const, monitored: true }));
    const columns = measuredColumns(engine.columns, { attributes, options: OPTIONS }, engine.dialect);
    const dimensions = segmentDimensions(engine.columns, OPTIONS, engine.dialect);
    const [points, ranges] = [new PointCollector(), new NumberRanges()];
    const groups = columns.map((column, index) => columnStatistics(column, index, { dialect: engine.dialect, points, ranges }));
    await runPass(engine, { groups, dimensions });
    await measureQuantiles(engine, { columns, dimensions, ranges, beside: [], valuesMax, sampleSize }, points);

    const found = points
      .finish(dimensions.flatMap(({ names }) => names))
      .filter(({ metric_name: name }) => name === 'QUANTILE' || name === 'MEDIAN')
      .map(({ attribute, segment, metric_aggregation, value }) => [`${attribute} ${segment} ${metric_aggregation}`, value] as const);
    const expected = NAMES.flatMap((name, index) =>
      (
        [
          [null, undefined],
          ['kind=a', 'a'],
          ['kind=__null__', null],
        ] as const
      ).flatMap(([segment, kind]) => {
        const values = rows.filter((row) => kind === undefined || row[0] === kind).map((row) => Number(row[index + 1]));
        const sorted = values.toSorted((one, other) => one - other);
        return Object.entries({ p05: 0.05, p25: 0.25, median: 0.5, p75: 0.75, p95: 0.95 }).map(
          ([aggregation, share]) => [`${name} ${segment} ${aggregation}`, quantile(sorted, share)] as const,
        );
      }),
    );
    expect(new Map(found)).toEqual(new Map(expected));
  },
);

function quantile(sorted: readonly number[], share: number): number {
  const place = (sorted.length - 1) * share;
  const [below = 0, above = 0] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}
