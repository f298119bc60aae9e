// SPDX-License-Identifier: Apache-2.0
/** Two aliases that change places in one request, so that after a crash they must not stand for the same collection. */
import { deepStrictEqual, ok } from 'node:assert/strict';
import type { VectorApi } from '../vector-api.ts';

const FRONT = 'front';
const BACK = 'back';

export class AliasClient {
  readonly #collections: readonly [string, string];
  /** For which collection FRONT stands; undefined before the first step. */
  #acknowledged: 0 | 1 | undefined;
  #proposed: 0 | 1 | undefined;

  constructor(collections: readonly [string, string]) {
    this.#collections = collections;
  }

  async step(vectors: VectorApi): Promise<void> {
    this.#proposed = this.#acknowledged === 0 ? 1 : 0;
    const names = this.#acknowledged === undefined ? [] : [FRONT, BACK];
    const actions = [
      ...names.map((alias_name) => ({ delete_alias: { alias_name } })),
      ...this.#aliases(this.#proposed).map((create_alias) => ({ create_alias })),
    ];
    await vectors.call('POST', '/aliases', { actions });
    this.#acknowledged = this.#proposed;
  }

  async reconcile(vectors: VectorApi): Promise<void> {
    const { aliases } = await vectors.call<{ aliases: readonly object[] }>('GET', '/aliases');
    const found = JSON.stringify(aliases.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1)));
    const allowed = [this.#acknowledged, this.#proposed];
    const state = allowed.find((each) => JSON.stringify(this.#aliases(each)) === found);
    ok(
      allowed.some((each) => each === state),
      `the aliases are ${found}`,
    );
    if (state === undefined) deepStrictEqual(aliases, []);
    this.#acknowledged = this.#proposed = state;
    for (const { alias_name, collection_name } of this.#aliases(state)) {
      deepStrictEqual(await vectors.collection(alias_name).count(), await vectors.collection(collection_name).count());
    }
  }

  /** In the order of their names. */
  #aliases(front: 0 | 1 | undefined) {
    if (front === undefined) return [];
    return [
      { alias_name: BACK, collection_name: this.#collections[front === 0 ? 1 : 0] },
      { alias_name: FRONT, collection_name: this.#collections[front] },
    ];
  }
}
