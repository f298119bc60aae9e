// SPDX-License-Identifier: Apache-2.0
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** All paths below a directory, and those that others than their owner may use. */
export function pathsBelow(directory: string): { readonly all: readonly string[]; readonly open: readonly string[] } {
  const all = readdirSync(directory, { recursive: true, encoding: 'utf8' });
  return { all, open: all.filter((path) => (statSync(join(directory, path)).mode & 0o077) !== 0) };
}
