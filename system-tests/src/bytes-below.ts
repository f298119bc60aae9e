// SPDX-License-Identifier: Apache-2.0
import { lstatSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const BLOCK_BYTES = 512;

/** What the files below a directory take of the disk, holes left out. What goes while they are counted takes nothing. */
export function bytesBelow(directory: string): number {
  try {
    return readdirSync(directory, { withFileTypes: true }).reduce((sum, entry) => {
      const path = join(directory, entry.name);
      return sum + (entry.isDirectory() ? bytesBelow(path) : (lstatSync(path, { throwIfNoEntry: false })?.blocks ?? 0) * BLOCK_BYTES);
    }, 0);
  } catch {
    return 0;
  }
}
