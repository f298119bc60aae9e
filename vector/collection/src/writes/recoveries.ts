// SPDX-License-Identifier: Apache-2.0
/**
 * Collections that are being made from snapshots, write by write. That they are not whole yet is on disk with the collection itself, and goes with the operation that
 * ends the recovery; so what a service leaves that dies in between is known for what it is, and goes as well.
 */
import type { CatalogOperation, LogMark, Recovery } from '../model/write-operation.ts';
import type { Catalog } from './catalog.ts';
import type { CollectionsRegistry } from './collections-registry.ts';

export type UnfinishedRecovery = Recovery & { readonly collection: string };

export class Recoveries {
  readonly #registry: CollectionsRegistry;

  constructor(registry: CollectionsRegistry) {
    this.#registry = registry;
  }

  /** Those that have not ended. */
  unfinished(): readonly UnfinishedRecovery[] {
    return this.#registry.recoveries();
  }

  /** The collection is whole from here on. */
  finish(collection: string, mark: LogMark | undefined): void {
    this.#registry.endRecovery(collection, mark);
  }

  /** Those of a node from which everything was copied. */
  adopt(recoveries: readonly UnfinishedRecovery[]): void {
    this.#registry.adoptRecoveries(recoveries);
  }
}

/** False where the collection is not, or no longer, one that this recovery makes: nothing changes then. */
export async function endRecovery(
  catalog: Pick<Catalog, 'recoveries' | 'delete'>,
  { collection, id, isDone }: Extract<CatalogOperation, { readonly kind: 'end_recovery' }>,
  mark: LogMark | undefined,
): Promise<boolean> {
  const isRunning = catalog.recoveries.unfinished().some((each) => each.collection === collection && each.id === id);
  if (!isRunning) return false;
  if (!isDone) return catalog.delete(collection, mark);
  catalog.recoveries.finish(collection, mark);
  return true;
}
