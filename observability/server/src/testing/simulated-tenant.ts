// SPDX-License-Identifier: Apache-2.0
/**
 * A tenant of many tables that are scanned each hour, without tables: the points of a scan are computed, and all that follows from them is the
 * product's own work. A table has five columns and fifty series: their values follow the hours of the day, and some are wrong.
 */
import type { MetricName, MetricPoint } from '@sextant/contracts-observability';
import { type Random, seededRandom } from '@sextant/foundation-std';
import type { TenantMetadata } from '@sextant/observability-metadata';
import type { ScanOutcome } from '../jobs/scan-job.ts';

export const SERIES_PER_ASSET = 50;
export const SIMULATED_TENANT = 'simulated';

const COLUMNS = Array.from({ length: 5 }, (_, index) => `column_${index}`);
const HOURS = 24;
/** Of the scans of a table, so many have one value that no band holds. */
const WRONG_SHARE = 0.01;
const WRONG_FACTOR = 5;
const NOISE = 0.02;
const SWING = 0.1;
const ASSETS_PER_TRANSACTION = 100;

type Metric = readonly [name: MetricName, aggregation: string, level: number];

/** Of each column. With the count of rows, which stands for the first of them, fifty series. */
const METRICS: readonly Metric[] = [
  ['COMPLETENESS', 'ratio', 95],
  ['UNIQUENESS', 'ratio', 40],
  ['DISTINCT_COUNT', 'count', 4000],
  ['NULL_PERCENTAGE', 'ratio', 5],
  ['MIN', 'min', 10],
  ['MAX', 'max', 900],
  ['MEAN', 'mean', 300],
  ['MEDIAN', 'median', 280],
  ['STDDEV', 'stddev', 60],
  ['EMPTY_PERCENTAGE', 'ratio', 2],
];
const SHARES: ReadonlySet<string> = new Set(['ratio']);

/** Tables from one number to another, each with a project, columns and the pre-built monitors. */
export async function addTables(tenant: TenantMetadata, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
  for (let start = from; start < to; start += ASSETS_PER_TRANSACTION) {
    await tenant.atomically(async (own) => {
      for (let table = start; table < Math.min(to, start + ASSETS_PER_TRANSACTION); table += 1) {
        const { id } = await own.assets.create({ ...ASSET, name: nameOf(table) });
        const columns = COLUMNS.map((name) => ({ name, source_type: 'double', data_type: 'DECIMAL' as const }));
        await own.attributes.replace(id, columns, { monitorNew: true });
      }
    });
  }
}

export function nameOf(table: number): string {
  return `table ${String(table).padStart(7, '0')}`;
}

/** What a scan of a table finds in an hour: the same whenever it is asked. */
export function simulatedScan({
  seed,
  assetName,
  timeMs,
}: {
  readonly seed: number;
  readonly assetName: string;
  readonly timeMs: number;
}): ScanOutcome {
  const table = Number(assetName.split(' ').at(-1));
  const hour = Math.round(timeMs / 3_600_000);
  const random = seededRandom((seed * 1_000_003 + table * 7919 + hour) % 2 ** 32);
  const wrong = random.next() < WRONG_SHARE ? random.integer(SERIES_PER_ASSET) : undefined;
  const swing = 1 + SWING * Math.sin((2 * Math.PI * (hour % HOURS)) / HOURS + table);
  const rows = 10_000 * swing * (1 + NOISE * normal(random));
  const series = COLUMNS.flatMap((attribute) => METRICS.map((metric) => ({ attribute, metric })));
  const metrics = series.map(({ attribute, metric: [metric_name, metric_aggregation, level] }, index): MetricPoint => {
    if (index === 0)
      return { metric_name: 'RECORD_COUNT', metric_aggregation: 'count', attribute: null, ...WHOLE, value: Math.round(rows) };
    const value = level * (SHARES.has(metric_aggregation) ? 1 : swing) * (1 + NOISE * normal(random));
    const isWrong = index === wrong;
    const shown = SHARES.has(metric_aggregation)
      ? Math.min(100, isWrong ? value / WRONG_FACTOR : value)
      : value * (isWrong ? WRONG_FACTOR : 1);
    return { metric_name, metric_aggregation, attribute, ...WHOLE, value: shown };
  });
  return {
    details: `${Math.round(rows)} records scanned, ${metrics.length} values measured.`,
    rows_read: Math.round(rows),
    metric_time: new Date(timeMs).toISOString(),
    metrics,
    schema_changes: [],
    samples: [],
    memory: null,
    rule_counts: [],
    segment_moves: [],
    failures: [],
    columns: COLUMNS.map((name) => ({ name, source_type: 'double', data_type: 'DECIMAL' as const })),
    options: {},
  };
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

const WHOLE = { segment: null, monitor_id: null } as const;

const ASSET = {
  project_id: 0,
  description: null,
  type: 'S3',
  options: {},
  payload: {},
  connection_id: null,
  db_type: null,
  tags: ['simulated'],
  webhook_url: null,
  created_by: 'bench',
} as const;
