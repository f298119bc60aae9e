// SPDX-License-Identifier: Apache-2.0
/**
 * Which test files `npm run test:long` runs: those named `*.long.test.ts`, which run there alone, and those that ask `roundsOf` or `isLongRun` how
 * long they are, which `npm test` runs in a quick size. So a test joins the long run by its name or by that call, and no list has to follow.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Only `npm run test:long` runs them. */
export const LONG_TESTS = '**/*.long.test.ts';

const TWO_SIZES = /\b(?:roundsOf|isLongRun)\(/;

/** The test files below `directories` that have a quick size and a long one, as paths from `root`. */
export function testsOfTwoSizes(root: string, directories: string): readonly string[] {
  return globSync(`${directories}/**/*.test.ts`, { cwd: root, exclude: (path) => path.endsWith('node_modules') })
    .filter((path) => !path.endsWith('.long.test.ts'))
    .filter((path) => TWO_SIZES.test(readFileSync(join(root, path), 'utf8')))
    .toSorted();
}
