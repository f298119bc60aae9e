// SPDX-License-Identifier: Apache-2.0
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Paths below a directory that others than the owner may use, and how many there are at all. */
export function walk(directory: string): { readonly count: number; readonly wide: readonly string[]; readonly names: readonly string[] } {
  const names = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  const wide = names.filter((name) => (statSync(join(directory, name)).mode & 0o077) !== 0);
  return { count: names.length, wide, names };
}
