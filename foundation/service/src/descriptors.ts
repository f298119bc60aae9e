// SPDX-License-Identifier: Apache-2.0
/** How many files and connections this process may have open at a time, and how many it has. Linux says both; elsewhere they are unknown. */
import { readdirSync, readFileSync } from 'node:fs';

export type DescriptorLimit = { readonly limit: number; readonly isKnown: boolean };

/** Most systems allow at least so many once the process has raised its soft limit to the hard one, as Node.js does when it starts. */
const ASSUMED_LIMIT = 1024;

/** The soft limit, which Node.js has raised to the hard one. */
export function descriptorLimit(): DescriptorLimit {
  const text = textOf('/proc/self/limits');
  const [, soft] = /^Max open files +(\d+|unlimited) /m.exec(text ?? '') ?? [];
  if (soft === undefined) return { limit: ASSUMED_LIMIT, isKnown: false };
  return { limit: soft === 'unlimited' ? Number.MAX_SAFE_INTEGER : Number(soft), isKnown: true };
}

/** Undefined where the system does not say. */
export function openDescriptors(): number | undefined {
  try {
    // One of them is the folder that is being read.
    return readdirSync('/proc/self/fd').length - 1;
  } catch {
    return undefined;
  }
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
