// SPDX-License-Identifier: Apache-2.0
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processor time of the threads of a process that run, in microseconds, to the nanosecond (proc_pid_schedstat of Linux). Threads that have ended are not in
 * it, so that it serves between two moments close together.
 */
export function threadsUs(pid: number): number {
  return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const [ranNs = 0] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ').map(Number);
    return sum + ranNs / 1000;
  }, 0);
}
