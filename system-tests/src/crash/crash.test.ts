// SPDX-License-Identifier: Apache-2.0
/**
 * A server is killed at chosen moments of a mixed load and of its start, again and again over one data directory. After each restart every acknowledged
 * write is there, nothing that was deleted came back, and a request that was on its way has happened wholly or not at all.
 */
import { seededRandom } from '@sextant/foundation-std';
import { isLongRun, roundsOf, temporaryDirectory, withSeed } from '@sextant/foundation-testing';
import { test } from 'vitest';
import { vectorApi } from '../vector-api.ts';
import { startVectorServer } from '../vector-server.ts';
import { crashFixture } from './crash-fixture.ts';
import { inspectFiles } from './inspection.ts';
import { KILLS } from './kills.ts';
import { loadUntilKilled } from './load.ts';
import { StartKiller } from './start-kill.ts';

const ROUNDS = roundsOf(KILLS.load);
/** Each round starts a server, which takes long on a machine that is busy with other things. */
const TIMEOUT_MS = 900_000 + ROUNDS * 20_000;
const CAPABILITIES = 'aliases,snapshots,recovery,maintenance';

test(`nothing acknowledged is lost and nothing deleted comes back in ${ROUNDS} kills`, { timeout: TIMEOUT_MS }, async () => {
  await using directory = await temporaryDirectory();
  await withSeed(async (random, seed) => {
    const fixture = crashFixture(random, directory.path);
    const starts = new StartKiller();
    for (let kill = 0; kill <= ROUNDS; kill++) {
      // Of its own, so that a kill is the same whatever was drawn before it.
      const chance = seededRandom(seed + kill);
      await inRound(kill, async () => {
        if (kill < ROUNDS && comesAtStart(kill)) {
          await starts.kill(directory.path, chance);
          return;
        }
        await using server = await startVectorServer({ directory: directory.path, environment: environmentOf(kill) });
        starts.started(server);
        const vectors = vectorApi(server.client);
        if (kill === 0) await fixture.create(vectors);
        await inspectFiles(vectors, directory.path);
        await fixture.reconcile(vectors);
        if (kill < ROUNDS) await loadUntilKilled(server, fixture.steps, chance);
      });
    }
  });
});

/** One in three kills of the long run comes while the server starts, and every other one of the short run: such a round takes no whole start. */
function comesAtStart(kill: number): boolean {
  return kill % (isLongRun() ? 3 : 2) === 1;
}

/** One in four has several threads: a start takes longest where there are most. */
function environmentOf(kill: number) {
  return { SERVICE_THREADS: kill % 4 === 0 ? '2' : '1', SERVICE_CAPABILITIES: CAPABILITIES };
}

async function inRound(round: number, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (cause) {
    throw new Error(`round ${round}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
  }
}
