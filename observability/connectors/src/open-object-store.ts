// SPDX-License-Identifier: Apache-2.0
/** An object store for who keeps files in it, without the formats and connectors of scans. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import { SourceError } from './connector.ts';
import { objectStoreKinds } from './object-store-kinds.ts';
import { type BoundStore, openBoundStore } from './object-stores/bound-store.ts';
import { loadKind } from './object-stores/load-kind.ts';
import type { StoreAddress } from './store-location.ts';

export { SourceError } from './connector.ts';
export type { BoundStore } from './object-stores/bound-store.ts';
export { inParts, partKey, readParts } from './object-stores/object-parts.ts';
export type { StoredObject } from './object-stores/object-store.ts';
export type { StoreLocation } from './store-location.ts';

/** Nothing is connected to yet. Throws a `SourceError` where the address makes no sense, or packages are missing. */
export async function openObjectStore(address: StoreAddress, outbound: OutboundGuard, clock: Clock): Promise<BoundStore> {
  const deferred = objectStoreKinds(outbound).find(({ kind }) => kind === address.type);
  if (deferred === undefined) throw new SourceError(`type ${address.type} is not an object store`, { member: 'type' });
  return openBoundStore(await loadKind(deferred), { id: 0, ...address }, clock);
}
