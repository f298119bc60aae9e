// SPDX-License-Identifier: Apache-2.0
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@sextant/foundation-std';
import type { CollectionApi } from './vector-api.ts';

const POLL_MS = 10;
const POLL_MS_MAX = 100;

/** For who must not miss a moment. */
export const OFTEN = () => POLL_MS;

/** Looks cost the time of what is waited for, so who has waited long waits a tenth of that again. */
const patiently = (waitedMs: number) => Math.min(POLL_MS_MAX, Math.max(POLL_MS, waitedMs / 10));

/** Polls until `fact` gives a value; after `timeoutMs` fails with what it was waiting for. */
export async function until<Value>(
  what: string,
  timeoutMs: number,
  fact: () => Promise<Value | undefined>,
  pauseMs: (waitedMs: number) => number = patiently,
): Promise<Value> {
  const begunMs = systemClock.monotonicMs();
  for (;;) {
    const value = await fact();
    if (value !== undefined) return value;
    const waitedMs = systemClock.monotonicMs() - begunMs;
    if (waitedMs > timeoutMs) throw new Error(`${what}: not within ${timeoutMs} ms`);
    await sleep(pauseMs(waitedMs));
  }
}

/** Waits until the graph holds every vector of the collection. */
export async function untilIndexed(collection: CollectionApi, timeoutMs = 240_000): Promise<void> {
  await until('the collection is indexed', timeoutMs, async () => {
    const info = await collection.info();
    return info.status === 'green' && info.indexed_vectors_count === info.points_count ? info : undefined;
  });
}
