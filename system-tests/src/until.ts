import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@sextant/foundation-std';
import type { CollectionApi } from './vector-api.ts';

const POLL_MS = 10;

/** Polls until `fact` gives a value; after `timeoutMs` fails with what it was waiting for. */
export async function until<Value>(what: string, timeoutMs: number, fact: () => Promise<Value | undefined>): Promise<Value> {
  const deadlineMs = systemClock.monotonicMs() + timeoutMs;
  for (;;) {
    const value = await fact();
    if (value !== undefined) return value;
    if (systemClock.monotonicMs() > deadlineMs) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(POLL_MS);
  }
}

/** Waits until the graph holds every vector of the collection. */
export async function untilIndexed(collection: CollectionApi, timeoutMs = 240_000): Promise<void> {
  await until('the collection is indexed', timeoutMs, async () => {
    const info = await collection.info();
    return info.status === 'green' && info.indexed_vectors_count === info.points_count ? info : undefined;
  });
}
