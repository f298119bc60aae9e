// SPDX-License-Identifier: Apache-2.0
/**
 * `npm test`: every static check, then every test, whatever the checks say. `npm run test:long`, which is `--long` here: the tests that have a long size,
 * in that size, and those that run there alone. Other arguments go to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { LONG_VARIABLE } from '@sextant/foundation-testing';
import { RESULTS_PATH } from './test-results.ts';

const reporters = ['--reporter=default', '--reporter=./tools/costliest-files.ts', '--reporter=json', `--outputFile.json=${RESULTS_PATH}`];
const vitest = ['vitest', 'run', ...reporters];
const [isLong, given] = process.argv[2] === '--long' ? [true, process.argv.slice(3)] : [false, process.argv.slice(2)];
const commands = isLong
  ? [['vitest', 'run', '--reporter=verbose', ...given]]
  : [
      ['node', 'tools/check.ts'],
      [...vitest, ...given],
    ];
const failed = commands.filter(([command = '', ...args]) => {
  // On Windows the commands in node_modules/.bin are scripts, which only a shell starts.
  const environment = { ...process.env, [LONG_VARIABLE]: isLong ? '1' : '0' };
  return spawnSync(command, args, { stdio: 'inherit', env: environment, shell: process.platform === 'win32' }).status !== 0;
});
if (failed.length > 0) process.exitCode = 1;
