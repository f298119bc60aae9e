// SPDX-License-Identifier: Apache-2.0
/** The packages for tests that look at them, install them, or put them into an image: built once of the same sources, as who publishes them does, but of the programs that are bundled for other tests. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { bundledPrograms, SOURCES } from '../bundle/for-tests.ts';
import { madeOnce } from '../bundle/made-once.ts';

const MAIN = join(import.meta.dirname, 'main.ts');

/** Resolves with the folder of the tarballs, with the unpacked packages in `packages`; nobody may change it. */
export function packedPackages(): Promise<string> {
  return madeOnce({
    name: 'packed-packages',
    sources: [...SOURCES, 'tools/{package,sdk}/**/*', 'clients/sdk/**/*.md', 'LICENSE', 'package.json'],
    make: async (directory) => {
      const { status, stdout, stderr } = spawnSync(process.execPath, [MAIN, directory, await bundledPrograms()], { encoding: 'utf8' });
      if (status !== 0) throw new Error(stdout + stderr);
    },
  });
}
