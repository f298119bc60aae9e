/** What the figures were measured on; nothing that would tell one machine of a kind from another. */
import { availableParallelism, cpus, totalmem } from 'node:os';

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
