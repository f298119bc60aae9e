// SPDX-License-Identifier: Apache-2.0
/** What vectors of one kind mean, read off the definitions; for tests. */
import type { DenseVector, Distance, MultiVector, QueryVector, SparseVector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';

export type NaiveVector = readonly number[] | readonly (readonly number[])[] | ReadonlyMap<number, number>;
type GivenVector = Exclude<QueryVector, { readonly id: unknown }>;

export type NaiveSpace = {
  /** A vector as it would be stored. */
  readonly stored: (vector: GivenVector) => NaiveVector;
  /** A vector as it counts in an average: by its own length. */
  readonly averaged: (vector: GivenVector) => NaiveVector;
  /** Larger is nearer. */
  readonly similarity: (a: NaiveVector, b: NaiveVector) => number;
  /** Whether a search by the one may answer the other. */
  readonly meets: (query: NaiveVector, vector: NaiveVector) => boolean;
  readonly weighted: (query: NaiveVector) => NaiveVector;
  /** The mean of the positive ones, moved away from that of the negative ones. */
  readonly average: (positive: readonly NaiveVector[], negative: readonly NaiveVector[]) => NaiveVector;
  /** The score that a user sees. */
  readonly shown: (similarity: number) => number;
  readonly isDistance: boolean;
};

/** @param isBytes integers, which are stored as they come whatever the distance */
export function denseSpace(distance: Distance, isBytes = false): NaiveSpace {
  const stored = (vector: readonly number[]) => {
    const length = Math.hypot(...vector);
    return distance === 'Cosine' && length > 0 && !isBytes ? vector.map((x) => Math.fround(x / length)) : vector;
  };
  const similarity = (a: readonly number[], b: readonly number[]) => {
    const lengths = distance === 'Cosine' && isBytes ? Math.hypot(...a) * Math.hypot(...b) : 1;
    if (lengths === 0) return 0;
    const terms = a.map((x, at) => {
      const y = b[at] ?? 0;
      if (distance === 'Euclid') return -((x - y) ** 2);
      return distance === 'Manhattan' ? -Math.abs(x - y) : x * y;
    });
    return sum(terms) / lengths;
  };
  return {
    stored: (vector) => stored(Array.from(denseOf(vector), Math.fround)),
    averaged: (vector) => Array.from(denseOf(vector), Math.fround),
    similarity: (a, b) => similarity(listOf(a), listOf(b)),
    meets: () => true,
    weighted: (query) => query,
    average: (positive, negative) => {
      const [toward, away] = [mean(positive.map(listOf)), mean(negative.map(listOf))];
      return stored((negative.length === 0 ? toward : toward.map((value, at) => 2 * value - (away[at] ?? 0))).map(Math.fround));
    },
    shown: (value) => {
      if (distance === 'Euclid') return Math.sqrt(-value);
      return distance === 'Manhattan' ? -value : value;
    },
    isDistance: distance === 'Euclid' || distance === 'Manhattan',
  };
}

/** @param corpus every stored vector, where their number and that of those that have an index weigh queries */
export function sparseSpace(corpus?: readonly NaiveVector[]): NaiveSpace {
  const similarity = (a: NaiveVector, b: NaiveVector) => sum([...mapOf(a)].map(([index, value]) => value * (mapOf(b).get(index) ?? 0)));
  const rarity = (vectors: readonly NaiveVector[], index: number) => {
    const having = vectors.filter((vector) => mapOf(vector).has(index)).length;
    return Math.log(1 + (vectors.filter((vector) => mapOf(vector).size > 0).length - having + 0.5) / (having + 0.5));
  };
  const stored = (vector: GivenVector) => {
    const { indices, values } = sparseOf(vector);
    return new Map(indices.map((index, at) => [index, Math.fround(values[at] ?? 0)]));
  };
  return {
    stored,
    averaged: stored,
    similarity,
    meets: (query, vector) => [...mapOf(query).keys()].some((index) => mapOf(vector).has(index)),
    weighted: (query) =>
      corpus === undefined ? query : new Map([...mapOf(query)].map(([index, x]) => [index, x * rarity(corpus, index)])),
    average: (positive, negative) => {
      const indices = new Set([...positive, ...negative].flatMap((vector) => [...mapOf(vector).keys()]));
      const at = (vectors: readonly NaiveVector[], index: number) =>
        sum(vectors.map((vector) => mapOf(vector).get(index) ?? 0)) / vectors.length;
      const moved = (index: number) => (negative.length === 0 ? at(positive, index) : 2 * at(positive, index) - at(negative, index));
      return new Map([...indices].map((index) => [index, moved(index)]));
    },
    shown: (value) => value,
    isDistance: false,
  };
}

/** Several vectors for each point: the similarity of the one to the best of the others, for each of the first, added up. */
export function multiSpace(distance: Distance, isBytes = false): NaiveSpace {
  const single = denseSpace(distance, isBytes);
  const stored = (vector: GivenVector) => severalOf(vector).map((each) => listOf(single.stored(each)));
  return {
    ...single,
    stored,
    averaged: stored,
    similarity: (a, b) => sum(listsOf(a).map((each) => Math.max(...listsOf(b).map((other) => single.similarity(each, other))))),
    average: (positive, negative) => [
      ...positive.flatMap(listsOf),
      ...negative.flatMap(listsOf).map((vector) => vector.map((value) => -value)),
    ],
  };
}

function denseOf(vector: GivenVector): DenseVector {
  assert(!('indices' in vector) && typeof vector[0] !== 'object', 'a dense vector');
  return vector as DenseVector;
}

function severalOf(vector: GivenVector): MultiVector {
  assert(!('indices' in vector), 'one vector, or several');
  return typeof vector[0] === 'object' ? (vector as MultiVector) : [vector as DenseVector];
}

function sparseOf(vector: GivenVector): SparseVector {
  assert('indices' in vector, 'a sparse vector');
  return vector;
}

function listOf(vector: NaiveVector): readonly number[] {
  assert(!(vector instanceof Map), 'a dense vector');
  return vector as readonly number[];
}

function listsOf(vector: NaiveVector): readonly (readonly number[])[] {
  assert(!(vector instanceof Map), 'several vectors');
  return vector as readonly (readonly number[])[];
}

function mapOf(vector: NaiveVector): ReadonlyMap<number, number> {
  assert(vector instanceof Map, 'a sparse vector');
  return vector;
}

function mean(vectors: readonly (readonly number[])[]): readonly number[] {
  return (vectors[0] ?? []).map((_, at) => Math.fround(sum(vectors.map((vector) => vector[at] ?? 0)) / vectors.length));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, each) => total + each, 0);
}
