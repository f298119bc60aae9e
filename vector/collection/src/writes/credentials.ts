// SPDX-License-Identifier: Apache-2.0
/**
 * The documents of authentication as a cluster changes them: by way of the log, each change for the state that its node had read. Where another one came between,
 * it is refused alike on every node, and its node reads again. What the documents mean is the server's affair.
 */
import { ServiceError } from '@sextant/contracts-vector';
import type { SystemChange, SystemStorage } from '@sextant/vector-storage';
import type { CredentialsOperation, LogMark } from '../model/write-operation.ts';
import type { CatalogOptions } from './catalog-options.ts';
import type { CollectionsRegistry } from './collections-registry.ts';

export type CredentialDocument = { readonly key: string; readonly value: unknown };

const PREFIX = 'auth/';
const REVISION = 'auth-revision';

/** How many operations have changed credentials. */
export function credentialsRevision(system: Pick<SystemStorage, 'get'>): number {
  // Only the functions below write the document.
  return (system.get(REVISION) as number | undefined) ?? 0;
}

export class Credentials {
  readonly #registry: CollectionsRegistry;
  readonly #options: Pick<CatalogOptions, 'system' | 'credentialsChanged'>;

  /** @param registry writes documents together with the mark of an operation */
  constructor(registry: CollectionsRegistry, options: Pick<CatalogOptions, 'system' | 'credentialsChanged'>) {
    this.#registry = registry;
    this.#options = options;
  }

  /** @throws ServiceError `credentials_changed` */
  async change({ changes, revision }: CredentialsOperation, mark: LogMark | undefined): Promise<true> {
    if (credentialsRevision(this.#options.system) !== revision) throw new ServiceError('credentials_changed');
    // Whatever another node has written, nothing else is changed by it.
    const own = changes.filter(({ key }) => key.startsWith(PREFIX));
    await this.#put([...own, { kind: 'put', key: REVISION, value: revision + 1 }], mark);
    return true;
  }

  /** All of them, for a node that has none. */
  documents(): readonly CredentialDocument[] {
    const { system } = this.#options;
    return [...system.list(PREFIX), { key: REVISION, value: credentialsRevision(system) }];
  }

  /** Those of another node come in the place of its own. */
  async adopt(documents: readonly CredentialDocument[]): Promise<void> {
    const removed = this.#options.system.list(PREFIX).map(({ key }): SystemChange => ({ kind: 'delete', key }));
    const taken = documents.filter(({ key }) => key === REVISION || key.startsWith(PREFIX));
    await this.#put([...removed, ...taken.map(({ key, value }): SystemChange => ({ kind: 'put', key, value }))]);
  }

  async #put(changes: readonly SystemChange[], mark?: LogMark): Promise<void> {
    this.#registry.putOthers(changes, mark);
    await this.#options.credentialsChanged?.();
  }
}
