// SPDX-License-Identifier: Apache-2.0
/** A connector of an object store whose SDK is loaded with its first connection. */
import { type DeferredKind, loadKind } from './load-kind.ts';
import {
  createObjectStoreConnector,
  type ObjectStoreConnector,
  type ObjectStoreOptions,
  validateObjects,
} from './object-store-connector.ts';

export type DeferredConnector = ObjectStoreOptions & DeferredKind;

export function createDeferredConnector({ kind, packages, load, ...options }: DeferredConnector): ObjectStoreConnector {
  let loading: Promise<ObjectStoreConnector> | undefined;
  const connector = () => {
    loading ??= loadKind({ kind, packages, load }).then((stores) => createObjectStoreConnector(stores, options));
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
