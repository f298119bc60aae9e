// SPDX-License-Identifier: Apache-2.0
/** Runs every static check and reports all that fail, not only the first: one on each core. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { availableParallelism } from 'node:os';

/**
 * On one core each, the compiler and what lints with its types take a quarter less processor time. With one thread the compiler takes a fifth less again for the
 * repository, and half for the console: each of its checkers works out the types of libraries and contracts. They collect garbage after four times as much
 * as is in use, which takes up to a fourth less processor time, and a fourth more memory: 3 GB.
 */
const ENVIRONMENT = { ...process.env, GOMAXPROCS: '1', GOGC: '400' };

/** Where checks keep what they found: a later run looks at files that have changed, and at those that they concern. */
const KEPT = 'node_modules/.cache/checks';

type Check = readonly [name: string, command: string, ...args: string[]];

/** The longest first. */
const CHECKS: readonly Check[] = [
  ['promises and cycles', 'oxlint', '--type-aware', '--deny-warnings'],
  ['types', 'tsc', ...typesKeptIn('repository'), '--project', '.'],
  ['types of the console', 'tsc', ...typesKeptIn('console'), '--project', 'clients/console'],
  ['format and lint', 'biome', 'check', '.'],
  ['unused code and dependencies', 'knip', '--cache', '--cache-location', `${KEPT}/unused`],
  ['layers and house rules', 'node', 'tools/tidy/main.ts'],
  ['licences', 'node', 'tools/spdx/main.ts'],
  ['generated pages', 'node', 'tools/generate/main.ts', '--check'],
];

function typesKeptIn(name: string): readonly string[] {
  return ['--singleThreaded', '--incremental', '--tsBuildInfoFile', `${KEPT}/types/${name}.tsbuildinfo`];
}

const waiting = [...CHECKS];
const failed: string[] = [];
await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));

if (failed.length > 0) {
  console.log(`Failed: ${failed.join(', ')}. \`npm run format\` and \`npm run generate\` repair what a machine can.`);
  process.exitCode = 1;
}

async function runWaiting(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    if (!(await passes(check))) failed.push(check[0]);
  }
}

async function passes([name, command, ...args]: Check): Promise<boolean> {
  const startedMs = performance.now();
  // The npm script that starts this puts node_modules/.bin first in PATH; a shell finds the commands there on every platform.
  const child = spawn([command, ...args].join(' '), { shell: true, env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] });
  let written = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      written += text;
    });
  }
  const [code] = await once(child, 'close');
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (code !== 0) console.log(written);
  return code === 0;
}
