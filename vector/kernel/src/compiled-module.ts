// SPDX-License-Identifier: Apache-2.0
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The module of a file that the build has left beside the sources. */
export function compiledModule(url: URL): WebAssembly.Module {
  try {
    return new WebAssembly.Module(readFileSync(url));
  } catch (cause) {
    if (!(cause instanceof Error && 'syscall' in cause)) throw cause;
    throw new Error(`vector/kernel/${basename(fileURLToPath(url))} is missing; run \`node vector/kernel/build.mjs\``, { cause });
  }
}
