// SPDX-License-Identifier: Apache-2.0
import { describe, expect, test } from 'vitest';
import { checkLayers } from './layers.ts';

/** One file in one package; the findings' texts. */
function findings(text: string, { name = 'vector-collection', path = 'vector/collection/src/plan.ts', dependencies = DECLARED } = {}) {
  const folder = name.replace('-', '/');
  return checkLayers([{ name, folder, dependencies, entries: [], files: [{ path, text }] }, KERNEL]).map(({ message }) => message);
}

/** Has a second entry. */
const KERNEL = { name: 'vector-kernel', folder: 'vector/kernel', dependencies: [], entries: ['reference'], files: [] };
const DECLARED = ['@sextant/foundation-std', '@sextant/vector-kernel', '@sextant/vector-server', 'lmdb', '@scope/tool'];

describe('allowed', () => {
  test.each([
    "import { assert } from '@sextant/foundation-std';",
    "import type { Metric } from '@sextant/vector-kernel';",
    "import { Distance } from '@sextant/vector-kernel/reference';",
    "export { open } from './reads/open.ts';",
    "import { x } from '../plan.ts';",
    "import { join } from 'node:path';",
    "import { open } from 'lmdb';",
    "import { open } from 'lmdb/native';",
    "import { open } from '@scope/tool/deep';",
    "const lazy = await import('lmdb');",
    "// import { x } from '@sextant/vector-server';",
    'const text = "import { x } from \'@sextant/vector-server\'";',
    "type Deep = import('@sextant/foundation-std').Clock;",
  ])('%s', (text) => {
    expect(findings(text)).toEqual([]);
  });
});

describe('refused', () => {
  test.each([
    ["import { x } from '@sextant/vector-server';", 'which is not below vector-collection'],
    ["import type { X } from '@sextant/vector-server';", 'which is not below vector-collection'],
    ["export { x } from '@sextant/vector-server';", 'which is not below vector-collection'],
    ["export * from '@sextant/vector-server';", 'which is not below vector-collection'],
    ["const lazy = await import('@sextant/vector-server');", 'which is not below vector-collection'],
    ["import { x } from '@sextant/vector-storage';", 'which its package.json does not declare'],
    ["import { x } from '@sextant/vector-kernel/src/graph.ts';", 'a path inside another package'],
    ["import { x } from '../../kernel/src/graph.ts';", 'outside its package'],
    ["import { x } from '../../collection-two/src/graph.ts';", 'outside its package'],
    ["import { join } from 'path';", 'write node:path'],
    ["import { x } from 'left-pad';", 'left-pad, which its package.json does not declare'],
    ["import { test } from 'vitest';", 'vitest, which its package.json does not declare'],
    ["import { withSeed } from '@sextant/foundation-testing';", 'which is not below vector-collection'],
  ])('%s', (text, message) => {
    expect(findings(text)).toEqual([expect.stringContaining(message)]);
  });

  test('an import of several names is one finding, on its line', () => {
    const files = [{ path: 'vector/kernel/src/a.ts', text: "\n\nexport { x, y } from '@sextant/vector-server';\n" }];
    expect(checkLayers([{ ...KERNEL, dependencies: DECLARED, files }])).toMatchObject([{ line: 3 }]);
  });

  test('a package that the table does not know', () => {
    expect(findings('', { name: 'vector-cloud' })).toEqual([expect.stringContaining('no place in the table')]);
  });
});

describe('tests may use the test tools', () => {
  const path = 'vector/collection/src/plan.test.ts';
  const dependencies = ['@sextant/foundation-testing'];

  test.each(["import { test } from 'vitest';", "import fc from 'fast-check';", "import { withSeed } from '@sextant/foundation-testing';"])(
    '%s',
    (text) => {
      expect(findings(text, { path, dependencies })).toEqual([]);
    },
  );

  test('and those of the console the contracts, which the console itself may not', () => {
    const text = "import { endpoints } from '@sextant/contracts-vector';";
    const declared = ['@sextant/contracts-vector'];
    const of = (file: string) => findings(text, { name: 'console', path: `console/src/${file}`, dependencies: declared });
    expect(of('served.test.ts')).toEqual([]);
    expect(of('served.ts')).toEqual([expect.stringContaining('which is not below console')]);
  });

  test('but no higher layer', () => {
    expect(findings("import { x } from '@sextant/vector-server';", { path })).toHaveLength(1);
  });
});
