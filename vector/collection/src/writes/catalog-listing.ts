// SPDX-License-Identifier: Apache-2.0
/** Which collections there are, and what they are called, as a node tells it to one that has nothing yet. */
import type { LogMark } from '../model/write-operation.ts';
import type { Catalog } from './catalog.ts';
import type { CredentialDocument } from './credentials.ts';
import type { UnfinishedRecovery } from './recoveries.ts';

export type CatalogListing = {
  readonly collections: readonly { readonly name: string; readonly isSharded: boolean }[];
  readonly aliases: readonly (readonly [alias: string, collection: string])[];
  /** Absent where an earlier release has listed. */
  readonly credentials?: readonly CredentialDocument[];
  /** Of those that are being made from snapshots; absent where an earlier release has listed. */
  readonly recoveries?: readonly UnfinishedRecovery[];
  /** The last operation of the log that changed any of it. */
  readonly applied: LogMark;
};

/** To be read while no operation on the catalog is carried out. */
export function listingOf(catalog: Catalog): CatalogListing {
  return {
    collections: catalog.names().map((name) => ({ name, isSharded: catalog.isSharded(name) })),
    aliases: catalog.aliases().map(({ alias_name, collection_name }) => [alias_name, collection_name] as const),
    credentials: catalog.credentials.documents(),
    recoveries: catalog.recoveries.unfinished(),
    applied: catalog.applied,
  };
}
