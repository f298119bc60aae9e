// SPDX-License-Identifier: Apache-2.0
/** What processes have taken of the processor, as the system counts it. */
import { readFileSync } from 'node:fs';
import type { ChildServer } from '@sextant/foundation-testing';

/** The least that the system tells apart. */
export const TICK_US = 10_000;

/** Of all threads of the processes, in user and system mode. */
export function processorUs(servers: readonly ChildServer[]): number {
  return servers.reduce((sum, { pid }) => {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [userTicks = 0, systemTicks = 0] = fields.slice(11, 13).map(Number);
    return sum + (userTicks + systemTicks) * TICK_US;
  }, 0);
}
