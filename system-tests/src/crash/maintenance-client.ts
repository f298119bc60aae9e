// SPDX-License-Identifier: Apache-2.0
/** A client that has graphs put in order and built afresh while others write. */
import type { Random } from '@sextant/foundation-std';
import type { VectorApi } from '../vector-api.ts';

const OPERATIONS = ['flush', 'optimize', 'rebuild_index'];

export class MaintenanceClient {
  readonly #random: Random;
  readonly #collections: readonly string[];

  constructor(random: Random, collections: readonly string[]) {
    this.#random = random;
    this.#collections = collections;
  }

  async step(vectors: VectorApi): Promise<void> {
    const collection = this.#collections[this.#random.integer(this.#collections.length)] ?? '';
    const operation = OPERATIONS[this.#random.integer(OPERATIONS.length)] ?? '';
    await vectors.call('POST', `/collections/${collection}/operations/${operation}`);
  }
}
