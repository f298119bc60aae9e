// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run demo:spark`: a Delta table of five versions, each scanned on Spark, and by DuckDB in a Parquet file that Spark exports from the version. The fourth
 * is damaged: its alerts and incidents are printed. Ends with 1 where the two engines differ. It takes Java 17, Spark (`SPARK_HOME`, or `pip install pyspark` in
 * the environment at `.cache/spark`) and the jars of Delta in `.cache/spark-jars` or `SPARK_JARS`.
 */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '@sextant/contracts-observability';
import { seededRandom, systemClock } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { missingLakes, openSparkForTests, sharedSpark } from '@sextant/observability-connectors/spark-for-tests';
import { until } from '../../until.ts';
import type { ObservabilityApi } from '../observability-api.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { createAsset, hasEnded, type Measured, measured } from '../scanning.ts';

const VERSIONS = 5;
const DAMAGED = 4;
const FILE = 'orders.parquet';
const ROWS = 2000;
const SCAN_TIMEOUT_MS = 900_000;
/** The age of the data, which grows from one scan to the next. */
const NOT_COMPARED = 'FRESHNESS';

const missing = missingLakes();
if (missing !== undefined) {
  console.error(`The demo cannot run: ${missing}.`);
  process.exit(1);
}
console.log('Spark starts; on a machine without other work that takes some ten seconds.');
const { host, port, token } = await sharedSpark();
await using spark = await openSparkForTests(systemClock);
await using directory = await temporaryDirectory();
const deliveries = join(directory.path, 'deliveries');
await mkdir(deliveries);
const table = join(directory.path, 'orders');
await write(1);
await using server = await startObservabilityServer({
  directory: join(directory.path, 'data'),
  // Spark listens on this machine.
  environment: { OBSERVABILITY_ALLOWED_DIRECTORIES: deliveries, OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true' },
});
const api = await adminApi(server);
const engines = [
  { name: 'DuckDB', assetId: await register(api, { type: 'FILE', payload: { directory: deliveries } }, { path: FILE }) },
  {
    name: 'Spark',
    assetId: await register(
      api,
      { type: 'SPARK', payload: { host, port, ssl: false }, credential: { type: 'TOKEN', payload: { token: token ?? '' } } },
      { path: table, format: 'delta' },
    ),
  },
];
let differences = 0;
for (let number = 1; number <= VERSIONS; number += 1) {
  if (number > 1) await write(number);
  console.log(`\nversion ${number}${number === DAMAGED ? ', damaged: amounts of Italy are negative' : ''}`);
  const results: { readonly values: ReadonlyMap<string, number | null>; readonly findings: string }[] = [];
  for (const { name, assetId } of engines) {
    const startedMs = performance.now();
    const job = await scanOf(api, assetId);
    const found = await measured(api, job);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const findings = [await alertsOf(api, job), await incidentsOf(api, job)].filter((text) => text !== '').join('\n');
    console.log(
      `  ${name.padEnd(6)} ${String(found.points.length).padStart(4)} values, ${seconds.padStart(6)} s${findings === '' ? '' : `\n${findings}`}`,
    );
    const compared = found.points.filter(({ metric_name }) => metric_name !== NOT_COMPARED);
    results.push({ findings, values: new Map(compared.map((point) => [placeOf(point), point.value])) });
  }
  const [one, other] = results;
  if (one === undefined || other === undefined) continue;
  const places = [...new Set([...one.values.keys(), ...other.values.keys()])].filter(
    (place) => !isSame(one.values.get(place), other.values.get(place)),
  );
  for (const place of places) console.log(`  differs: ${place}: ${one.values.get(place)} and ${other.values.get(place)}`);
  if (one.findings !== other.findings) console.log('  the alerts or incidents differ');
  differences += places.length + (one.findings === other.findings ? 0 : 1);
}
await server.stop();
console.log(`\n${differences} differences between the engines`);
process.exitCode = differences === 0 ? 0 : 1;

/** Rows as the next version of the Delta table, and that version as the file that DuckDB reads. */
async function write(number: number): Promise<void> {
  const [rows, exported] = [join(directory.path, 'rows.csv'), join(directory.path, 'exported')];
  await writeFile(rows, version(number));
  await spark.query(
    `CREATE OR REPLACE TEMPORARY VIEW delivered USING csv OPTIONS (path '${rows}', header 'true', inferSchema 'true', dateFormat 'yyyy-MM-dd')`,
  );
  await spark.query(`CREATE OR REPLACE TABLE delta.\`${table}\` USING delta AS SELECT * FROM delivered`);
  await spark.query(
    `INSERT OVERWRITE DIRECTORY USING parquet OPTIONS (path '${exported}') SELECT /*+ COALESCE(1) */ * FROM delta.\`${table}\` VERSION AS OF ${number - 1}`,
  );
  const [part = ''] = (await readdir(exported)).filter((name) => name.endsWith('.parquet'));
  await rename(join(exported, part), join(deliveries, FILE));
}

function version(number: number): string {
  const random = seededRandom(number);
  const one = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random.next() * values.length)];
  const lines = Array.from({ length: ROWS }, (_, index) => {
    const country = one(['DE', 'FR', 'IT', 'PL', 'SE']);
    const amount = Math.round(100 + 10_000 * random.next()) / 100;
    const shown = number === DAMAGED && country === 'IT' ? -amount : amount;
    return [number * ROWS + index, country, one(['web', 'shop']), shown, `2026-0${number}-${10 + Math.floor(18 * random.next())}`].join(
      ',',
    );
  });
  return `id,country,channel,amount,day\n${lines.join('\n')}\n`;
}

type Payload = { readonly [member: string]: string | number | boolean };

type Connection = {
  readonly type: 'FILE' | 'SPARK';
  readonly payload: Payload;
  readonly credential?: { readonly type: 'TOKEN'; readonly payload: { readonly token: string } };
};

async function register(own: ObservabilityApi, connection: Connection, payload: Payload): Promise<string> {
  const { type } = connection;
  const { id } = await own.call('create_connection', {}, { body: { name: type, ...connection } });
  const asset = await createAsset(own, { name: `orders by ${type}`, type, connection_id: id, payload, options: { id_attributes: ['id'] } });
  await own.call(
    'create_monitor',
    { asset_id: asset.id },
    {
      body: {
        type: 'RULE',
        name: 'amounts are positive',
        enabled: true,
        threshold: { threshold_type: 'STATIC', threshold1: 99, threshold2: 100 },
        monitor: { expression: 'VALIDATE amount EXPECT NUMERIC_VALUE > 0' },
      },
    },
  );
  return asset.id;
}

/** The first scan of Spark waits for its start. */
async function scanOf(own: ObservabilityApi, asset_id: string): Promise<Job> {
  const { job_id } = await own.call('start_scan', { asset_id });
  const job = await until('the scan ends', SCAN_TIMEOUT_MS, async () => {
    const now = await own.call('get_job', { job_id });
    return hasEnded(now) ? now : undefined;
  });
  if (job.status !== 'FINISHED') throw new Error(`the scan ended as ${job.status}: ${job.details}`);
  return job;
}

/** What its scan alerted of, in words. */
async function alertsOf(own: ObservabilityApi, { asset_id, id: job_id }: Job): Promise<string> {
  const alerts = await own.call('job_alerts', { asset_id }, { query: { job_id } });
  const findings = alerts.map(({ policy_name, description }) => `    ${policy_name}: ${Object.values(description).flat().join(' ')}`);
  return findings.toSorted().join('\n');
}

/** The open incidents of the asset, and the segments that explain them. */
async function incidentsOf(own: ObservabilityApi, { asset_id }: Job): Promise<string> {
  const incidents = await own.call('list_incidents', {}, { query: { asset_ids: asset_id, statuses: 'OPEN' } });
  const stories = await Promise.all(
    incidents.map(async ({ id: incident_id, alert_policy_name }) => {
      const { why } = await own.call('incident_story', { incident_id });
      return [`    incident: ${alert_policy_name}`, ...why.map((sentence) => `      ${sentence}`)].join('\n');
    }),
  );
  return stories.toSorted().join('\n');
}

type Point = Measured['points'][number];

function placeOf({ metric_name, metric_aggregation, attribute, segment, monitor_id }: Point): string {
  return [metric_name, metric_aggregation, attribute, segment, monitor_id === null ? null : 'rule']
    .filter((part) => part !== null)
    .join(' ');
}

function isSame(one: number | null | undefined, other: number | null | undefined): boolean {
  if (typeof one !== 'number' || typeof other !== 'number') return one === other;
  return Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other));
}
