// SPDX-License-Identifier: Apache-2.0
/** Packages that an operator installs beside the service where a kind of connection needs them. */
import type { ConnectionKind } from '@sextant/contracts-observability';
import { isMissingPackage, optionalPackage } from '@sextant/foundation-std';
import { SourceError } from './connector.ts';

/** Loads a package that nothing of ours depends on. Throws a `SourceError` where it is missing. */
export function packageForKind(kind: ConnectionKind, name: string): unknown {
  try {
    return optionalPackage(name);
  } catch (error) {
    throw isMissingPackage(error) ? missingPackages(kind, [name], error) : error;
  }
}

/** Node.js does not look again for a module that was missing, hence the restart. */
export function missingPackages(kind: ConnectionKind, packages: readonly string[], cause: Error): SourceError {
  const reason =
    `connections of type ${kind} need packages that are not installed with the service; ` +
    `its operator can run \`npm install ${packages.join(' ')}\` beside it and restart it`;
  return new SourceError(reason, { member: 'type', cause });
}
