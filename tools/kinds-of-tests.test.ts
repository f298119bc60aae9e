// SPDX-License-Identifier: Apache-2.0
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { temporaryDirectory } from '@sextant/foundation-testing';
import { expect, test } from 'vitest';
import { isIntegrationTest, testsOfTwoSizes } from './kinds-of-tests.ts';

const ROOT = resolve(import.meta.dirname, '..');

test('a test file joins the long run by asking for a size', async () => {
  await using directory = await temporaryDirectory();
  const files = {
    'packages/one/two-sizes.test.ts': 'const ROUNDS = roundsOf({ quick: 1 });',
    'packages/one/combinations.test.ts': 'if (isLongRun()) compare();',
    'packages/one/one-size.test.ts': 'const ROUNDS = 1;',
    'packages/one/soak.long.test.ts': 'const ROUNDS = roundsOf({ quick: 1 });',
    'packages/one/no-test.ts': 'const ROUNDS = roundsOf({ quick: 1 });',
    'packages/node_modules/other/own.test.ts': 'const ROUNDS = roundsOf({ quick: 1 });',
    'elsewhere/two-sizes.test.ts': 'const ROUNDS = roundsOf({ quick: 1 });',
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(directory.path, path, '..'), { recursive: true });
    writeFileSync(join(directory.path, path), text);
  }
  expect(testsOfTwoSizes(directory.path, '{packages,others}')).toEqual([
    'packages/one/combinations.test.ts',
    'packages/one/two-sizes.test.ts',
  ]);
});

test('only test files ask for a size, as one that asks through another file would miss the long run', () => {
  const files = globSync(['{clients,contracts,observability,vector,system-tests}/**/*.ts'], { cwd: ROOT, exclude: ['**/node_modules/**'] });
  const asking = files.filter(
    (path) => !path.endsWith('.test.ts') && /\b(?:roundsOf|isLongRun)\(/.test(readFileSync(join(ROOT, path), 'utf8')),
  );
  expect(asking).toEqual([]);
  expect(testsOfTwoSizes(ROOT, 'system-tests')).toContain('system-tests/src/crash/crash.test.ts');
});

/** What says whether a program is there that no package of npm brings, or starts one, and is asked by no file that has other tests too. */
const ASKS_FOR_A_PROGRAM =
  /\b(?:has(?:Browser|Lance|Milvus|Onnx)|missing(?:Lakes|Nats|Postgres|PythonClients|Spark)|onPostgresql|reachesRegistry|sharedPostgres|sourceDatabase|temporaryPostgres)\b/;

test('what needs a program that no package of npm brings is an integration test', () => {
  const files = globSync(['{clients,contracts,foundation,observability,vector,system-tests}/**/*.test.ts'], {
    cwd: ROOT,
    exclude: ['**/node_modules/**'],
  });
  const asking = files.filter((path) => ASKS_FOR_A_PROGRAM.test(readFileSync(join(ROOT, path), 'utf8')));
  expect(asking.filter((path) => !isIntegrationTest(path) && !path.endsWith('.long.test.ts'))).toEqual([]);
  expect(asking).toContain('system-tests/src/console/session.integration.test.ts');
});
