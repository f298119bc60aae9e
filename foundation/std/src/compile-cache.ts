// SPDX-License-Identifier: Apache-2.0
/** The variable by which a thread or a process that this one starts shares its compile cache; threads do not inherit that it is on. */
export function compileCacheEnvironment(): { readonly NODE_COMPILE_CACHE?: string } {
  // Not an import: what browsers load of this package must not name a module of Node.js.
  const directory = process.getBuiltinModule('node:module').getCompileCacheDir();
  // A variable that is undefined would become the text of that.
  return directory === undefined ? {} : { NODE_COMPILE_CACHE: directory };
}
