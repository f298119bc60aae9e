// SPDX-License-Identifier: Apache-2.0
/** Packages that nothing of ours depends on, and that an operator installs beside a service where it needs them. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname } from 'node:path';

/** The folder of the program that runs, wherever a link to it lies. */
const beside = dirname(realpathSync(process.argv[1] ?? '.'));

/** Loads a package from beside the service, or from the folders of `NODE_PATH`. Where it is missing, `isMissingPackage` knows the error. */
export function optionalPackage(name: string): unknown {
  const require = createRequire(`${beside}/`);
  const folders = (process.env.NODE_PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  return require(require.resolve(name, { paths: [beside, ...folders] }));
}

export function isMissingPackage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');
}
