// SPDX-License-Identifier: Apache-2.0
/**
 * Which command runs a test file. A file joins by its name or by a call, and no list has to follow.
 * - `npm test`: all but the following. They need what the lock file names; a few of their tests skip themselves where OpenSSL, systemd, a part of Spark or a
 *   small disk is missing.
 * - `npm run test:integration`: `*.integration.test.ts`. They need what no package of npm brings: a database, a browser, Java, Python, OpenSSL, root or a registry.
 * - `npm run test:long`: `*.long.test.ts`, which run there alone, and those that ask `roundsOf` or `isLongRun` how long they are, which the other two
 *   commands run in a quick size.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only `npm run test:long` runs them. */
export const LONG_TESTS = '**/*.long.test.ts';

export const INTEGRATION_TESTS = '**/*.integration.test.ts';

const TWO_SIZES = /\b(?:roundsOf|isLongRun)\(/;

export function isIntegrationTest(path: string): boolean {
  return path.endsWith('.integration.test.ts');
}

/** The test files below `directories` that have a quick size and a long one, as paths from `root`. */
export function testsOfTwoSizes(root: string, directories: string): readonly string[] {
  return globSync(`${directories}/**/*.test.ts`, { cwd: root, exclude: (path) => path.endsWith('node_modules') })
    .filter((path) => !path.endsWith('.long.test.ts'))
    .filter((path) => TWO_SIZES.test(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}
