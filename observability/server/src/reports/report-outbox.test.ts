// SPDX-License-Identifier: Apache-2.0
import { randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createOutboundGuard } from '@sextant/foundation-service';
import { manualClock, seededRandom, systemClock } from '@sextant/foundation-std';
import { type TemporaryDirectory, temporaryDirectory } from '@sextant/foundation-testing';
import { createConnectors } from '@sextant/observability-connectors';
import { type JobResult, type Metadata, openMetadata, type TenantMetadata } from '@sextant/observability-metadata';
import S3rver from 's3rver';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { SourceAccess } from '../sources/source-access.ts';
import { queueReport } from './queue-report.ts';
import { openReportOutbox, type ReportOutboxOptions } from './report-outbox.ts';

const START_MS = Date.parse('2026-03-10T23:59:00.000Z');
const DAY_MS = 86_400_000;
/** Longer than a claim lasts. */
const CLAIM_MS = 3_600_000;
const BUCKET = 'reports';
const RESULT: JobResult = {
  details: '',
  rows_read: 4,
  metric_time: '2026-03-10T23:58:00.000Z',
  metrics: [],
  schema_changes: [],
  samples: [],
  memory: {},
};

const log = { error: () => {} };
const parts = new AsyncDisposableStack();
let files: TemporaryDirectory;
let s3: S3rver;
let port: number;
let sources: SourceAccess;
let clock: ReturnType<typeof manualClock>;
let metadata: Metadata;
let tenant: TenantMetadata;
let tests = 0;
/** The folder of one test. */
let folder: string;

beforeAll(async () => {
  files = parts.use(await temporaryDirectory());
  s3 = new S3rver({
    address: '127.0.0.1',
    port: 0,
    silent: true,
    directory: files.path,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  ({ port } = await s3.run());
  parts.defer(() => s3.close());
  const outbound = createOutboundGuard({ allowPrivateNetworks: true });
  parts.defer(() => outbound.close());
  sources = new SourceAccess(
    await createConnectors({ uploads: { directory: join(files.path, 'uploads') }, outbound, clock: systemClock }),
    0,
  );
});
afterAll(() => parts.disposeAsync());

beforeEach(async () => {
  tests += 1;
  folder = `dq-${tests}`;
  clock = manualClock(START_MS);
  metadata = await reopen();
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
  tenant = metadata.forTenant('acme');
});

function reopen(): Promise<Metadata> {
  return openMetadata({ directory: join(files.path, `metadata-${tests}`) }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
}

async function configure(change: { readonly enabled?: boolean; readonly endpoint?: string } = {}): Promise<void> {
  const { enabled = true, endpoint = `http://127.0.0.1:${port}` } = change;
  const { id } = await tenant.connections.create({
    name: `store-${endpoint}`,
    scope: 'GLOBAL',
    project_id: 0,
    type: 'S3',
    payload: { bucket: BUCKET, endpoint },
    db_type: null,
    created_by: 'ada',
    credential: { type: 'AWS', payload: { access_key: 'S3RVER', secret_key: 'S3RVER' } },
  });
  await tenant.dqReportingConfig.put({ enabled, path: folder, connection_id: id });
}

/** A scan that ends in one transaction with its report; answers the key that the report will have. */
async function finishScan(): Promise<string> {
  const asset = await tenant.assets.create({
    project_id: 0,
    name: 'orders',
    description: null,
    type: 'UPLOAD',
    options: { id_attributes: ['id'] },
    payload: {},
    connection_id: null,
    db_type: null,
    tags: [],
    webhook_url: null,
    created_by: 'ada',
  });
  await tenant.jobs.enqueue({ asset_id: asset.id, request: {}, whenBusy: 'refuse' });
  const claimed = await metadata.platform.jobs.claimNext({ worker: 'w', leaseMs: 60_000 });
  if (claimed === undefined) throw new Error('no job waits');
  await tenant.atomically(async (inner) => {
    const job = await inner.jobs.finish({ job_id: claimed.job.id, lease: claimed.lease }, RESULT);
    await queueReport(inner, { asset, job, ...RESULT, rule_counts: [], checks: [] });
  });
  return `${folder}/scan_date=2026-03-10/${asset.id}_${claimed.job.id}.parquet`;
}

/** Keys of the objects that the test has written; the store keeps each in files of that name and a suffix. */
async function keys(): Promise<readonly string[]> {
  const found = await readdir(join(files.path, BUCKET), { recursive: true });
  return found
    .filter((name) => name.startsWith(`${folder}/`) && name.endsWith('_object'))
    .map((name) => name.replace('._S3rver_object', ''));
}

/** Writes what is due, and waits for its end. */
async function writeDue(changes: Partial<ReportOutboxOptions> = {}): Promise<void> {
  const outbox = openReportOutbox({ metadata, sources, clock, random: seededRandom(1), log, ...changes });
  await outbox.turn();
  await outbox.settled();
}

test('a finished scan leaves its report in the store, once', async () => {
  await configure();
  const key = await finishScan();
  await writeDue();
  expect(await keys()).toEqual([key]);
  expect(await tenant.scanReports.list()).toEqual([]);
});

test.each([
  ['is disabled', () => configure({ enabled: false })],
  ['was never configured', async () => {}],
])('while reporting %s, nothing is queued and nothing written', async (_name, prepare) => {
  await prepare();
  await finishScan();
  expect(await tenant.scanReports.list()).toEqual([]);
  await writeDue();
  expect(await keys()).toEqual([]);
});

test('a report that waits while reporting is disabled is dropped', async () => {
  await configure();
  await finishScan();
  await configure({ enabled: false });
  await writeDue();
  expect([await keys(), await tenant.scanReports.list()]).toEqual([[], []]);
});

test('a process that dies before the write leaves the report to the next one', async () => {
  await configure();
  const key = await finishScan();
  await metadata.platform.reports.claimDue({ limit: 1, leaseMs: CLAIM_MS });
  await metadata[Symbol.asyncDispose]();
  metadata = await reopen();
  tenant = metadata.forTenant('acme');
  await writeDue();
  expect(await keys()).toEqual([]);
  clock.advance(CLAIM_MS);
  await writeDue();
  expect([await keys(), await tenant.scanReports.list()]).toEqual([[key], []]);
});

test('a process that dies after the write leaves one report all the same', async () => {
  await configure();
  const key = await finishScan();
  const written = Promise.withResolvers<void>();
  const dying: ReportOutboxOptions['sources'] = {
    writeObject: async (...call) => {
      await sources.writeObject(...call);
      written.resolve();
      await new Promise(() => {});
    },
  };
  void writeDue({ sources: dying });
  await written.promise;
  expect([await keys(), (await tenant.scanReports.list()).length]).toEqual([[key], 1]);
  clock.advance(CLAIM_MS);
  await writeDue();
  expect([await keys(), await tenant.scanReports.list()]).toEqual([[key], []]);
});

test('a store that is away is tried again with growing pauses, where the configuration then says', async () => {
  await configure({ endpoint: 'http://127.0.0.1:1' });
  const key = await finishScan();
  await writeDue();
  const [waiting] = await tenant.scanReports.list();
  expect(waiting).toMatchObject({ attempts: 1, last_error: expect.stringContaining('the store cannot be reached') });
  await writeDue();
  expect((await tenant.scanReports.list())[0]?.attempts).toBe(1);
  await configure();
  clock.advance(5000);
  await writeDue();
  expect([await keys(), await tenant.scanReports.list()]).toEqual([[key], []]);
});

test('after thirty attempts a report is given up, and a background error says so', async () => {
  await configure();
  await finishScan();
  const failing = { writeObject: () => Promise.reject(Object.assign(new Error('secret'), { code: 'ECONNRESET' })) };
  let attempts = 0;
  for (const startMs = clock.nowMs(); (await tenant.scanReports.list()).length > 0 && clock.nowMs() - startMs < 2 * DAY_MS; attempts += 1) {
    await writeDue({ sources: failing });
    clock.advance(CLAIM_MS);
  }
  expect(attempts).toBe(30);
  expect(await tenant.backgroundErrors.list(10)).toMatchObject([
    {
      error_class: 'DQ_REPORTING',
      message: expect.stringMatching(/given up after 30 attempts: The source could not be read \(ECONNRESET\)/),
    },
  ]);
});
