// SPDX-License-Identifier: Apache-2.0
/** The service is killed while it recovers a collection from a snapshot: the former collection is there after the restart, or the one of the snapshot. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { type ChildServer, roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { test } from 'vitest';
import { OFTEN, until } from '../until.ts';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { inspect, inspectFiles } from './inspection.ts';
import { KILLS } from './kills.ts';
import { killDuring } from './load.ts';
import { PLAIN } from './point-shape.ts';
import { GenerationClient, KEPT, SnapshotClient } from './snapshot-client.ts';

const ROUNDS = roundsOf(KILLS.recovery);
const TIMEOUT_MS = 900_000 + ROUNDS * 40_000;
const DELAY_MS_MAX = 60;
const ENVIRONMENT = { SERVICE_THREADS: '1', SERVICE_CAPABILITIES: 'snapshots,recovery' };

test(`a recovery happens wholly or not at all in ${ROUNDS} kills`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (_, seed) => {
    const generations = new GenerationClient();
    const snapshots = new SnapshotClient({ generations, directory: directory.path });
    for (let kill = 0; kill <= ROUNDS; kill++) {
      // As a kill leaves it that comes while a snapshot is written.
      mkdirSync(join(directory.path, 'snapshots/.drafts/left'), { recursive: true });
      await using server = await startVectorServer({ directory: directory.path, environment: ENVIRONMENT });
      const vectors = vectorApi(server.client);
      if (kill === 0) await vectors.collection(KEPT).create(PLAIN.config);
      await inspectFiles(vectors, directory.path);
      await inspect(vectors.collection(KEPT), generations.ledger);
      generations.reconcile();
      await snapshots.reconcile(vectors);
      if (kill === ROUNDS) return;
      await generations.step(vectors.collection(KEPT));
      await snapshots.step(vectors);
      // The oldest may have gone for it, and the newest must be of now.
      if (kill % 2 === 0) await snapshots.step(vectors);
      const known = directoriesIn(directory.path);
      const chance = seededRandom(seed + kill);
      const steps = [(api: typeof vectors) => generations.step(api.collection(KEPT)), (api: typeof vectors) => snapshots.recover(api)];
      await killDuring(server, steps, () => momentOfRecovery(server, { directory: directory.path, known }, chance));
    }
  });
});

type Before = { readonly directory: string; readonly known: readonly string[] };

/** While the archive is unpacked, while the child process fills the new store, about the exchange, or after it. */
async function momentOfRecovery({ log }: ChildServer, { directory, known }: Before, random: Random): Promise<void> {
  const isNew = () => directoriesIn(directory).find((name) => !known.includes(name));
  const moments: readonly (() => boolean)[] = [
    () => log.some((line) => line.includes('"recovering from a snapshot"')),
    () => isNew() !== undefined,
    () => readdirIn(join(directory, 'collections', isNew() ?? '-')).includes('data.mdb'),
    () => log.some((line) => line.includes('"recovered from a snapshot"')),
  ];
  const hasCome = moments[random.integer(moments.length)] ?? (() => true);
  const delayMs = random.integer(DELAY_MS_MAX);
  await until('the recovery is so far', 120_000, async () => (hasCome() ? true : undefined), OFTEN);
  await sleep(delayMs);
}

function directoriesIn(directory: string): readonly string[] {
  return readdirIn(join(directory, 'collections'));
}

function readdirIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    // It is not there yet, or no more.
    return [];
  }
}
