// SPDX-License-Identifier: Apache-2.0
/**
 * The service is killed at random moments of uploads, scans and other writes, again and again over one data directory, and while it makes
 * its tables. After each restart what it had acknowledged is there, every job ends, each scan has its alerts once, and nothing half done is left.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sextant/foundation-std';
import { type ChildServer, isLongRun, jsonClient, roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { OFTEN, until } from '../../until.ts';
import { type ObservabilityApi, observabilityApi } from '../observability-api.ts';
import { ADMIN, adminApi, ENTRY, observabilityEnvironment, startObservabilityServer } from '../observability-server.ts';
import { hasEnded } from '../scanning.ts';
import { AlertLedger } from './alert-ledger.ts';
import { alertClient, BETWEEN_STEPS_MS, type Client, counterClient, isBrokenConnection, scanClient, uploadClient } from './clients.ts';
import { CrashLedger } from './ledger.ts';

const ROUNDS = roundsOf({ quick: 2, long: 100 });
/** Of kills during scans that came too late, until one comes in time. */
const MORE_ROUNDS = 12;
const LOAD_MS_MIN = 50;
const LOAD_MS_MAX = 900;
const SCANS_PER_ROUND = 2;
/** One in so many kills comes while a scan is at work, whatever time scans take; the others come when they come. */
const KILLED_IN_SCAN_EVERY = 3;
const IN_SCAN_MS = 40;
const UPLOAD_ROUNDS = 30;
const UPLOAD_CLIENTS = 4;
const FIRST_STARTS = 50;
/** From the first byte of the metadata file; making the tables takes about as long. */
const MIGRATION_MS = 40;

test(`what was acknowledged survives ${ROUNDS} kills, jobs end, and nothing half done stays`, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random) => {
    const ledger = new CrashLedger();
    const alerts = new AlertLedger();
    // What the test has shown if no kill came in the middle of a scan is less than it says.
    const hasShown = () => ledger.resumed > 0 && alerts.finished > 0;
    for (let round = 0; ; round++) {
      await using server = await startObservabilityServer({ directory: directory.path });
      try {
        const api = await adminApi(server);
        await alerts.inspect(api);
        await ledger.inspect(api, { directories: [directory.path], uploads: join(directory.path, 'uploads'), isShared: false });
        if (round >= ROUNDS && (hasShown() || round === ROUNDS + MORE_ROUNDS)) break;
        const clients = [...everyClient(ledger, random), alertClient({ ledger: alerts, random })];
        const isInScan = round % KILLED_IN_SCAN_EVERY === 0 || round >= ROUNDS;
        await loadUntilKilled(server, clients, () => (isInScan ? inScan({ api, ledger, random }) : anyMoment(random)));
        ledger.killed();
      } catch (cause) {
        throw new Error(`round ${round}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
      }
    }
    expect(hasShown()).toBe(true);
  });
});

// Of the tables `crash.conformance.ts` of the metadata kills as well; of uploads the first test does.
test.skipIf(!isLongRun())(`a service that is killed ${FIRST_STARTS} times while it makes its tables starts in the end`, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random) => {
    for (let start = 0; start < FIRST_STARTS; start++) await killInMigration(directory.path, random);
    await using server = await startObservabilityServer({ directory: directory.path });
    const api = await adminApi(server);
    expect(await api.call('list_projects', {})).toMatchObject([{ id: 0, name: 'Default' }]);
    await server.stop();
  });
});

test.skipIf(!isLongRun())(`after ${UPLOAD_ROUNDS} kills during uploads every file that is kept is an upload that is listed`, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random) => {
    const ledger = new CrashLedger();
    for (let round = 0; round < UPLOAD_ROUNDS; round++) {
      await using server = await startObservabilityServer({ directory: directory.path });
      const clients = Array.from({ length: UPLOAD_CLIENTS }, () => uploadClient({ ledger, random }));
      await loadUntilKilled(server, clients, () => anyMoment(random));
    }
    await using server = await startObservabilityServer({ directory: directory.path });
    const listed = await (await adminApi(server)).call('list_uploads', {});
    const files = await readdir(join(directory.path, 'uploads', ADMIN.tenant)).catch(() => []);
    expect(new Set(files)).toEqual(new Set(listed.map(({ payload }) => payload.upload_id)));
  });
});

function everyClient(ledger: CrashLedger, random: Random): readonly Client[] {
  return [uploadClient({ ledger, random }), scanClient({ ledger, random, scansMax: SCANS_PER_ROUND }), counterClient({ ledger })];
}

async function anyMoment(random: Random): Promise<void> {
  await sleep(LOAD_MS_MIN + random.integer(LOAD_MS_MAX - LOAD_MS_MIN));
}

type InScan = { readonly api: ObservabilityApi; readonly ledger: CrashLedger; readonly random: Random };

async function inScan({ api, ledger, random }: InScan): Promise<void> {
  const earlier = ledger.newestScan;
  const begun = async () => {
    const id = ledger.newestScan;
    if (id === undefined || id === earlier) return undefined;
    const job = await api.call('get_job', { job_id: id });
    return job.status === 'IN_PROGRESS' || hasEnded(job) ? job : undefined;
  };
  await until('a scan is at work', 120_000, begun, OFTEN);
  await sleep(random.integer(IN_SCAN_MS));
}

/** Every client goes on over a connection of its own until the moment at which the service is killed. */
async function loadUntilKilled(server: ChildServer, steps: readonly Client[], moment: () => Promise<void>): Promise<void> {
  const { tenant, headers } = await adminApi(server);
  let killed = false;
  const clients = steps.map(async (step) => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const api = observabilityApi(client, { tenant, headers });
    try {
      while (!killed) {
        await step(api);
        await sleep(BETWEEN_STEPS_MS);
      }
    } catch (error) {
      // Once the service is being killed a broken connection is what must happen; an answer that is wrong never is.
      if (!killed || !isBrokenConnection(error)) throw error;
    }
  });
  const load = Promise.all(clients);
  await Promise.race([load, moment()]);
  killed = true;
  await server.kill();
  await load;
}

async function killInMigration(directory: string, random: Random): Promise<void> {
  const child = spawn(process.execPath, [ENTRY], {
    env: { ...process.env, ...observabilityEnvironment(directory) },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const closed = once(child, 'close');
  const isThere = async () => existsSync(join(directory, 'metadata.sqlite')) || undefined;
  await until('the metadata file is there', 120_000, isThere, OFTEN);
  await sleep(random.integer(MIGRATION_MS));
  child.kill('SIGKILL');
  await closed;
}
