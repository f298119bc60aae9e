// SPDX-License-Identifier: Apache-2.0
/** Packages that an operator installs beside the service where a kind of connection needs them. */
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { delimiter, dirname } from 'node:path';
import type { ConnectionKind } from '@sextant/contracts-observability';
import { SourceError } from './connector.ts';

/** The folder of the program that runs, wherever a link to it lies. */
const beside = dirname(realpathSync(process.argv[1] ?? '.'));

/** Loads a package that nothing of ours depends on. Beside the service, and in the folders of `NODE_PATH`. Throws a `SourceError` where it is missing. */
export function optionalPackage(kind: ConnectionKind, name: string): unknown {
  const require = createRequire(`${beside}/`);
  const folders = (process.env.NODE_PATH ?? '').split(delimiter).filter((folder) => folder !== '');
  try {
    return require(require.resolve(name, { paths: [beside, ...folders] }));
  } catch (error) {
    throw isMissingPackage(error) ? missingPackages(kind, [name], error) : error;
  }
}

export function isMissingPackage(error: unknown): error is Error {
  return error instanceof Error && 'code' in error && (error.code === 'ERR_MODULE_NOT_FOUND' || error.code === 'MODULE_NOT_FOUND');
}

/** Node.js does not look again for a module that was missing, hence the restart. */
export function missingPackages(kind: ConnectionKind, packages: readonly string[], cause: Error): SourceError {
  const reason =
    `connections of type ${kind} need packages that are not installed with the service; ` +
    `its operator can run \`npm install ${packages.join(' ')}\` beside it and restart it`;
  return new SourceError(reason, { member: 'type', cause });
}
