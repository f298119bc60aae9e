// SPDX-License-Identifier: Apache-2.0
/**
 * `npm test`: every static check, and beside them every test that needs no more than the lock file names. With `--integration`, which is `npm run test:integration`:
 * the tests that need other programs. With `--long`, which is `npm run test:long`: the tests that have a long size, in that size, and those that run there alone. Other arguments go
 * to Vitest.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants, setPriority } from 'node:os';
import { LONG_VARIABLE } from '@sextant/foundation-testing';
import { RESULTS } from './test-results.ts';

const [kind, ...others] = process.argv.slice(2);
const isLong = kind === '--long';
const isIntegration = kind === '--integration';
const given = isLong || isIntegration ? others : process.argv.slice(2);

type Command = { readonly name: string; readonly command: readonly string[]; readonly priority?: number };

function tests(project: string, results: string): readonly string[] {
  const reporters = ['--reporter=default', '--reporter=./tools/costliest-files.ts', '--reporter=json', `--outputFile.json=${results}`];
  return ['vitest', 'run', `--project=${project}`, ...reporters, ...given];
}

function commands(): readonly Command[] {
  if (isLong) return [{ name: 'tests', command: ['vitest', 'run', '--reporter=verbose', ...given] }];
  if (isIntegration) return [{ name: 'integration tests', command: tests('integration', RESULTS.integration) }];
  return [
    // Tests wait an eighth of their time, for processes that they start and for the disk: it is enough for most of the checks.
    { name: 'static checks', command: ['node', 'tools/check.ts'], priority: constants.priority.PRIORITY_BELOW_NORMAL },
    { name: 'tests', command: tests('!integration', RESULTS.others) },
  ];
}

async function passes({ command: [program = '', ...args], priority }: Command): Promise<boolean> {
  // On Windows the commands in node_modules/.bin are scripts, which only a shell starts.
  const environment = { ...process.env, [LONG_VARIABLE]: isLong ? '1' : '0' };
  const child = spawn(program, args, { stdio: 'inherit', env: environment, shell: process.platform === 'win32' });
  if (priority !== undefined && child.pid !== undefined) setPriority(child.pid, priority);
  const [code] = await once(child, 'close');
  return code === 0;
}

const all = commands();
const passed = await Promise.all(all.map(passes));
const failed = all.filter((_, index) => passed[index] !== true);
if (failed.length > 0) {
  console.log(`Failed: ${failed.map(({ name }) => name).join(', ')}. Of each, what failed stands above.`);
  process.exitCode = 1;
}
