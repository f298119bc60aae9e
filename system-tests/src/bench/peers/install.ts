/** Installs the peers when they are wanted and not there. They are optional dependencies: one that cannot be built here is left out. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../../../peers', import.meta.url));

/** False when npm failed; it has then said why. */
export function installPeers(): boolean {
  if (existsSync(`${FOLDER}/node_modules`)) return true;
  console.log('Installing usearch and hnswlib-node into system-tests/peers (once; hnswlib-node is compiled, which takes a C++ compiler)');
  const { status } = spawnSync('npm ci --no-audit --no-fund', { cwd: FOLDER, shell: true, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) console.log('npm could not install the peers; the server is measured alone');
  return status === 0;
}
