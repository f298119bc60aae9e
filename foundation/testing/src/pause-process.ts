// SPDX-License-Identifier: Apache-2.0
/** Stops a process as SIGSTOP does, and waits until it stands still: the signal alone returns while threads of the process may still run. */
import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const POLL_MS = 2;

/** Where the system does not list the threads of a process (outside Linux) it does not wait. */
export async function pauseProcess(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP');
  while (!threadStates(pid).every((state) => state === 'T')) await sleep(POLL_MS);
}

/** One letter for each thread, by man 5 proc. */
function threadStates(pid: number): readonly string[] {
  if (process.platform !== 'linux') return [];
  const tasks = `/proc/${pid}/task`;
  // The name, which comes before, may hold anything but ends with the last parenthesis.
  return readdirSync(tasks).map((thread) => /^.*\) (\w)/s.exec(readFileSync(`${tasks}/${thread}/stat`, 'utf8'))?.[1] ?? '');
}
