// SPDX-License-Identifier: Apache-2.0
/**
 * The SDKs of object stores are a quarter of all modules of the service, and most services use one of them or none: each is loaded when it is needed,
 * and may be missing until then.
 */
import type { ConnectionKind } from '@sextant/contracts-observability';
import { isMissingPackage, missingPackages } from '../optional-package.ts';
import type { ObjectStoreKind } from './object-store.ts';
import {
  createObjectStoreConnector,
  type ObjectStoreConnector,
  type ObjectStoreOptions,
  validateObjects,
} from './object-store-connector.ts';

export type DeferredConnector = ObjectStoreOptions & {
  readonly kind: ConnectionKind;
  /** What `load` needs and an operator may have to install. */
  readonly packages: readonly string[];
  /** Imports the SDK; called with the first connection of this kind. */
  readonly load: () => Promise<ObjectStoreKind>;
};

export function createDeferredConnector({ kind, packages, load, ...options }: DeferredConnector): ObjectStoreConnector {
  let loading: Promise<ObjectStoreConnector> | undefined;
  const loadStores = async () => {
    try {
      return await load();
    } catch (error) {
      throw isMissingPackage(error) ? missingPackages(kind, packages, error) : error;
    }
  };
  const connector = () => {
    loading ??= loadStores().then((stores) => createObjectStoreConnector(stores, options));
    return loading;
  };
  return {
    kind,
    validateConnection: async (...given) => (await connector()).validateConnection(...given),
    validateAsset: validateObjects,
    test: async (...given) => (await connector()).test(...given),
    list: async (...given) => (await connector()).list(...given),
    describe: async (...given) => (await connector()).describe(...given),
    open: async (...given) => (await connector()).open(...given),
    testWrite: async (...given) => (await connector()).testWrite(...given),
    write: async (...given) => (await connector()).write(...given),
  };
}
