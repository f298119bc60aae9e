// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../lifecycle/launched-services.ts';

let found: string | undefined;

/** The folder of the tarballs, with the unpacked packages in `packages`; built once of the same sources, and nobody may change it. */
export function packedPackages(): string {
  found ??= packed();
  return found;
}

export function tarballOf(name: 'sextant' | 'cli'): string {
  const [file] = globSync(`sextant-${name}-*.tgz`, { cwd: packedPackages() });
  if (file === undefined) throw new Error(`there is no tarball of ${name}`);
  return join(packedPackages(), file);
}

function packed(): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/packed/main.ts')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout.trim();
}
