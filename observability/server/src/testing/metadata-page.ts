// SPDX-License-Identifier: Apache-2.0
/** The page of `npm run bench:metadata`. */

export type ListTime = { readonly list: string; readonly rows: number; readonly milliseconds: number; readonly processorMs: number };

/** One size on one database, in the last round of scans. */
export type SizeResult = {
  readonly database: string;
  readonly series: number;
  readonly tables: number;
  /** That each table has had. */
  readonly scans: number;
  /** Processor time of a scan, in milliseconds. */
  readonly serviceMs: number;
  readonly databaseMs: number;
  /** Of a claim by the clock, while the jobs of the round wait. */
  readonly claimMs: number;
  readonly alerts: number;
  /** Of the last round. */
  readonly bytesPerPoint: number;
  /** Of the whole database. */
  readonly bytesPerSeries: number;
  readonly lists: readonly ListTime[];
};

export type PageFacts = {
  readonly seed: number;
  readonly machine: string;
  readonly seriesPerTable: number;
  readonly command: string;
  readonly results: readonly SizeResult[];
};

const MILLION = 1_000_000;
const HOUR_OF_TWO_CORES_MS = 2 * 3_600_000;

export function metadataPage({ seed, machine, seriesPerTable, command, results }: PageFacts): string {
  const largest = Math.max(...results.map(({ series }) => series));
  const costs = results.map((result) => {
    const ofScan = result.serviceMs + result.databaseMs;
    const ofSeries = ofScan / seriesPerTable;
    return [
      result.database,
      whole(result.series),
      whole(result.tables),
      whole(result.scans),
      result.serviceMs.toFixed(1),
      result.databaseMs === 0 ? 'in the service' : result.databaseMs.toFixed(1),
      (1000 * ofSeries).toFixed(0),
      `${((100 * ofSeries * MILLION) / HOUR_OF_TWO_CORES_MS).toFixed(0)} %`,
      result.claimMs.toFixed(1),
      whole(result.alerts),
      whole(result.bytesPerPoint),
      whole(result.bytesPerSeries),
    ];
  });
  const lists = results.flatMap(({ database, series, lists: all }) =>
    all.map(({ list, rows, milliseconds, processorMs }) => [
      database,
      whole(series),
      list,
      whole(rows),
      milliseconds.toFixed(1),
      processorMs.toFixed(1),
    ]),
  );
  return `# Benchmark of many series

The cost of evaluating and storing many hourly series, measured by \`${command}\`. Scans are simulated: their values are computed from the seed (${seed}), and everything after that is the product's
own code: the queue, the history, learned bands in the evaluation thread, alerts, incidents, scores and points in one transaction for each scan. A table has five columns and
${seriesPerTable} series; one scan in a hundred has a value outside every band. All tables belong to one tenant, and all jobs of a round are in the queue when its first scan begins.

${machine}. Processor time, of the service with its threads and of the database server; one run. **The largest size that was measured here is ${whole(largest)} series.** Larger ones are measured by
\`npm run bench:metadata -- --full --directory folder\`, which goes up to ${whole(MILLION)} and can be interrupted.

${table(
  [
    'database',
    'series',
    'tables',
    'scans of each',
    'service, ms a scan',
    'database, ms a scan',
    'both, µs a series',
    'a million series hourly at this cost, of two cores',
    'a claim, ms by the clock',
    'alerts of the round',
    'bytes a point',
    'bytes a series in all',
  ],
  costs,
)}

Each size includes the tables of the smaller sizes; "scans of each" is the number of scans of the newest tables. Bands of hourly series need 25 scans: tables with fewer are read, stored and scored,
and their learned monitors report that they need more scans. Three of five series are watched by a pre-built monitor. The history that a scan reads grows up to 1,000 scans and 200,000 points. Bytes are those of the database with its indexes; points are kept for \`OBSERVABILITY_RETENTION_DAYS\` (360 by default).

## Time of lists

The reads behind pages of the console, from the store: the median of five by the wall clock, and the processor time of service and database.

${table(['database', 'series', 'list', 'rows', 'ms', 'processor, ms'], lists)}
`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function table(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const rule = header.map((_, column) => (Number.isNaN(Number((rows[0]?.[column] ?? '').replaceAll(/[ ,%]/g, ''))) ? '---' : '---:'));
  return [line(header), line(rule), ...rows.map(line)].join('\n');
}
