// SPDX-License-Identifier: Apache-2.0
/**
 * `npm test`: every static check, then every test that needs no more than the lock file names, whatever the checks say. With `--integration`, which is `npm run test:integration`:
 * the tests that need other programs. With `--long`, which is `npm run test:long`: the tests that have a long size, in that size, and those that run there alone. Other arguments go
 * to Vitest.
 */
import { spawnSync } from 'node:child_process';
import { LONG_VARIABLE } from '@sextant/foundation-testing';
import { RESULTS } from './test-results.ts';

const [kind, ...others] = process.argv.slice(2);
const isLong = kind === '--long';
const isIntegration = kind === '--integration';
const given = isLong || isIntegration ? others : process.argv.slice(2);

function tests(project: string, results: string): readonly string[] {
  const reporters = ['--reporter=default', '--reporter=./tools/costliest-files.ts', '--reporter=json', `--outputFile.json=${results}`];
  return ['vitest', 'run', `--project=${project}`, ...reporters, ...given];
}

function commands(): readonly (readonly string[])[] {
  if (isLong) return [['vitest', 'run', '--reporter=verbose', ...given]];
  if (isIntegration) return [tests('integration', RESULTS.integration)];
  return [['node', 'tools/check.ts'], tests('!integration', RESULTS.others)];
}

const failed = commands().filter(([command = '', ...args]) => {
  // On Windows the commands in node_modules/.bin are scripts, which only a shell starts.
  const environment = { ...process.env, [LONG_VARIABLE]: isLong ? '1' : '0' };
  return spawnSync(command, args, { stdio: 'inherit', env: environment, shell: process.platform === 'win32' }).status !== 0;
});
if (failed.length > 0) process.exitCode = 1;
