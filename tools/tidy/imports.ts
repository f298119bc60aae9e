// SPDX-License-Identifier: Apache-2.0
/** What a source file imports. */
import { parse } from './parse.ts';
import type { SourceFile } from './source.ts';

export type Import = { readonly specifier: string; readonly line: number };

/** By their ending, or in the folder `testing` of a package, which nothing that ships imports. */
const TEST_FILE = /(\.(test|bench|conformance)|-arbitraries)\.tsx?$|\/src\/testing\//;

export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

/** What a file imports and exports from elsewhere, once each, with the first line that names it. */
export function importsOf(file: SourceFile): readonly Import[] {
  const { module } = parse(file);
  const requests = [
    ...module.staticImports.map(({ moduleRequest }) => moduleRequest),
    ...module.staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? [])),
  ].map(({ value, start }) => ({ specifier: value, start }));
  // A dynamic import's request is an expression; only a plain string can be checked.
  const dynamic = module.dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
    const literal = /^(['"])(.*)\1$/.exec(file.text.slice(start, end));
    return literal?.[2] === undefined ? [] : [{ specifier: literal[2], start }];
  });
  const seen = new Set<number>();
  return [...requests, ...dynamic]
    .filter(({ start }) => !seen.has(start) && seen.add(start))
    .map(({ specifier, start }) => ({ specifier, line: file.text.slice(0, start).split('\n').length }));
}
