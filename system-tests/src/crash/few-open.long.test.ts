// SPDX-License-Identifier: Apache-2.0
/** A server that opens and closes its collections all the time is killed again and again: every acknowledged write is there after each start. */
import { seededRandom } from '@sextant/foundation-std';
import { temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { KILLS } from './kills.ts';
import { loadUntilKilled, type Step } from './load.ts';

const ROUNDS = KILLS.fewOpen.long;
const TIMEOUT_MS = 300_000 + ROUNDS * 30_000;
const COLLECTIONS = 7;
const CLIENTS = 3;
const ENVIRONMENT = { SERVICE_THREADS: '2', SERVICE_COLLECTIONS_OPEN_MAX: '2' };
const PLANE = { vectors: { size: 2, distance: 'Euclid' } } as const;

const nameOf = (index: number) => `c${index}`;

test(`nothing acknowledged is lost in ${ROUNDS} kills while collections are closed for each other`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random, seed) => {
    const acknowledged = Array.from({ length: COLLECTIONS }, () => new Set<number>());
    let next = 0;
    const write: Step = async (vectors) => {
      const index = random.integer(COLLECTIONS);
      const id = next++;
      await vectors.collection(nameOf(index)).upsert([{ id, vector: [id, index] }]);
      acknowledged[index]?.add(id);
    };
    for (let kill = 0; kill <= ROUNDS; kill++) {
      await using server = await startVectorServer({ directory: directory.path, environment: ENVIRONMENT });
      const vectors = vectorApi(server.client);
      for (const [index, ids] of acknowledged.entries()) {
        const collection = vectors.collection(nameOf(index));
        if (kill === 0) await collection.create(PLANE);
        const found = new Map((await scrollAll(collection)).map(({ id, vector }) => [id, vector]));
        for (const id of ids) expect(found.get(id), `round ${kill}: point ${id} of collection ${index}`).toEqual([id, index]);
      }
      if (kill < ROUNDS)
        await loadUntilKilled(
          server,
          Array.from({ length: CLIENTS }, () => write),
          seededRandom(seed + kill),
        );
    }
    expect(acknowledged.some((ids) => ids.size > 0)).toBe(true);
  });
});
