/** `npm test`: every static check, then every test, whatever the checks say. Arguments go to Vitest. */
import { spawnSync } from 'node:child_process';
import { RESULTS_PATH } from './test-results.ts';

const vitest = ['vitest', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${RESULTS_PATH}`];
const commands = [
  ['node', 'tools/check.ts'],
  [...vitest, ...process.argv.slice(2)],
];
const failed = commands.filter(([command = '', ...args]) => {
  // On Windows the commands in node_modules/.bin are scripts, which only a shell starts.
  return spawnSync(command, args, { stdio: 'inherit', shell: process.platform === 'win32' }).status !== 0;
});
if (failed.length > 0) process.exitCode = 1;
