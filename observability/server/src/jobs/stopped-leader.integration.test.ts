// SPDX-License-Identifier: Apache-2.0
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@sextant/foundation-std';
import { missingPostgres, sharedPostgres } from '@sextant/foundation-testing';
import { type Metadata, openMetadata, type TenantMetadata } from '@sextant/observability-metadata';
import { expect, test } from 'vitest';

const PROCESS = fileURLToPath(new URL('../testing/scheduling-process.ts', import.meta.url));
/** Of the session that leads and of transactions; seconds where people wait for it. */
const SILENCE_MS = 1000;
const SCHEDULES = 12;
/** The leader stops after so many. */
const STARTED_BEFORE = 5;
/** Between two looks at all jobs. */
const LOOK = { interval: 200 };

const missing = missingPostgres();

test.skipIf(missing !== undefined)(
  `another process leads when the leader is stopped in the middle of its work, and when that goes on each run was started once (${missing ?? 'installed'})`,
  async () => {
    const { databaseUrl } = await sharedPostgres();
    await using metadata = await openMetadata({ databaseUrl }, { clock: systemClock, randomBytes, encryptionKey: new Uint8Array(32) });
    await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
    const tenant = metadata.forTenant('acme');
    await using stack = new AsyncDisposableStack();
    const first = stack.use(schedulingProcess(databaseUrl, STARTED_BEFORE));
    await expect.poll(() => first.lines).toContain('leads');
    const second = stack.use(schedulingProcess(databaseUrl));
    await expect.poll(() => second.lines).toContain('follows');

    const due = await addDueSchedules(tenant, SCHEDULES);
    await expect.poll(() => jobsOf(tenant, due), LOOK).toEqual(due);
    expect(first.lines.at(-1)).toBe(`started ${STARTED_BEFORE}`);
    expect(second.lines).toEqual(expect.arrayContaining(['leads', `started ${SCHEDULES - STARTED_BEFORE}`]));
    // While a scan waits, a second one of its asset would be refused.
    await endJobs(metadata);

    const before = first.lines.length;
    process.kill(first.pid, 'SIGCONT');
    await expect.poll(() => first.lines.slice(before)).toContain('follows');
    const later = await addDueSchedules(tenant, 5);
    await expect.poll(() => jobsOf(tenant, later), LOOK).toEqual(later);
    expect(await jobsOf(tenant, due)).toEqual(due);

    second.kill();
    await expect.poll(() => first.lines.at(-1)).toBe('leads');
  },
);

/** Assets whose schedule is due now, and then in a year. */
async function addDueSchedules(tenant: TenantMetadata, count: number): Promise<readonly string[]> {
  return tenant.atomically(async (own) => {
    const ids: string[] = [];
    const now = new Date(systemClock.nowMs()).toISOString();
    for (let index = 0; index < count; index += 1) {
      const { id } = await own.assets.create({ ...ASSET, name: `table ${now} ${index}` });
      await own.schedules.put(id, SCHEDULE, now);
      ids.push(id);
    }
    return ids.toSorted();
  });
}

/** The asset of each job of these, so that one which was started twice is there twice. */
async function jobsOf(tenant: TenantMetadata, assetIds: readonly string[]): Promise<readonly string[]> {
  const jobs = await tenant.jobs.list({});
  return jobs
    .map(({ asset_id }) => asset_id)
    .filter((id) => assetIds.includes(id))
    .toSorted();
}

async function endJobs({ platform, forTenant }: Metadata): Promise<void> {
  for (;;) {
    const claimed = await platform.jobs.claimNext({ worker: 'test', leaseMs: 60_000 });
    if (claimed === undefined) return;
    await forTenant(claimed.tenant_id).jobs.fail({ job_id: claimed.job.id, lease: claimed.lease }, 'ended');
  }
}

type SchedulingProcess = AsyncDisposable & {
  readonly pid: number;
  /** What it has said so far. */
  readonly lines: readonly string[];
  readonly kill: () => void;
};

function schedulingProcess(databaseUrl: string, stopsAt?: number): SchedulingProcess {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c idle_in_transaction_session_timeout=${SILENCE_MS}`);
  const child = spawn(process.execPath, [PROCESS, url.href, `${SILENCE_MS}`, `${stopsAt}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  const { pid } = child;
  if (pid === undefined) throw new Error('the process did not start');
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => void lines.push(line));
  const ended = once(child, 'exit');
  const kill = () => void child.kill('SIGKILL');
  const end = async () => {
    kill();
    await ended;
  };
  return { pid, lines, kill, [Symbol.asyncDispose]: end };
}

const SCHEDULE = {
  schedule: '0 0 1 1 *',
  enabled: true,
  delta_only: false,
  sample_fraction: null,
  skip_investigator: false,
  timestamp_attribute: null,
} as const;

const ASSET = {
  project_id: 0,
  description: null,
  type: 'UPLOAD',
  options: {},
  payload: {},
  connection_id: null,
  db_type: null,
  tags: [],
  webhook_url: null,
  created_by: 'ada',
} as const;
