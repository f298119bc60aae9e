/** The SDKs of object stores are a quarter of all modules of the service, and most services use one of them or none: each is loaded when it is needed. */
import type { ConnectionKind } from '@sextant/contracts-observability';
import type { ObjectStoreKind } from './object-store.ts';
import {
  createObjectStoreConnector,
  type ObjectStoreConnector,
  type ObjectStoreOptions,
  validateObjects,
} from './object-store-connector.ts';

/** @param load imports the SDK; called with the first connection of this kind */
export function createDeferredConnector(
  kind: ConnectionKind,
  options: ObjectStoreOptions,
  load: () => Promise<ObjectStoreKind>,
): ObjectStoreConnector {
  let loading: Promise<ObjectStoreConnector> | undefined;
  const connector = () => {
    loading ??= load().then((stores) => createObjectStoreConnector(stores, options));
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
