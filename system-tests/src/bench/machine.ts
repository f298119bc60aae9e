// SPDX-License-Identifier: Apache-2.0
/** What the figures were measured on; nothing that would identify one machine of a kind. */
import { availableParallelism, cpus, totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

const SAMPLE_MS = 2000;

export type Machine = { readonly processor: string; readonly cores: number; readonly memoryGigabytes: number; readonly node: string };

export function thisMachine(): Machine {
  return {
    processor: cpus()[0]?.model ?? 'unknown processor',
    cores: availableParallelism(),
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    node: process.version,
  };
}

export function describeMachine({ processor, cores, memoryGigabytes, node }: Machine): string {
  return `${processor}, ${cores} cores, ${memoryGigabytes} GB memory, Node ${node}`;
}

/** Which share of the processor others use, 0 to 1; to be asked while this program and its children rest. */
export async function busyShare(): Promise<number> {
  const before = processorTimes();
  await sleep(SAMPLE_MS);
  const after = processorTimes();
  return 1 - (after.idle - before.idle) / Math.max(1, after.all - before.all);
}

function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, each) => sum + each.idle, 0);
  return { idle, all: times.reduce((sum, { user, nice, sys, irq }) => sum + user + nice + sys + irq, idle) };
}
