// SPDX-License-Identifier: Apache-2.0
/**
 * The same for a collection whose vectors are on disk: codes and links alone are in memory, and the vectors that waited for the graph when the process was killed
 * are neither in a saved graph nor lost.
 */
import { deepStrictEqual } from 'node:assert/strict';
import { seededRandom } from '@sextant/foundation-std';
import { roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { test } from 'vitest';
import { untilIndexed } from '../until.ts';
import { type CollectionApi, vectorApi } from '../vector-api.ts';
import { startVectorServer, TWO_THREADS } from '../vector-server.ts';
import { inspect } from './inspection.ts';
import { KILLS } from './kills.ts';
import { PointLedger } from './ledger.ts';
import { branchOf, loadUntilKilled, type Step } from './load.ts';
import { PointClient } from './point-client.ts';
import { ON_DISK } from './point-shape.ts';

const ROUNDS = roundsOf(KILLS.onDisk);
const TIMEOUT_MS = 900_000 + ROUNDS * 60_000;
const CLIENTS = 3;
/** Codes are learned from a thousand points on, and vectors leave memory then. */
const IDS_PER_CLIENT = 400;
const COLLECTION = 'disk';

test(`a collection on disk keeps what it acknowledged through ${ROUNDS} kills`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random, seed) => {
    const ledger = new PointLedger(ON_DISK);
    const clients = Array.from(
      { length: CLIENTS },
      (_, owner) => new PointClient({ owner, ledger, random: branchOf(random), idCount: IDS_PER_CLIENT }),
    );
    const steps = clients.map(
      (client): Step =>
        (vectors) =>
          client.step(vectors.collection(COLLECTION)),
    );
    for (let round = 0; round <= ROUNDS; round++) {
      await using server = await startVectorServer({ directory: directory.path, environment: TWO_THREADS });
      const api = vectorApi(server.client).collection(COLLECTION);
      if (round === 0) {
        await api.create(ON_DISK.config);
      } else {
        await inspect(api, ledger);
      }
      if (round === ROUNDS) return;
      // What earlier rounds deleted comes back, and with it enough points for codes.
      for (const client of clients) await client.fill(api);
      await untilCodesAreInUse(api);
      await loadUntilKilled(server, steps, seededRandom(seed + round));
    }
  });
});

async function untilCodesAreInUse(api: CollectionApi): Promise<void> {
  await untilIndexed(api);
  deepStrictEqual((await api.info()).warnings, undefined);
}
