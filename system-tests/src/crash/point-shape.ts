// SPDX-License-Identifier: Apache-2.0
/** The vectors of a collection's points. They follow from a point's id and a version, so that a ledger need not keep them. */
import type { CreateCollection, NamedVectorInput, PointInput, PointRecord } from '@sextant/contracts-vector';
import { type Random, seededRandom } from '@sextant/foundation-std';
import { GRAPH_ALWAYS } from '../graph-config.ts';

/** A search by a vector of a point, which is to find this point. */
export type Probe = { readonly query: NamedVectorInput; readonly using?: string };

export type PointShape = {
  /** With a graph, so that a crash meets it at work. */
  readonly config: CreateCollection;
  /** Different for every id and version, and the same in every run. */
  readonly vector: (id: number, version: number) => PointInput['vector'];
  readonly probes: (id: number, version: number) => readonly Probe[];
};

export const DIMENSION = 16;
const TOKENS_MAX = 4;
const WORDS = 6;
const VOCABULARY = 400;

export function vectorOf(id: number, version: number, size = DIMENSION): readonly number[] {
  const random = randomOf(id, version);
  return Array.from({ length: size }, () => random.integer(20_000) / 10_000 - 1);
}

/** One dense vector without a name. */
export const PLAIN: PointShape = {
  config: { vectors: { size: DIMENSION, distance: 'Euclid' }, ...GRAPH_ALWAYS },
  vector: vectorOf,
  probes: (id, version) => [{ query: vectorOf(id, version) }],
};

/** The same on disk. */
export const ON_DISK: PointShape = {
  ...PLAIN,
  config: {
    ...PLAIN.config,
    vectors: { size: DIMENSION, distance: 'Euclid', on_disk: true },
    // Configured, so that a warning would say that they are not in use.
    quantization_config: { scalar: { type: 'int8' } },
  },
};

/** A dense vector on disk, a multivector and a sparse vector. */
export const MIXED: PointShape = {
  config: {
    vectors: {
      dense: { size: DIMENSION, distance: 'Euclid', on_disk: true },
      tokens: { size: 4, distance: 'Dot', multivector_config: { comparator: 'max_sim' } },
    },
    sparse_vectors: { words: {} },
    ...GRAPH_ALWAYS,
  },
  vector: (id, version) => ({ dense: vectorOf(id, version), tokens: tokensOf(id, version), words: wordsOf(id, version) }),
  probes: (id, version) => [
    { query: vectorOf(id, version), using: 'dense' },
    { query: tokensOf(id, version), using: 'tokens' },
    { query: wordsOf(id, version), using: 'words' },
  ],
};

/** Of length 1 each, so that nothing is nearer to them than they are themselves. */
function tokensOf(id: number, version: number): readonly (readonly number[])[] {
  const random = randomOf(id, version);
  return Array.from({ length: 1 + random.integer(TOKENS_MAX) }, () => unit(Array.from({ length: 4 }, () => random.next() - 0.5)));
}

/** Of length 1, too, and without negative values. */
export function wordsOf(id: number, version: number) {
  const random = randomOf(id, version);
  const indices = [...new Set(Array.from({ length: WORDS }, () => random.integer(VOCABULARY)))].toSorted((one, other) => one - other);
  return { indices, values: unit(indices.map(() => 0.1 + random.next())) };
}

function unit(vector: readonly number[]): number[] {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

function randomOf(id: number, version: number): Random {
  return seededRandom(Math.imul(id + 1, 0x9e3779b1) ^ Math.imul(version + 1, 0x85ebca6b));
}

/** Whether a vector was found as it was written: equal but for the rounding to 32 bits. */
export function isSameVector(written: PointInput['vector'], found: PointRecord['vector']): boolean {
  return isSame(written, found);
}

function isSame(written: unknown, found: unknown): boolean {
  if (typeof written === 'number') return typeof found === 'number' && Math.abs(written - found) < 1e-6;
  if (typeof written !== 'object' || typeof found !== 'object' || written === null || found === null) return false;
  const [expected, actual] = [Object.entries(written), new Map(Object.entries(found))];
  return expected.length === actual.size && expected.every(([key, value]) => isSame(value, actual.get(key)));
}
