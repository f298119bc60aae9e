// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { checkFile } from './house-rules.ts';

const messages = (text: string, path = 'vector/server/src/auth/auth.ts') => checkFile({ path, text }).map(({ message }) => message);

describe('time and chance', () => {
  test.each([
    ['const now = Date.now();', 'Date.now'],
    ['const now = Date.now;', 'Date.now'],
    ['const now = new Date();', 'new Date()'],
    ['const ms = performance.now();', 'performance.now'],
    ['const dice = Math.random();', 'Math.random'],
  ])('%s is refused', (text, name) => {
    expect(messages(text)).toEqual([expect.stringContaining(name)]);
  });

  test.each([
    'const date = new Date(clock.nowMs());',
    'const now = clock.now();',
    '// Date.now() would do',
    "const text = 'Math.random()';",
    'const most = Math.max(1, 2);',
  ])('%s is fine', (text) => {
    expect(messages(text)).toEqual([]);
  });

  test.each([
    'vector/server/src/main.ts',
    'foundation/std/src/clock.ts',
    'vector/kernel/src/graph.test.ts',
    'vector/kernel/src/graph.bench.ts',
    'system-tests/src/bench/vector.ts',
    'tools/check.ts',
  ])('%s may read the world', (path) => {
    expect(messages('Date.now(); Math.random(); new Date();', path)).toEqual([]);
  });

  test('a finding says its line', () => {
    expect(checkFile({ path: 'vector/kernel/src/a.ts', text: 'const a = 1;\nconst b = Date.now();\n' })).toMatchObject([{ line: 2 }]);
  });
});

describe('comparisons of secrets', () => {
  const imports = "import { timingSafeEqual } from 'node:crypto';\nimport { hashSecret } from '@sextant/foundation-service';\n";

  test.each([
    'const isRight = hashSecret(given).equals(expected);',
    'const isRight = Buffer.compare(given, expected) === 0;',
    "const isRight = hashSecret(given).toString('hex') === expected;",
    "const isRight = expected !== createHmac('sha256', key).update(text).digest('hex');",
  ])('%s is refused', (text) => {
    expect(messages(imports + text)).toEqual([expect.stringContaining('timingSafeEqual')]);
  });

  test.each([
    'const isRight = timingSafeEqual(hashSecret(given), expected);',
    "const isOurs = kind === 'token';",
    "const isWhole = createHash('sha256').update(text).digest('hex') === sum;",
    'const isAlike = given.length === 3;',
  ])('%s is fine', (text) => expect(messages(imports + text)).toEqual([]));

  test('bytes of a file that knows no secret may be compared as they like', () => {
    expect(messages('const isSame = one.equals(other);')).toEqual([]);
  });
});

describe('an index', () => {
  const path = 'vector/kernel/src/index.ts';

  test.each(["export { a, type B } from './a.ts';", "export type { A } from './a.ts';"])('may say %s', (text) => {
    expect(messages(text, path)).toEqual([]);
  });

  test.each([
    "export * from './a.ts';",
    'export const a = 1;',
    "import './a.ts';",
    "import { a } from './a.ts'; export { a };",
    'export default 1;',
  ])('may not say %s', (text) => {
    expect(messages(text, path)).toContainEqual(expect.stringContaining('an index holds only'));
  });
});

test('a file of more than 400 lines is more than one idea', () => {
  expect(messages('\n'.repeat(400))).toEqual([]);
  expect(messages('\n'.repeat(401))).toEqual([expect.stringContaining('has 401 lines')]);
});
