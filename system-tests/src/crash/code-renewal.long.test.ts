// SPDX-License-Identifier: Apache-2.0
/** The service is killed while it makes codes of vectors on disk again, as later points lie elsewhere: every point is there and found after the restart. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom, systemClock } from '@sextant/foundation-std';
import { type ChildServer, roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { untilIndexed } from '../until.ts';
import { type CollectionApi, scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { everyVectorFindsItself } from './inspection.ts';
import { KILLS } from './kills.ts';
import { PointLedger } from './ledger.ts';
import type { PointShape } from './point-shape.ts';

const ROUNDS = roundsOf(KILLS.codeRenewal);
const TIMEOUT_MS = 900_000 + ROUNDS * 60_000;
const COLLECTION = 'disk';
const SIZE = 128;
const RANK = 16;
const CENTRES = 25;
/** Enough for codes to be learned, then so many elsewhere that codes no longer fit. */
const FIRST = 5300;
const LATER = 1500;
const POINTS_PER_WRITE = 500;
/** What a renewal takes, about; on a busy machine it takes longer. */
const DELAY_MS_MAX = 1500;
/** Codes are judged within a second of the last link. */
const BEGIN_TIMEOUT_MS = 60_000;
const POLL_MS = 2;

/** Two kinds of points, each in directions of its own. */
const KINDS = [0, 1].map((kind) => {
  const random = seededRandom(kind);
  const directions = Array.from({ length: RANK }, () => Array.from({ length: SIZE }, () => random.next() - 0.5));
  const centres = Array.from({ length: CENTRES }, () => Array.from({ length: RANK }, () => random.next() * 4 - 2));
  return { directions, centres };
});

const SHAPE: PointShape = {
  config: { vectors: { size: SIZE, distance: 'Euclid', on_disk: true }, optimizers_config: { indexing_threshold: 1 } },
  vector: lowRank,
  probes: (id) => [{ query: lowRank(id) }],
};

function lowRank(id: number): number[] {
  const random = seededRandom(id);
  const { directions, centres } = KINDS[id < FIRST ? 0 : 1] ?? { directions: [], centres: [] };
  const shares = (centres[id % CENTRES] ?? []).map((value) => value + random.next() - 0.5);
  return Array.from({ length: SIZE }, (_, at) =>
    shares.reduce((sum, share, index) => sum + share * (directions[index]?.[at] ?? 0), 0.02 * random.next()),
  );
}

test(`points stay what they are in ${ROUNDS} kills while codes are recomputed`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (_, seed) => {
    const ledger = new PointLedger(SHAPE);
    let isOutgrown = false;
    let killedInRenewal = 0;
    for (let kill = 0; kill <= ROUNDS; kill++) {
      await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: '1' } });
      const api = vectorApi(server.client).collection(COLLECTION);
      if (kill > 0) {
        ledger.reconcile(await scrollAll(api));
        await everyVectorFindsItself(api, ledger, { every: 7 });
      }
      if (kill === ROUNDS) break;
      if (isOutgrown) {
        // Codes are judged when something is linked.
        const id = FIRST + LATER + kill;
        await write(api, ledger, { from: id, to: id + 1 });
      } else {
        await makeOutgrown(api, ledger);
      }
      const outcome = await killInRenewal(server, seededRandom(seed + kill));
      if (outcome === 'in renewal') killedInRenewal++;
      isOutgrown = outcome === 'in renewal';
    }
    // Otherwise the test has shown less than it says.
    expect(killedInRenewal).toBeGreaterThan(0);
  });
});

/** Makes the collection afresh, with codes that do not fit its later points. */
async function makeOutgrown(api: CollectionApi, ledger: PointLedger): Promise<void> {
  if (await api.exists()) await api.remove();
  ledger.clear();
  await api.create(SHAPE.config);
  await write(api, ledger, { from: 0, to: FIRST });
  await untilIndexed(api);
  await write(api, ledger, { from: FIRST, to: FIRST + LATER });
}

/** Where the codes that were saved fit after all, or the renewal was quicker than the kill, the next round begins afresh. */
async function killInRenewal(server: ChildServer, random: Random): Promise<'in renewal' | 'not in renewal'> {
  const has = (message: string) => server.log.some((line) => line.includes(`"${message}"`));
  const delayMs = random.integer(DELAY_MS_MAX);
  const deadlineMs = systemClock.monotonicMs() + BEGIN_TIMEOUT_MS;
  const hasBegun = () => has('recomputing codes that no longer fit newer points');
  while (!hasBegun() && systemClock.monotonicMs() < deadlineMs) await sleep(POLL_MS);
  await sleep(delayMs);
  await server.kill();
  return hasBegun() && !has('codes recomputed') ? 'in renewal' : 'not in renewal';
}

async function write(api: CollectionApi, ledger: PointLedger, { from, to }: { readonly from: number; readonly to: number }): Promise<void> {
  for (let first = from; first < to; first += POINTS_PER_WRITE) {
    const ids = Array.from({ length: Math.min(POINTS_PER_WRITE, to - first) }, (_, index) => first + index);
    const state = { vectorVersion: 0, payload: {} };
    await ledger.write(new Map(ids.map((id) => [id, state])), () =>
      api.upsert(ids.map((id) => ({ id, vector: SHAPE.vector(id, 0), payload: state.payload }))),
    );
  }
}
