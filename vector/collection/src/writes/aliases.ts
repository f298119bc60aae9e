// SPDX-License-Identifier: Apache-2.0
/** Which alias means which collection, as the one writer of a server has it. */
import { type AliasAction, ServiceError } from '@sextant/contracts-vector';
import type { LogMark } from '../model/write-operation.ts';
import type { AliasTable, CollectionsRegistry } from './collections-registry.ts';

/** Every thread holds them all. */
const ALIASES_MAX = 10_000;

export class Aliases {
  readonly #registry: CollectionsRegistry;
  #table: AliasTable;

  constructor(registry: CollectionsRegistry) {
    this.#registry = registry;
    this.#table = registry.aliases();
  }

  get table(): AliasTable {
    return this.#table;
  }

  /** The collection that a name means. */
  nameOf(name: string): string {
    return this.#table.get(name) ?? name;
  }

  /**
   * Does all actions in order, or none. On disk when it returns.
   * @param stateOf what there is of that name
   */
  change(actions: readonly AliasAction[], stateOf: (collection: string) => 'live' | 'other' | 'none', mark?: LogMark): void {
    const table = new Map(this.#table);
    const point = (alias: string, collection: string) => {
      if (stateOf(alias) !== 'none') throw new ServiceError('collection_exists', { collection: alias });
      table.set(alias, collection);
    };
    for (const action of actions) {
      if ('create_alias' in action) {
        const { alias_name: alias, collection_name: collection } = action.create_alias;
        if (stateOf(collection) !== 'live') throw new ServiceError('collection_not_found', { collection });
        point(alias, collection);
      } else if ('delete_alias' in action) {
        table.delete(action.delete_alias.alias_name);
      } else {
        const { old_alias_name: from, new_alias_name: to } = action.rename_alias;
        const collection = table.get(from);
        if (collection === undefined) throw new ServiceError('alias_not_found', { alias: from });
        table.delete(from);
        point(to, collection);
      }
    }
    if (table.size > ALIASES_MAX)
      throw new ServiceError('invalid_request', { reason: `actions: at most ${ALIASES_MAX} aliases are allowed` });
    this.#registry.putAliases(table, mark);
    this.#table = table;
  }

  /** The table without those of a collection; undefined where it has none. */
  without(collection: string): AliasTable | undefined {
    const left = [...this.#table].filter(([, target]) => target !== collection);
    return left.length === this.#table.size ? undefined : new Map(left);
  }

  /** Takes in what the registry has written. */
  written(table: AliasTable): void {
    this.#table = table;
  }
}
