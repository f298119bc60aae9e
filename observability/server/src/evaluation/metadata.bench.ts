// SPDX-License-Identifier: Apache-2.0
/**
 * What it costs to judge many series each hour and to keep them, on PostgreSQL and on SQLite, and what the console's lists take then:
 *
 *   npm run bench:metadata                                     1,000 and 10,000 series; writes docs/reference/benchmarks-metadata.md
 *   npm run bench:metadata -- --full --directory F             10,000, 100,000 and 1,000,000 series
 *   npm run bench:metadata -- --series 1000,5000 --scans 24,3  sizes of yours, and at each so many scans of each table, of which the last is measured
 *
 * With a directory the databases and what was measured stay in it, and the same command goes on where it was interrupted: a round of scans that was
 * interrupted is finished without being measured. PostgreSQL is that of DATABASE_URL, else a temporary one, which an interruption ends.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { manualClock, systemClock } from '@sextant/foundation-std';
import { missingPostgres, readFlags, temporaryDirectory, temporaryPostgres } from '@sextant/foundation-testing';
import { type Metadata, type MetadataLocation, openMetadata, type TenantMetadata } from '@sextant/observability-metadata';
import pg from 'pg';
import { type ListTime, metadataPage, type SizeResult } from '../testing/metadata-page.ts';
import { addTables, nameOf, SERIES_PER_ASSET, SIMULATED_TENANT, simulatedScan } from '../testing/simulated-tenant.ts';
import { evaluatedScans } from './evaluated-scans.ts';
import { EvaluationThreads } from './evaluation-threads.ts';

const SEED = 7;
const START_MS = Date.parse('2026-01-05T00:00:00.000Z');
const HOUR_MS = 3_600_000;
const LEASE_MS = 60_000;
const LISTED = 5;
const NEWEST = 1000;
/** In which the kernel counts the times of a process (USER_HZ of man 5 proc). */
const TICK_MS = 10;
const PAGE = fileURLToPath(new URL('../../../../docs/reference/benchmarks-metadata.md', import.meta.url));

const { values: flags } = readFlags({
  options: {
    full: { type: 'boolean', default: false },
    series: { type: 'string' },
    scans: { type: 'string', default: '12' },
    directory: { type: 'string' },
    databases: { type: 'string', default: 'PostgreSQL,SQLite' },
  },
});
const sizes = (flags.series ?? (flags.full ? '10000,100000,1000000' : '1000,10000')).split(',').map(Number);
const scansOfSizes = flags.scans.split(',').map(Number);

/** What is known of a run that may be interrupted. */
type State = { readonly results: readonly SizeResult[]; readonly rounds: { readonly [database: string]: number } };

type Store = {
  readonly name: string;
  readonly location: MetadataLocation;
  readonly bytes: () => Promise<number>;
  /** Processor time of the server since some time; 0 where the service's process does its work, undefined where it cannot be seen. */
  readonly serverMs: () => number;
};

process.stdout.write(`seed ${SEED}, ${sizes.join(', ')} series, ${flags.scans} scans of each table\n`);
await using temporary = await temporaryDirectory();
const directory = flags.directory ?? temporary.path;
mkdirSync(directory, { recursive: true });
const stateFile = join(directory, 'state.json');
let state: State = existsSync(stateFile) ? (JSON.parse(readFileSync(stateFile, 'utf8')) as State) : { results: [], rounds: {} };
for (const name of flags.databases.split(',')) {
  if (name === 'SQLite') await measureAll(sqliteStore());
  else if (process.env.DATABASE_URL !== undefined) await onPostgresql(process.env.DATABASE_URL);
  else if (missingPostgres() === undefined) {
    await using server = await temporaryPostgres();
    await onPostgresql(server.databaseUrl);
  } else process.stdout.write(`PostgreSQL is left out: ${missingPostgres()}\n`);
}
writePage();
function keep(change: Partial<State>): void {
  state = { ...state, ...change };
  writeFileSync(stateFile, JSON.stringify(state));
}

/** After each size, so that an interrupted run has its page. */
function writePage(): void {
  const machine = `${cpus()[0]?.model ?? 'An unknown processor'}, ${availableParallelism()} cores shared with other work, ${Math.round(totalmem() / 2 ** 30)} GB of memory, Node ${process.version}`;
  // Where its files lie is nobody else's business.
  const given = process.argv.slice(2).map((argument, index, all) => (all[index - 1] === '--directory' ? 'folder' : argument));
  const command = `npm run bench:metadata${given.length > 0 ? ` -- ${given.join(' ')}` : ''}`;
  writeFileSync(PAGE, metadataPage({ seed: SEED, machine, seriesPerTable: SERIES_PER_ASSET, command, results: state.results }));
}

async function measureAll(store: Store): Promise<void> {
  const done = state.rounds[store.name] ?? 0;
  const clock = manualClock(START_MS + done * HOUR_MS);
  await using metadata = await openMetadata(store.location, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  await using evaluation = new EvaluationThreads();
  if ((await metadata.platform.tenants.find(SIMULATED_TENANT)) === undefined) {
    await metadata.platform.tenants.create({ id: SIMULATED_TENANT, name: 'Simulated' });
  }
  const tenant = metadata.forTenant(SIMULATED_TENANT);
  const run = { metadata, tenant, clock, evaluate: evaluation.evaluate };
  await metadata.platform.jobs.releaseLeases();
  await drain(run);
  for (const [place, series] of sizes.entries()) {
    const scansOfEach = scansOfSizes[place] ?? scansOfSizes.at(-1) ?? 1;
    const tables = Math.ceil(series / SERIES_PER_ASSET);
    const isThis = (known: SizeResult) => known.database === store.name && known.tables === tables && known.scans === scansOfEach;
    if (state.results.some(isThis)) continue;
    const known = await tenant.assets.list();
    await addTables(tenant, { from: known.length, to: tables });
    const ids = (await tenant.assets.list()).filter(({ name }) => name < nameOf(tables)).map(({ id }) => id);
    let bytesBefore = 0;
    let costs = { serviceMs: 0, databaseMs: 0, claimMs: 0, alerts: 0 };
    for (let scan = 0; scan < scansOfEach; scan += 1) {
      clock.advance(HOUR_MS);
      bytesBefore = await store.bytes();
      costs = await round(run, store, ids);
      keep({ rounds: { ...state.rounds, [store.name]: (state.rounds[store.name] ?? 0) + 1 } });
      process.stdout.write(`${store.name}, ${series} series, round ${scan + 1}: ${JSON.stringify(costs)}\n`);
    }
    const bytes = await store.bytes();
    const result: SizeResult = {
      database: store.name,
      series: tables * SERIES_PER_ASSET,
      tables,
      scans: scansOfEach,
      ...costs,
      bytesPerPoint: (bytes - bytesBefore) / (tables * SERIES_PER_ASSET),
      bytesPerSeries: bytes / (tables * SERIES_PER_ASSET),
      lists: await listTimes(tenant, store, ids[0] ?? ''),
    };
    keep({ results: [...state.results, result] });
    writePage();
    process.stdout.write(`${JSON.stringify(result)}\n`);
  }
}

type Run = {
  readonly metadata: Metadata;
  readonly tenant: TenantMetadata;
  readonly clock: ReturnType<typeof manualClock>;
  readonly evaluate: EvaluationThreads['evaluate'];
};

/** One scan of each table. */
async function round(run: Run, store: Store, ids: readonly string[]) {
  const before = { service: process.cpuUsage(), server: store.serverMs() };
  for (const asset_id of ids) await run.tenant.jobs.enqueue({ asset_id, request: {}, whenBusy: 'refuse' });
  const { claimsMs, alerts } = await drain(run);
  const { user, system } = process.cpuUsage(before.service);
  const scans = ids.length;
  return {
    serviceMs: (user + system) / 1000 / scans,
    databaseMs: (store.serverMs() - before.server) / scans,
    claimMs: claimsMs / scans,
    alerts,
  };
}

/** Runs the jobs that wait. */
async function drain({ metadata, tenant, clock, evaluate }: Run) {
  const work = evaluatedScans({
    metadata,
    scan: async ({ job }) => {
      const { name } = await tenant.assets.get(job.asset_id, { with_attributes: true });
      return simulatedScan({ seed: SEED, assetName: name, timeMs: clock.nowMs() });
    },
    evaluate,
    clock,
    log: { error: (details, message) => void process.stderr.write(`${message}: ${Object.values(details).map(String).join()}\n`) },
  });
  let claimsMs = 0;
  let alerts = 0;
  for (;;) {
    const startMs = systemClock.monotonicMs();
    const claimed = await metadata.platform.jobs.claimNext({ worker: 'bench', leaseMs: LEASE_MS });
    claimsMs += systemClock.monotonicMs() - startMs;
    if (claimed === undefined) return { claimsMs, alerts };
    const store = await work.run(claimed, { signal: new AbortController().signal, onProgress: () => undefined });
    await store();
    alerts += Number(/(\d+) alerts? w/.exec((await tenant.jobs.get(claimed.job.id)).details)?.[1] ?? 0);
  }
}

async function listTimes(
  { assets, jobs, incidents, checks, dqScores, metricPoints }: TenantMetadata,
  store: Store,
  assetId: string,
): Promise<readonly ListTime[]> {
  const questions: readonly (readonly [string, () => Promise<number>])[] = [
    ['all assets', async () => (await assets.list()).length],
    ['the latest job of each asset', async () => (await jobs.list({ most_recent: true })).length],
    ['the newest 1,000 incidents', async () => (await incidents.list({}, { limit: NEWEST })).length],
    ['the summary of incidents', async () => (await incidents.summary()).total],
    ['the latest checks, 1,000 of them', async () => (await checks.latest({}, { limit: NEWEST })).length],
    ['the scores of all assets', async () => (await dqScores.standings()).length],
    ['the history of one series', async () => (await metricPoints.history({ asset_id: assetId, metric_name: 'RECORD_COUNT' })).length],
  ];
  const times: ListTime[] = [];
  for (const [list, ask] of questions) {
    const each: number[] = [];
    let rows = 0;
    const before = { service: process.cpuUsage(), server: store.serverMs() };
    for (let repeat = 0; repeat < LISTED; repeat += 1) {
      const startMs = systemClock.monotonicMs();
      rows = await ask();
      each.push(systemClock.monotonicMs() - startMs);
    }
    const { user, system } = process.cpuUsage(before.service);
    const processorMs = ((user + system) / 1000 + store.serverMs() - before.server) / LISTED;
    times.push({ list, rows, milliseconds: each.toSorted((one, other) => one - other)[Math.floor(LISTED / 2)] ?? 0, processorMs });
  }
  return times;
}

function sqliteStore(): Store {
  const folder = join(directory, 'sqlite');
  const file = join(folder, 'metadata.sqlite');
  const bytes = () => {
    // What the log holds and what it leaves over is moved first.
    using database = new DatabaseSync(file);
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return Promise.resolve(statSync(file).size);
  };
  return { name: 'SQLite', location: { directory: folder }, bytes, serverMs: () => 0 };
}

async function onPostgresql(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const ask = async (query: string) => (await client.query<{ answer: string }>(query)).rows[0]?.answer ?? '';
    const postmaster = (await ask("select pg_read_file('postmaster.pid') as answer")).split('\n')[0] ?? '';
    const bytes = async () => Number(await ask('select pg_database_size(current_database()) as answer'));
    await measureAll({ name: 'PostgreSQL', location: { databaseUrl }, bytes, serverMs: () => serverTime(postmaster) });
  } finally {
    await client.end();
  }
}

/** Of the server's processes, those that have ended included; as far as they run on this machine. */
function serverTime(postmaster: string): number {
  const times = readdirSync('/proc').flatMap((pid) => {
    if (!/^\d+$/.test(pid)) return [];
    const fields = statOf(pid);
    if (pid === postmaster) return fields.slice(11, 15).map(Number);
    return fields[1] === postmaster ? fields.slice(11, 13).map(Number) : [];
  });
  return times.reduce((sum, ticks) => sum + ticks, 0) * TICK_MS;
}

/** From the state on, by man 5 proc; the name before it may hold anything. */
function statOf(pid: string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
