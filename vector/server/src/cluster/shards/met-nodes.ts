// SPDX-License-Identifier: Apache-2.0
/** Waits for what a thread is about to hear of its cluster. */
import { type Clock, pause } from '@sextant/foundation-std';

/** Nodes announce themselves every two seconds. */
const SOON_MS = 5000;
const PAUSE_MS = 50;

/**
 * A node that has just joined is in placements a moment before a thread hears of it.
 * @param known those of some nodes that the thread has heard of
 * @returns none of them where it does not hear of any for five seconds
 */
export async function metNodes<Node>(known: () => readonly Node[], clock: Clock): Promise<readonly Node[]> {
  await soonTrue(() => known().length > 0, clock);
  return known();
}

/** Whether a fact is true within five seconds. */
export async function soonTrue(fact: () => boolean, clock: Clock): Promise<boolean> {
  const begunMs = clock.monotonicMs();
  while (!fact()) {
    if (clock.monotonicMs() - begunMs >= SOON_MS) return false;
    await pause(clock, PAUSE_MS);
  }
  return true;
}
