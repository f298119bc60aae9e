// SPDX-License-Identifier: Apache-2.0
/** Packages that nothing of ours depends on, and that an operator installs beside a service where it needs them. */

/** Loads a package from beside the service, or from the folders of `NODE_PATH`. Where it is missing, `isMissingPackage` knows the error. */
export function optionalPackage(name: string): unknown {
  // Not imports: what browsers load of this package must not name a module of Node.js.
  const { realpathSync } = process.getBuiltinModule('node:fs');
  const { createRequire } = process.getBuiltinModule('node:module');
  const { delimiter, dirname } = process.getBuiltinModule('node:path');
  // The folder of the program that runs, wherever a link to it lies.
  const beside = dirname(realpathSync(process.argv[1] ?? '.'));
  const require = createRequire(`${beside}/`);
  const folders = (process.env.NODE_PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return require(require.resolve(name, { paths: [beside, ...folders] }));
}

export function isMissingPackage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');
}
