// SPDX-License-Identifier: Apache-2.0
/**
 * Collections that are being made from snapshots, write by write. That they are not whole yet is on disk with the collection itself, and goes with the operation that
 * ends the recovery; so what a service leaves that dies in between is known for what it is, and goes as well.
 */
import { ServiceError } from '@sextant/contracts-vector';
import type { CatalogOperation, LogMark, Recovery } from '../model/write-operation.ts';
import type { Catalog } from './catalog.ts';
import type { CatalogListener } from './catalog-options.ts';
import type { CollectionsRegistry } from './collections-registry.ts';

export type UnfinishedRecovery = Recovery & { readonly collection: string };

export class Recoveries {
  readonly #registry: CollectionsRegistry;
  readonly #listener: CatalogListener;

  constructor(registry: CollectionsRegistry, { listener }: { readonly listener: CatalogListener }) {
    this.#registry = registry;
    this.#listener = listener;
  }

  /** Those that have not ended. */
  unfinished(): readonly UnfinishedRecovery[] {
    return [...this.#registry.recoveries().values()];
  }

  /** The recovery that makes a collection, if one does. */
  of(collection: string): string | undefined {
    return this.#registry.recoveries().get(collection)?.id;
  }

  /** @throws ServiceError `collection_recovering` */
  requireWhole(collection: string): void {
    if (this.of(collection) !== undefined) throw new ServiceError('collection_recovering', { collection });
  }

  /** The collection is whole from here on. */
  async finish(collection: string, mark: LogMark | undefined): Promise<void> {
    this.#registry.endRecovery(collection, mark);
    await this.announce();
  }

  /** Those of a node from which everything was copied. */
  async adopt(recoveries: readonly UnfinishedRecovery[]): Promise<void> {
    this.#registry.adoptRecoveries(recoveries);
    await this.announce();
  }

  /** To every thread: before a collection that is not whole can be read, and after it is gone. */
  async announce(): Promise<void> {
    await this.#listener.event({ kind: 'recoveries', collections: new Set(this.#registry.recoveries().keys()) });
  }
}

/** False where the collection is not, or no longer, one that this recovery makes: nothing changes then. */
export async function endRecovery(
  catalog: Pick<Catalog, 'delete'> & { readonly recoveries: Pick<Recoveries, 'unfinished' | 'finish'> },
  { collection, id, isDone }: Extract<CatalogOperation, { readonly kind: 'end_recovery' }>,
  mark: LogMark | undefined,
): Promise<boolean> {
  const isRunning = catalog.recoveries.unfinished().some((each) => each.collection === collection && each.id === id);
  if (!isRunning) return false;
  if (!isDone) return catalog.delete(collection, mark);
  await catalog.recoveries.finish(collection, mark);
  return true;
}
