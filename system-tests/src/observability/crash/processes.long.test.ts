// SPDX-License-Identifier: Apache-2.0
/**
 * Several processes serve one PostgreSQL and one folder of uploads, and any of them is killed again and again under load. The others take over what
 * it held: what was acknowledged is there, every job ends, each scan has its alerts once, and each webhook hears of its end.
 */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sextant/foundation-std';
import { type ChildServer, missingPostgres, temporaryDirectory, temporaryPostgres, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { OFTEN, until } from '../../until.ts';
import { adminApi, startObservabilityServer } from '../observability-server.ts';
import { AlertLedger } from './alert-ledger.ts';
import { alertClient, BETWEEN_STEPS_MS, type Client, counterClient, isBrokenConnection, scanClient, uploadClient } from './clients.ts';
import { CrashLedger } from './ledger.ts';

const PROCESSES = 3;
const KILLS = 60;
const SCANS_PER_LIFE = 2;
const LOAD_MS_MAX = 600;
const SCAN_MS = 60_000;
/** A lease has to end before another process takes over. */
const TAKEN_OVER_MS = 120_000;

const missing = missingPostgres();

test.skipIf(missing !== undefined)(
  `after ${KILLS} kills of any of ${PROCESSES} processes nothing is lost and nothing doubled (${missing ?? 'installed'})`,
  async () => {
    await using directory = await temporaryDirectory();
    await using postgres = await temporaryPostgres();
    await using hooks = await webhooks();
    await withSeed(async (random) => {
      const load = { ledger: new CrashLedger(), alerts: new AlertLedger(), random, webhookUrl: hooks.url };
      const uploads = join(directory.path, 'uploads');
      const directories = Array.from({ length: PROCESSES }, (_, index) => join(directory.path, `process-${index}`));
      const environment = {
        DATABASE_URL: await postgres.createDatabase(`processes_${randomUUID().slice(0, 8)}`),
        OBSERVABILITY_ENCRYPTION_KEY: 'the-encryption-key-of-the-system-tests',
        OBSERVABILITY_UPLOAD_DIR: uploads,
        OBSERVABILITY_ALLOW_PRIVATE_NETWORKS: 'true',
      };
      await using all = new AsyncDisposableStack();
      const begin = async (place: number) => {
        const server = all.use(await startObservabilityServer({ directory: directories[place] ?? '', environment }));
        return loaded(server, { ...load, counts: place === 0 });
      };
      const lives = await Promise.all(directories.map((_, place) => begin(place)));
      for (let kill = 0; kill < KILLS; kill++) {
        const place = random.integer(PROCESSES);
        const life = lives[place];
        if (life === undefined) throw new Error(`there is no process ${place}`);
        await inScan(life, random);
        await life.kill();
        load.ledger.killed();
        lives[place] = await begin(place);
      }
      await Promise.all(lives.map((life) => life.rest()));
      const [server] = lives.map((life) => life.server);
      if (server === undefined) throw new Error('there is no process');
      const api = await adminApi(server);
      await load.alerts.inspect(api);
      await load.ledger.inspect(api, { directories, uploads, isShared: true });
      // Otherwise no kill came in the middle of a scan, and the test has shown less than it says.
      expect(load.ledger.resumed).toBeGreaterThan(0);
      expect(load.alerts.finished).toBeGreaterThan(0);
      await until('the webhooks heard of the end of every scan', TAKEN_OVER_MS, async () => {
        return load.ledger.scans.every((id) => hooks.heard.has(`${id} FINISHED`) || hooks.heard.has(`${id} FAILED`)) || undefined;
      });
    });
  },
);

type Load = { readonly ledger: CrashLedger; readonly alerts: AlertLedger; readonly random: Random; readonly webhookUrl: string };

type Life = {
  readonly server: ChildServer;
  readonly kill: () => Promise<void>;
  /** No client begins anything any more; resolves when what they began has ended. */
  readonly rest: () => Promise<void>;
};

/** One process with clients of its own, from its start to its end. Two that count in one configuration would not know what the other has written. */
function loaded(server: ChildServer, { counts, ledger, alerts, random, webhookUrl }: Load & { readonly counts: boolean }): Life {
  const steps: readonly Client[] = [
    uploadClient({ ledger, random }),
    scanClient({ ledger, random, scansMax: SCANS_PER_LIFE, webhookUrl }),
    alertClient({ ledger: alerts, random }),
    ...(counts ? [counterClient({ ledger })] : []),
  ];
  let isOver = false;
  let isKilled = false;
  const clients = steps.map(async (step) => {
    try {
      const api = await adminApi(server);
      while (!isOver) {
        await step(api);
        await sleep(BETWEEN_STEPS_MS);
      }
    } catch (error) {
      if (!isKilled || !isBrokenConnection(error)) throw error;
    }
  });
  const ended = Promise.all(clients);
  // Looked at when the clients are to rest.
  ended.catch(() => undefined);
  const rest = async () => {
    isOver = true;
    await ended;
  };
  return {
    server,
    rest,
    kill: async () => {
      isKilled = true;
      await server.kill();
      await rest();
    },
  };
}

/** A moment at which this process measures. */
async function inScan({ server }: Life, random: Random): Promise<void> {
  await sleep(random.integer(LOAD_MS_MAX));
  const running = () => {
    const jobs = (words: string) => server.log.filter((line) => line.includes(words)).length;
    return Promise.resolve(jobs('a scan starts') > jobs('a scan finished') || undefined);
  };
  await until('the process scans', SCAN_MS, running, OFTEN);
}

/** A receiver of webhooks that notes which job said that it is in which state. */
async function webhooks() {
  const heard = new Set<string>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { jobId, status } = JSON.parse(Buffer.concat(chunks).toString()) as { jobId: string; status: string };
      heard.add(`${jobId} ${status}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    heard,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
