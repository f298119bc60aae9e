// SPDX-License-Identifier: Apache-2.0
/**
 * `node tools/package/main.ts [directory] [bundle]` builds the packages and packs them into tarballs, in `dist` unless it says otherwise; with the bundle of
 * all programs that is in a folder, if it names one.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { buildPackages } from './build.ts';

const directory = resolve(process.argv[2] ?? resolve(import.meta.dirname, '../../dist'));
mkdirSync(directory, { recursive: true });
const folders = await buildPackages(join(directory, 'packages'), process.argv[3]);
const packed = spawnSync('npm', ['pack', '--json', '--pack-destination', directory, ...folders], {
  encoding: 'utf8',
  shell: process.platform === 'win32',
});
if (packed.status !== 0) throw new Error(`npm pack failed for ${folders.join(', ')}\n${packed.stderr}`);
console.log(`The tarballs are in ${directory}.`);
