// SPDX-License-Identifier: Apache-2.0
/** Which methods each path has, for the refusal of others, wrapped as the path's own refusals are. */
import { capabilities, type Endpoint, type Method, type Refusal } from '@sextant/contracts-vector';
import { endpoints } from '@sextant/contracts-vector/schemas';
import type { ServedPath } from '@sextant/foundation-service/http';

const COLLECTION = '/collections/{collection_name}';

export function servedPaths(): readonly ServedPath[] {
  const methods = methodsByPath();
  return [...methods].map(([path, own]) => {
    // A collection may be called like a fixed path, such as `/collections/aliases`: its methods go to the collection.
    const isCollectionToo = /^\/collections\/[^/{]+$/.test(path);
    return { path, methods: own, allowed: isCollectionToo ? [...new Set([...own, ...(methods.get(COLLECTION) ?? [])])] : own };
  });
}

function methodsByPath(): ReadonlyMap<string, readonly Method[]> {
  const rows: readonly { readonly method: Method; readonly path: string }[] = [
    ...Object.values<Endpoint>(endpoints),
    ...capabilities.flatMap((capability) => capability.endpoints),
  ];
  const methods = new Map<string, Method[]>();
  for (const { method, path } of rows) methods.set(path, [...new Set([...(methods.get(path) ?? []), method])]);
  return methods;
}

export function refusalOn(served: string): Refusal | undefined {
  return Object.values<Endpoint>(endpoints).findLast(({ path }) => path === served)?.refusal;
}
