/** Runs every static check and reports all that fail, not only the first. */
import { spawnSync } from 'node:child_process';

const CHECKS: readonly (readonly [name: string, command: string, ...args: string[]])[] = [
  ['types', 'tsc', '--project', '.'],
  ['types of the console', 'tsc', '--project', 'clients/console'],
  ['format and lint', 'biome', 'check', '.'],
  ['promises and cycles', 'oxlint', '--type-aware', '--deny-warnings'],
  ['unused code and dependencies', 'knip'],
  ['layers and house rules', 'node', 'tools/tidy/main.ts'],
  ['generated pages', 'node', 'tools/generate/main.ts', '--check'],
];

const failed = CHECKS.filter(([name, command, ...args]) => {
  const startedMs = performance.now();
  // The npm script that starts this puts node_modules/.bin first in PATH; a shell finds the commands there on every platform.
  const { status, stdout, stderr } = spawnSync([command, ...args].join(' '), { shell: true, encoding: 'utf8' });
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) console.log(`${stdout}${stderr}`);
  return status !== 0;
});

if (failed.length > 0) {
  console.log(`Failed: ${failed.map(([name]) => name).join(', ')}. \`npm run format\` and \`npm run generate\` repair what a machine can.`);
  process.exitCode = 1;
}
