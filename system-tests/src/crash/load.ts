// SPDX-License-Identifier: Apache-2.0
/**
 * A load of several clients that ends when the server is killed. Each client draws from chance of its own, so its requests are the same with the same
 * seed, and the moment is counted in requests: so many by all clients, then the next of a chosen one. What cannot be repeated is how the requests of
 * different clients fall between each other, and how far the service is with those that are on their way.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { type ChildServer, jsonClient } from '@sextant/foundation-testing';
import { RequestError, type VectorApi, vectorApi } from '../vector-api.ts';

/** One request of a client, or a few. */
export type Step = (vectors: VectorApi) => Promise<void>;

/** Of all clients together before the chosen one begins its last. */
const STEPS_MAX = 80;
/** The server is killed so long after that; most steps take a few milliseconds. */
const DELAYS_MS = [0, 0, 1, 2, 5, 20];

/** Chance for a client of its own. */
export function branchOf(random: Random): Random {
  return seededRandom(random.integer(2 ** 32));
}

/** Every client takes its steps over a connection of its own until the server is gone. */
export async function loadUntilKilled(server: ChildServer, steps: readonly Step[], random: Random): Promise<void> {
  const chosen = random.integer(steps.length);
  const delayMs = DELAYS_MS[random.integer(DELAYS_MS.length)] ?? 0;
  let stepsLeft = random.integer(STEPS_MAX);
  const begun = Promise.withResolvers<void>();
  const counted = steps.map(
    (step, client): Step =>
      (vectors) => {
        if (stepsLeft-- <= 0 && client === chosen) begun.resolve();
        return step(vectors);
      },
  );
  await killDuring(server, counted, () => begun.promise.then(() => sleep(delayMs)));
}

/** Every client takes its steps until the moment has come. */
export async function killDuring(server: ChildServer, steps: readonly Step[], moment: () => Promise<unknown>): Promise<void> {
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
  await Promise.race([load, moment()]);
  killed = true;
  await server.kill();
  await load;
}

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof RequestError) && 'code' in error && /^(ECONN|EPIPE)/.test(String(error.code));
}
