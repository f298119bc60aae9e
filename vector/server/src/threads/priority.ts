// SPDX-License-Identifier: Apache-2.0
/**
 * Threads that others do not wait for step back where cores are few: a search that wakes up takes the core from them. Linux alone gives each thread a
 * priority of its own, and lets every process lower it.
 */
import { readlinkSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/** Steps of the operating system's scale: on a core that it shares with a thread at 0, one at 5 gets a quarter, and one at 10 a tenth. */
export const STEPS_BACK = { writing: 5, indexing: 10 } as const;

const LOWEST = 19;

/** Lowers the priority of the calling thread; elsewhere than on Linux, and where the system does not allow it, nothing changes. */
export function stepBack(steps: number): void {
  if (process.platform !== 'linux') return;
  try {
    const thread = ownThreadId();
    setPriority(thread, Math.min(LOWEST, getPriority(thread) + steps));
  } catch {
    // A sandbox may hide /proc or forbid the call; everything works without it.
  }
}

/** The kernel's number of the calling thread: `/proc/thread-self` is a link to `<process>/task/<thread>`. */
function ownThreadId(): number {
  return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
}
