/**
 * A server is killed at random moments of a mixed load, again and again over one data directory. After each restart every acknowledged
 * write is there, nothing that was deleted came back, and no point is half of one write and half of another.
 */

import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sextant/foundation-std';
import { temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { COLLECTION_CONFIG } from './collection-config.ts';
import { inspect } from './inspection.ts';
import { PointLedger } from './ledger.ts';
import { loadUntilKilled, type Step } from './load.ts';
import { PointClient } from './point-client.ts';
import { CollectionClient, IndexClient, VectorClient } from './structure-client.ts';

const ROUNDS = 50;
/** Each round starts a server or two, which takes long on a machine that is busy with other things. */
const TIMEOUT_MS = 900_000;
const POINT_CLIENTS = 3;
/** One in so many rounds the server is killed a second time, while it starts. */
const KILLED_AT_START_EVERY = 6;
const COLLECTION = 'load';

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
      await using server = await startVectorServer({ directory: directory.path, environment: threadsOf(round) });
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

/** Few threads and several in turn: a start takes longest where there are most. */
function threadsOf(round: number) {
  return { SERVICE_THREADS: round % 2 === 0 ? '2' : '1' };
}

async function inRound(round: number, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new Error(`round ${round}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}

async function killWhileStarting(directory: string, random: Random): Promise<void> {
  await using server = await startVectorServer({ directory, until: 'listening' });
  await sleep(random.integer(60));
  await server.kill();
}
