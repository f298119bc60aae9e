/**
 * A server is killed at random moments of a mixed load, again and again over one data directory. After each restart every acknowledged
 * write is there, nothing that was deleted came back, and no point is half of one write and half of another.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sextant/foundation-std';
import { type ChildServer, jsonClient, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { test } from 'vitest';
import { RequestError, type VectorApi, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { COLLECTION_CONFIG } from './collection-config.ts';
import { inspect } from './inspection.ts';
import { PointLedger } from './ledger.ts';
import { PointClient } from './point-client.ts';
import { CollectionClient, IndexClient, VectorClient } from './structure-client.ts';

const ROUNDS = 50;
/** Each round starts a server or two, which takes long on a machine that is busy with other things. */
const TIMEOUT_MS = 900_000;
const POINT_CLIENTS = 3;
const LOAD_MS_MIN = 20;
const LOAD_MS_MAX = 500;
/** One in so many rounds the server is killed a second time, while it starts. */
const KILLED_AT_START_EVERY = 6;
const COLLECTION = 'load';

type Step = (vectors: VectorApi) => Promise<void>;

test(`nothing acknowledged is lost and nothing deleted comes back in ${ROUNDS} kills`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random) => {
    const points = new PointLedger();
    const pointClients = Array.from({ length: POINT_CLIENTS }, (_, owner) => new PointClient({ owner, ledger: points, random }));
    const indexClient = new IndexClient(random);
    const vectorClient = new VectorClient();
    const collectionClient = new CollectionClient(random);
    const steps: Step[] = [
      ...pointClients.map(
        (client): Step =>
          (vectors) =>
            client.step(vectors.collection(COLLECTION)),
      ),
      (vectors) => indexClient.step(vectors.collection(COLLECTION)),
      (vectors) => vectorClient.step(vectors.collection(COLLECTION)),
      (vectors) => collectionClient.step(vectors),
    ];
    for (let round = 0; round <= ROUNDS; round++) {
      await using server = await startVectorServer({ directory: directory.path });
      const vectors = vectorApi(server.client);
      if (round === 0) await vectors.collection(COLLECTION).create(COLLECTION_CONFIG);
      await inRound(round, async () => {
        await inspect(vectors.collection(COLLECTION), points);
        await indexClient.reconcile(vectors.collection(COLLECTION));
        await vectorClient.reconcile(vectors.collection(COLLECTION));
        await collectionClient.reconcile(vectors, inspect);
        if (round < ROUNDS) await loadUntilKilled(server, steps, random);
      });
      if (round % KILLED_AT_START_EVERY === 1) await killWhileStarting(directory.path, random);
    }
  });
});

async function inRound(round: number, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new Error(`round ${round}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

/** Every client takes its steps over a connection of its own until the server is gone. */
async function loadUntilKilled(server: ChildServer, steps: readonly Step[], random: Random): Promise<void> {
  let killed = false;
  const clients = steps.map(async (step) => {
    using client = jsonClient({ baseUrl: server.address, connectionsMax: 1 });
    const vectors = vectorApi(client);
    try {
      for (;;) await step(vectors);
    } catch (error) {
      // Once the server is being killed a broken connection is what must happen; an answer that is wrong never is.
      if (!killed || !isBrokenConnection(error)) throw error;
    }
  });
  const load = Promise.all(clients);
  await Promise.race([load, sleep(LOAD_MS_MIN + random.integer(LOAD_MS_MAX - LOAD_MS_MIN))]);
  killed = true;
  await server.kill();
  await load;
}

async function killWhileStarting(directory: string, random: Random): Promise<void> {
  await using server = await startVectorServer({ directory, until: 'listening' });
  await sleep(random.integer(60));
  await server.kill();
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof RequestError) && 'code' in error && /^(ECONN|EPIPE)/.test(String(error.code));
}
