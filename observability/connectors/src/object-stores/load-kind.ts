// SPDX-License-Identifier: Apache-2.0
/** The SDKs of object stores are large, and most services use one of them or none: each is loaded when it is needed, and may be missing until then. */
import type { ConnectionKind } from '@sextant/contracts-observability';
import { isMissingPackage } from '@sextant/foundation-std';
import { missingPackages } from '../optional-package.ts';
import type { ObjectStoreKind } from './object-store.ts';

export type DeferredKind = {
  readonly kind: ConnectionKind;
  /** What `load` needs and an operator may have to install. */
  readonly packages: readonly string[];
  /** Imports the SDK; called with the first connection of this kind. */
  readonly load: () => Promise<ObjectStoreKind>;
};

/** Throws a `SourceError` that says what to install where the SDK is missing. */
export async function loadKind({ kind, packages, load }: DeferredKind): Promise<ObjectStoreKind> {
  try {
    return await load();
  } catch (error) {
    throw isMissingPackage(error) ? missingPackages(kind, packages, error) : error;
  }
}
