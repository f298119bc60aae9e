// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { ASSEMBLY, assemblyPackage, checkAssembly } from './assembly.ts';

const entry = { path: `${ASSEMBLY}/index.ts`, text: "export { one } from './memory/one';\n" };

function findings(files: { readonly [path: string]: string }): readonly string[] {
  const sources = Object.entries(files).map(([path, text]) => ({ path: `${ASSEMBLY}/${path}`, text }));
  return checkAssembly(assemblyPackage([entry, ...sources])).map(
    ({ path, line, message }) => `${path.slice(ASSEMBLY.length + 1)}:${line} ${message}`,
  );
}

test('finds nothing in modules that hang together', () => {
  const one =
    "import { two } from '../graph/two';\n\n// @ts-ignore: decorator\n@inline export function one(): u32 { return <u32>two(); }\n";
  expect(findings({ 'memory/one.ts': one, 'graph/two.ts': 'export function two(): i32 { return 2; }\n' })).toEqual([]);
});

test('finds both ends of an import cycle', () => {
  const one = "import { two } from './two';\nexport function one(): u32 { return two(); }\n";
  const two = "\nimport { one } from './one';\nexport function two(): u32 { return one(); }\n";
  expect(findings({ 'memory/one.ts': one, 'memory/two.ts': two })).toEqual([
    `memory/one.ts:1 imports ${ASSEMBLY}/memory/two.ts, which leads back: an import cycle`,
    `memory/two.ts:2 imports ${ASSEMBLY}/memory/one.ts, which leads back: an import cycle`,
  ]);
});

test('finds exports that no module imports, but not those of the entries', () => {
  expect(findings({ 'memory/one.ts': 'export let one: u32 = 1;\nexport const two: u32 = 2;\n' })).toEqual([
    'memory/one.ts:2 exports two, which no module imports',
  ]);
});

test('finds lines that are too long', () => {
  expect(findings({ 'memory/one.ts': `// ${'x'.repeat(138)}\nexport let one: u32 = 1;\n` })).toEqual([
    'memory/one.ts:1 has 141 characters; a line has at most 140',
  ]);
});

test('refuses what it cannot read', () => {
  expect(() => findings({ 'memory/one.ts': 'export function' })).toThrow('memory/one.ts');
});
