// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { metadataPage, type SizeResult } from './metadata-page.ts';
import { SERIES_PER_ASSET, simulatedScan } from './simulated-tenant.ts';

const RESULT: SizeResult = {
  database: 'PostgreSQL',
  series: 10_000,
  tables: 200,
  scans: 12,
  serviceMs: 20,
  databaseMs: 16,
  claimMs: 3,
  alerts: 4,
  bytesPerPoint: 400,
  bytesPerSeries: 5000,
  lists: [{ list: 'all assets', rows: 200, milliseconds: 1.25, processorMs: 2 }],
};

test('the page says what a million series take at the cost that was measured, and how many were measured', () => {
  const page = metadataPage({ seed: 7, machine: 'A machine', seriesPerTable: 50, command: 'npm run bench:metadata', results: [RESULT] });
  // 36 ms for 50 series are 720 µs each; a million of them are 720 s of the 7200 s of two cores.
  expect(page).toContain('| PostgreSQL | 10,000 | 200 | 12 | 20.0 | 16.0 | 720 | 10 % | 3.0 | 4 | 400 | 5,000 |');
  expect(page).toContain('The largest size that was measured here is 10,000 series.');
  expect(page).toContain('| PostgreSQL | 10,000 | all assets | 200 | 1.3 | 2.0 |');
});

test('a simulated scan is the same whenever it is asked, has all series of its table, and differs from hour to hour', () => {
  const scan = (hour: number) => simulatedScan({ seed: 7, assetName: 'table 0000012', timeMs: hour * 3_600_000 });
  expect(scan(1)).toEqual(scan(1));
  expect(scan(1).metrics).not.toEqual(scan(2).metrics);
  const series = scan(1).metrics.map(
    ({ metric_name, metric_aggregation, attribute }) => `${metric_name} ${metric_aggregation} ${attribute}`,
  );
  expect(new Set(series).size).toBe(SERIES_PER_ASSET);
});
