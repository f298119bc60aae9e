// SPDX-License-Identifier: Apache-2.0
/**
 * An empty PostgreSQL cluster. `initdb` takes a second of the processor and a copy of what it has made a hundredth of that, so it runs once for each
 * installation of PostgreSQL, and what it has made is kept below the libraries.
 */
import { createHash, randomBytes } from 'node:crypto';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runProgram } from './run-program.ts';
import { temporaryDirectory } from './temporary-directory.ts';

/** A superuser, who is asked for the password. */
export const SUPERUSER = 'sextant';

const CLUSTERS = fileURLToPath(new URL('../../../node_modules/.cache/postgres-clusters', import.meta.url));
/** With a log whose files take 1 MB instead of 16. */
const SETTINGS = ['-U', SUPERUSER, '--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync', '--wal-segsize=1'];
const DATA = 'data';
const PASSWORD = 'password';

/** Whom the server runs as; undefined for the user of this process. */
export type Owner = { readonly uid: number; readonly gid: number };

type Installation = { readonly binaries: string; readonly owner: Owner | undefined };

/** Copies an empty cluster to `target`, which is not there yet, and resolves with the password of its superuser. */
export async function copyEmptyCluster(target: string, installation: Installation): Promise<string> {
  const cluster = join(CLUSTERS, nameOf(installation));
  if (!existsSync(cluster)) await makeCluster(cluster, installation);
  // Its files belong to whom the server runs as, and so do their copies.
  await runProgram('cp', ['-a', join(cluster, DATA), target], { cwd: CLUSTERS });
  return readFileSync(join(cluster, PASSWORD), 'utf8');
}

async function makeCluster(cluster: string, { binaries, owner }: Installation): Promise<void> {
  mkdirSync(CLUSTERS, { recursive: true });
  const draft = mkdtempSync(join(CLUSTERS, '.draft-'));
  // Where whom the server runs as may look, unlike perhaps here.
  await using directory = await temporaryDirectory();
  const passwordFile = join(directory.path, PASSWORD);
  writeFileSync(passwordFile, randomBytes(16).toString('hex'));
  if (owner !== undefined) for (const path of [directory.path, passwordFile]) chownSync(path, owner.uid, owner.gid);
  try {
    await runProgram(join(binaries, 'initdb'), ['-D', join(directory.path, DATA), `--pwfile=${passwordFile}`, ...SETTINGS], {
      cwd: directory.path,
      ...owner,
    });
    await runProgram('cp', ['-a', join(directory.path, DATA), passwordFile, draft], { cwd: CLUSTERS });
    renameSync(draft, cluster);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another test was faster.
    if (!existsSync(cluster)) throw error;
  }
}

function nameOf({ binaries, owner }: Installation): string {
  const { mtimeMs, size } = statSync(join(binaries, 'initdb'));
  const facts = [binaries, mtimeMs, size, owner?.uid, process.getuid?.(), ...SETTINGS];
  return createHash('sha256').update(facts.join()).digest('hex').slice(0, 16);
}
