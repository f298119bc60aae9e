// SPDX-License-Identifier: Apache-2.0
/** What a service takes of its machine; a number that the system does not give is NaN. */
import { readdirSync } from 'node:fs';
import type { JsonClient } from '@sextant/foundation-testing';
import { bytesBelow } from '../bytes-below.ts';

export type Resources = {
  readonly residentMb: number;
  /** Of the thread that answered. */
  readonly heapMb: number;
  readonly externalMb: number;
  readonly descriptors: number;
  readonly diskMb: number;
};

const MB = 1024 * 1024;

export async function resourcesOf(
  client: JsonClient,
  { pid, directory }: { readonly pid: number; readonly directory: string },
): Promise<Resources> {
  const metrics = String((await client.request('GET', '/metrics')).body);
  const metric = (name: string) => Number(new RegExp(`^\\w*${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec(metrics)?.[1] ?? Number.NaN);
  return {
    residentMb: metric('memory_resident_bytes') / MB,
    heapMb: metric('memory_heap_used_bytes') / MB,
    externalMb: metric('memory_external_bytes') / MB,
    descriptors: descriptorsOf(pid),
    diskMb: bytesBelow(directory) / MB,
  };
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}
