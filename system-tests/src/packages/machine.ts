// SPDX-License-Identifier: Apache-2.0
/** The machine as somebody meets it who has not got this repository. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { ROOT } from '../lifecycle/launched-services.ts';

/** Neither the tools of this repository nor the Node.js that it pins, and no variable of the npm that may have started this test. */
export const machineEnvironment: { readonly [name: string]: string | undefined; readonly PATH: string } = {
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^npm_(?!config_(registry|cache|userconfig)$)/i.test(name))),
  NODE_ENV: undefined,
  PATH: (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.includes('node_modules'))
    .join(delimiter),
};

/** The npm of the machine. */
export function npm(args: readonly string[], cwd: string) {
  return spawnSync('npm', args, { cwd, env: machineEnvironment, encoding: 'utf8', shell: process.platform === 'win32' });
}

let isReached: boolean | undefined;

/** Whether npm can install what the packages depend on; asked once, for all test files of a process. */
export function reachesRegistry(): boolean {
  isReached ??= answersNpm();
  return isReached;
}

function answersNpm(): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(ROOT, 'vector/storage/package.json'), 'utf8')) as {
    readonly dependencies: { readonly lmdb: string };
  };
  return npm(['view', `lmdb@${dependencies.lmdb}`, 'version'], ROOT).status === 0;
}
