// SPDX-License-Identifier: Apache-2.0
/**
 * `npm run demo:spark`: five versions of one table, each scanned by DuckDB and by a Spark that the service starts on this machine. The fourth is damaged: its
 * alerts are printed. Ends with 1 where the two engines differ. It takes Java 17 and Spark: `SPARK_HOME`, or
 * `pip install pyspark` in the environment at `.cache/spark`, in `VIRTUAL_ENV` or of the system.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Job } from '@sextant/contracts-observability';
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { until } from '../../until.ts';
import type { ObservabilityApi } from '../observability-api.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { createAsset, hasEnded, type Measured, measured } from '../scanning.ts';

const VERSIONS = 5;
const DAMAGED = 4;
const ROWS = 2000;
const MEMORY_MB = 1024;
const SCAN_TIMEOUT_MS = 900_000;
const ENVIRONMENT = fileURLToPath(new URL('../../../../.cache/spark', import.meta.url));
/** What a reader of text files finds of it, which Spark has no word for; and an age, which grows from one scan to the next. */
const NOT_COMPARED = ['TYPE_MISMATCH', 'REJECTED_ROWS', 'FRESHNESS'];

await using directory = await temporaryDirectory();
const deliveries = join(directory.path, 'deliveries');
await mkdir(deliveries);
const path = join(deliveries, 'orders.csv');
await writeFile(path, version(1));
await using server = await startObservabilityServer({
  directory: join(directory.path, 'data'),
  environment: {
    OBSERVABILITY_ALLOWED_DIRECTORIES: deliveries,
    OBSERVABILITY_SPARK_MEMORY_MB: String(MEMORY_MB),
    SPARK_HOME: process.env.SPARK_HOME,
    VIRTUAL_ENV: process.env.VIRTUAL_ENV ?? ENVIRONMENT,
  },
});
const api = await adminApi(server);
const engines = [
  { name: 'DuckDB', assetId: await register(api, 'FILE', { directory: deliveries }, { path: 'orders.csv' }) },
  { name: 'Spark', assetId: await register(api, 'SPARK', { local: true }, { path, format: 'csv' }) },
];
let differences = 0;
for (let number = 1; number <= VERSIONS; number += 1) {
  await writeFile(path, version(number));
  console.log(`\nversion ${number}${number === DAMAGED ? ', damaged: amounts of Italy are negative' : ''}`);
  const results: { readonly values: ReadonlyMap<string, number | null>; readonly told: string }[] = [];
  for (const { name, assetId } of engines) {
    const startedMs = performance.now();
    const job = await scanOf(api, assetId);
    const found = await measured(api, job);
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    const told = await alertsOf(api, job);
    console.log(
      `  ${name.padEnd(6)} ${String(found.points.length).padStart(4)} values, ${seconds.padStart(6)} s${told === '' ? '' : `\n${told}`}`,
    );
    const compared = found.points.filter(({ metric_name }) => !NOT_COMPARED.includes(metric_name));
    results.push({ told, values: new Map(compared.map((point) => [placeOf(point), point.value])) });
  }
  const [one, other] = results;
  if (one === undefined || other === undefined) continue;
  const places = [...new Set([...one.values.keys(), ...other.values.keys()])].filter(
    (place) => !isSame(one.values.get(place), other.values.get(place)),
  );
  for (const place of places) console.log(`  differs: ${place}: ${one.values.get(place)} and ${other.values.get(place)}`);
  if (one.told !== other.told) console.log('  the alerts differ');
  differences += places.length + (one.told === other.told ? 0 : 1);
}
await server.stop();
console.log(`\n${differences} differences between the engines`);
process.exitCode = differences === 0 ? 0 : 1;

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

type Payload = { readonly [member: string]: string | boolean };

async function register(own: ObservabilityApi, type: 'FILE' | 'SPARK', connection: Payload, payload: Payload): Promise<string> {
  const { id } = await own.call('create_connection', {}, { body: { name: type, type, payload: connection } });
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
  const told = alerts.map(({ policy_name, description }) => `    ${policy_name}: ${Object.values(description).flat().join(' ')}`);
  return told.toSorted().join('\n');
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
