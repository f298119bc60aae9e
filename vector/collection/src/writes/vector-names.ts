// SPDX-License-Identifier: Apache-2.0
/**
 * Vectors that come and go while their collection is served. A dense one that is added has its place in memory before anything can be written to it; one that is
 * removed is first forgotten by the configuration, then by every reader, then by memory, and at last, little by little, by storage. Its number is not
 * given to another vector before that, and a start goes on where a crash stopped.
 */
import { ServiceError, type VectorNameConfig } from '@sextant/contracts-vector';
import type { StorageTransaction } from '@sextant/vector-storage';
import { removeSavedGraphs } from '../graph/saved-graph.ts';
import type { CollectionConfig } from '../model/collection-config.ts';
import { sameSparse } from '../model/sparse-vectors.ts';
import {
  freeOrdinal,
  type PlacedVector,
  placesOf,
  type VectorKind,
  type VectorPlace,
  withoutOrdinal,
  withoutVector,
  withVector,
} from '../model/vector-places.ts';
import { knownSchema, type NamedSchema, sameVector, schemaNamed, vectorSchemasOf } from '../model/vectors.ts';
import type { LogMark } from '../model/write-operation.ts';
import type { Replacement } from './collection-memory.ts';
import type { CollectionWork } from './collection-work.ts';

/** As many of a kind as a collection can be created with. */
const VECTORS_MAX = 256;
/** Vectors that are cleared from storage in one transaction, between which others write. */
const CLEARED_AT_ONCE = 2048;
/** Nothing of sparse vectors is in memory, but readers have to end all the same. */
const NOTHING_TO_RELEASE: Replacement = { release: () => undefined };

export type VectorNamesOptions = Pick<CollectionWork, 'memory' | 'replace' | 'isClosed' | 'log'> & {
  readonly directory: string;
  readonly config: () => CollectionConfig;
  /** Runs in a transaction, beside other writes; a configuration that it returns is stored. */
  readonly write: (change: (transaction: StorageTransaction) => CollectionConfig | undefined, mark?: LogMark) => Promise<void>;
};

type Leaving = Omit<VectorPlace, 'name'>;

export class VectorNames {
  readonly #options: VectorNamesOptions;

  constructor(options: VectorNamesOptions) {
    this.#options = options;
  }

  /** Answers the number of the operation. What there is already, just so, is left as it is. */
  async create(name: string, vector: VectorNameConfig, mark?: LogMark): Promise<number> {
    const { memory, replace } = this.#options;
    let sequence = 0;
    await replace(async () => {
      const placed = this.#placed(name, vector);
      if (placed?.kind === 'dense') memory.add(placed);
      try {
        sequence = await this.#changeConfig(
          (before, operation) => (placed === undefined ? before : withVector(before, placed, operation)),
          mark,
        );
      } catch (error) {
        if (placed?.kind === 'dense') memory.remove(placed).release();
        throw error;
      }
      return undefined;
    });
    return sequence;
  }

  /** Answers the number of the operation; of the vectors themselves, the files forget them in the background. */
  async delete(name: string, mark?: LogMark): Promise<number> {
    const { config, memory, replace } = this.#options;
    let sequence = 0;
    const leaving: Leaving[] = [];
    await replace(async () => {
      const { kind, schema } = schemaNamed(vectorSchemasOf(config()), name);
      const place: VectorPlace = { kind: kind === 'sparse' ? 'sparse' : 'dense', name, ordinal: schema.ordinal };
      sequence = await this.#changeConfig((before) => withoutVector(before, place), mark);
      leaving.push(place);
      return place.kind === 'dense' ? memory.remove(place) : NOTHING_TO_RELEASE;
    });
    void this.#clearReported(leaving);
    return sequence;
  }

  /** Whether removed vectors are not cleared from storage yet. */
  get areLeaving(): boolean {
    const { dense, sparse } = placesOf(this.#options.config());
    return dense.leaving.length > 0 || sparse.leaving.length > 0;
  }

  /** Goes on where the last run ended. */
  resume(): void {
    const places = placesOf(this.#options.config());
    const leavingOf = (kind: VectorKind): Leaving[] => places[kind].leaving.map((ordinal) => ({ kind, ordinal }));
    void this.#clearReported([...leavingOf('dense'), ...leavingOf('sparse')]);
  }

  /** Undefined where there is such a vector already. */
  #placed(name: string, vector: VectorNameConfig): PlacedVector | undefined {
    const config = this.#options.config();
    const schemas = vectorSchemasOf(config);
    const existing = knownSchema(schemas, name);
    if (existing !== undefined && !isSame(existing, vector)) throw new ServiceError('vector_exists', { vector: name });
    if (existing !== undefined) return undefined;
    const known = 'dense' in vector ? [...schemas.spaces, ...schemas.multi] : schemas.sparse;
    if (known.length >= VECTORS_MAX) {
      const reason = `vector_name: a collection has at most ${VECTORS_MAX} dense and ${VECTORS_MAX} sparse vectors; remove one first`;
      throw new ServiceError('invalid_request', { reason });
    }
    return 'dense' in vector
      ? { kind: 'dense', name, ordinal: freeOrdinal(config, 'dense'), params: vector.dense }
      : { kind: 'sparse', name, ordinal: freeOrdinal(config, 'sparse'), params: vector.sparse };
  }

  /** Nobody waits for it: a failure is logged, and the next start tries again. */
  async #clearReported(leaving: readonly Leaving[]): Promise<void> {
    const { isClosed, log } = this.#options;
    try {
      for (const place of leaving) await this.#clear(place);
    } catch (error) {
      if (!isClosed()) log.warn({ err: error }, 'a removed vector could not be cleared from storage');
    }
  }

  /** Of a vector that nobody reads any more. */
  async #clear(place: Leaving): Promise<void> {
    const { directory, write, config } = this.#options;
    const { kind, ordinal } = place;
    if (kind === 'dense') removeSavedGraphs(directory, ordinal, { kept: [] });
    for (let isLeft = true; isLeft; ) {
      await write((transaction) => {
        isLeft =
          kind === 'dense' ? transaction.clearVectors(ordinal, CLEARED_AT_ONCE) : transaction.clearSparseVectors(ordinal, CLEARED_AT_ONCE);
        return undefined;
      });
    }
    await write(() => withoutOrdinal(config(), place));
  }

  async #changeConfig(
    change: (before: CollectionConfig, sequence: number) => CollectionConfig,
    mark: LogMark | undefined,
  ): Promise<number> {
    let sequence = 0;
    await this.#options.write((transaction) => {
      sequence = transaction.nextSequence();
      return change(this.#options.config(), sequence);
    }, mark);
    return sequence;
  }
}

function isSame({ kind, schema }: NamedSchema, vector: VectorNameConfig): boolean {
  switch (kind) {
    case 'dense':
    case 'multi':
      return 'dense' in vector && sameVector(schema.params, vector.dense);
    case 'sparse':
      return 'sparse' in vector && sameSparse(schema.params, vector.sparse);
  }
}
