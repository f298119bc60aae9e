// SPDX-License-Identifier: Apache-2.0
/**
 * Modules of some libraries, which a bundler has made, load a package when they need it, by a `require` that they make themselves. No other bundler sees it:
 * at run time the package would be looked for beside the bundle, where it is not, or is there a second time. They get an import in its place.
 */
import { isBuiltin } from 'node:module';
import type { Plugin } from 'rolldown';

const LATE_REQUIRE = /\b__require\("([^"]+)"\)/g;

export function lateRequires(isExternal: (name: string) => boolean): Plugin {
  return {
    name: 'late-requires',
    transform: { filter: { id: /node_modules/, code: LATE_REQUIRE }, handler: (code) => withImports(code, isExternal) },
  };
}

/** Null where there is nothing to change. */
export function withImports(code: string, isExternal: (name: string) => boolean): string | null {
  const names = requiredLate(code);
  const variables = new Map(names.filter((name) => !isBuiltin(name) && !isExternal(name)).map((name, at) => [name, `lateRequired${at}`]));
  if (variables.size === 0) return null;
  const imports = Array.from(variables, ([name, variable]) => `import * as ${variable} from ${JSON.stringify(name)};\n`).join('');
  return imports + code.replaceAll(LATE_REQUIRE, (call, name: string) => variables.get(name) ?? call);
}

/** Names of the packages and built-in modules that a code requires by itself. */
export function requiredLate(code: string): readonly string[] {
  return [...new Set(Array.from(code.matchAll(LATE_REQUIRE), ([, name = '']) => name))];
}
