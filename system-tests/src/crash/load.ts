/** A load of several clients that ends when the server is killed, at a random moment. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '@sextant/foundation-std';
import { type ChildServer, jsonClient } from '@sextant/foundation-testing';
import { RequestError, type VectorApi, vectorApi } from '../vector-api.ts';

const LOAD_MS_MIN = 20;
const LOAD_MS_MAX = 500;

export type Step = (vectors: VectorApi) => Promise<void>;

/** Every client takes its steps over a connection of its own until the server is gone. */
export async function loadUntilKilled(server: ChildServer, steps: readonly Step[], random: Random): Promise<void> {
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

function isBrokenConnection(error: unknown): boolean {
  return error instanceof Error && !(error instanceof RequestError) && 'code' in error && /^(ECONN|EPIPE)/.test(String(error.code));
}
