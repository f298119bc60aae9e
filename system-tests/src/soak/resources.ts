// SPDX-License-Identifier: Apache-2.0
/** What a service takes of its machine; a number that the system does not give is NaN. */
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonClient } from '@sextant/foundation-testing';

export type Resources = {
  readonly residentMb: number;
  /** Of the thread that answered. */
  readonly heapMb: number;
  readonly externalMb: number;
  readonly descriptors: number;
  readonly diskMb: number;
};

const MB = 1024 * 1024;
const BLOCK_BYTES = 512;

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
    diskMb: diskBytes(directory) / MB,
  };
}

function descriptorsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/fd`).length;
  } catch {
    return Number.NaN;
  }
}

/** What the files of a directory take, which for files with holes is less than their length. */
function diskBytes(directory: string): number {
  try {
    return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(directory, entry.name);
      return sum + (entry.isDirectory() ? diskBytes(path) : fileBytes(path));
    }, 0);
  } catch {
    // It has gone meanwhile.
    return 0;
  }
}

function fileBytes(path: string): number {
  return (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES;
}

/** The least of each, as memory that is to be collected is no leak. */
export function leastOf(samples: readonly Resources[]): Resources {
  const least = (of: (sample: Resources) => number) => samples.reduce((low, sample) => Math.min(low, of(sample)), Number.POSITIVE_INFINITY);
  return {
    residentMb: least(({ residentMb }) => residentMb),
    heapMb: least(({ heapMb }) => heapMb),
    externalMb: least(({ externalMb }) => externalMb),
    descriptors: least(({ descriptors }) => descriptors),
    diskMb: least(({ diskMb }) => diskMb),
  };
}
