// SPDX-License-Identifier: Apache-2.0
/** The service is killed while it releases the memory of deleted points, or saves graphs for that: no point is lost or there twice. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { type ChildServer, roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { test } from 'vitest';
import { GRAPH_ALWAYS } from '../graph-config.ts';
import { OFTEN, until, untilIndexed } from '../until.ts';
import { type CollectionApi, scrollAll, vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { everyVectorFindsItself } from './inspection.ts';
import { KILLS } from './kills.ts';
import { PointLedger } from './ledger.ts';
import type { PointShape } from './point-shape.ts';

const ROUNDS = roundsOf(KILLS.compaction);
const TIMEOUT_MS = 900_000 + ROUNDS * 60_000;
/** One vector in so many is searched for; all are read. */
const SEARCHED = roundsOf({ quick: 5, long: 1 });
const COLLECTION = 'wide';
/** Wide vectors, so that few of them take the memory that is worth giving back; nearly all zeros, so that they are quickly sent and linked. */
const SIZE = 16_384;
const POINTS = 520;
const KEPT = 60;
const POINTS_PER_WRITE = 50;
/** A compaction of so many takes a second or two, and longer on a busy machine. */
const DELAY_MS_MAX = 2000;

const WIDE: PointShape = {
  config: { vectors: { size: SIZE, distance: 'Euclid' }, ...GRAPH_ALWAYS },
  vector: wide,
  probes: (id, version) => [{ query: wide(id, version) }],
};

const ZEROS = Array.from({ length: SIZE }, () => 0);

function wide(id: number, version: number): number[] {
  const vector = ZEROS.slice();
  vector[0] = id;
  vector[1 + (version % (SIZE - 1))] = 1;
  return vector;
}

test(`every point stays where it is found in ${ROUNDS} kills while points move`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (_, seed) => {
    const ledger = new PointLedger(WIDE);
    for (let kill = 0; kill <= ROUNDS; kill++) {
      await using server = await startVectorServer({ directory: directory.path, environment: { SERVICE_THREADS: '1' } });
      const api = vectorApi(server.client).collection(COLLECTION);
      if (kill === 0) {
        await api.create(WIDE.config);
      } else {
        ledger.reconcile(await scrollAll(api));
        await everyVectorFindsItself(api, ledger, { every: SEARCHED });
      }
      if (kill === ROUNDS) return;
      await fill(api, ledger, kill);
      await untilIndexed(api);
      const chance = seededRandom(seed + kill);
      // Those at the end stay, so that they have to move to the front.
      const gone = ledger.points.map(([id]) => id).filter((id) => id < POINTS - KEPT);
      await ledger.write(new Map(gone.map((id) => [id, null])), () => api.deletePoints({ points: gone }));
      await momentOfCompaction(server, directory.path, chance);
      await server.kill();
    }
  });
});

async function fill(api: CollectionApi, ledger: PointLedger, vectorVersion: number): Promise<void> {
  const missing = Array.from({ length: POINTS }, (_, id) => id).filter((id) => ledger.acknowledged(id) === null);
  for (let first = 0; first < missing.length; first += POINTS_PER_WRITE) {
    const ids = missing.slice(first, first + POINTS_PER_WRITE);
    const state = { vectorVersion, payload: { vectorVersion } };
    await ledger.write(new Map(ids.map((id) => [id, state])), () =>
      api.upsert(ids.map((id) => ({ id, vector: WIDE.vector(id, vectorVersion), payload: state.payload }))),
    );
  }
}

/** At any time, while a graph is saved, or when it has ended. */
async function momentOfCompaction({ log }: ChildServer, directory: string, random: Random): Promise<void> {
  const kind = random.integer(3);
  const delayMs = random.integer(DELAY_MS_MAX);
  const hasEnded = () => log.some((line) => line.includes('"memory of deleted points released"'));
  if (kind === 0) {
    await sleep(delayMs);
  } else {
    const isKilledWhileSaving = kind === 1;
    const hasCome = async () => (hasEnded() || (isKilledWhileSaving && isSaving(directory)) ? true : undefined);
    await until('the points have moved', 240_000, hasCome, isKilledWhileSaving ? OFTEN : undefined);
    await sleep(delayMs / 100);
  }
}

function isSaving(directory: string): boolean {
  const collections = join(directory, 'collections');
  return readdirSync(collections).some((name) => readdirSync(join(collections, name)).some((file) => file.endsWith('.bin.new')));
}
