// SPDX-License-Identifier: Apache-2.0
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../lifecycle/launched-services.ts';

/** The folder of the tarballs, with the unpacked packages in `packages`; built once of the same sources, and nobody may change it. */
export function packedPackages(): string {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'tools/packed/main.ts')], { encoding: 'utf8' });
  if (status !== 0) throw new Error(stdout + stderr);
  return stdout.trim();
}
