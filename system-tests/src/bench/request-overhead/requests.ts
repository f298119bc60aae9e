// SPDX-License-Identifier: Apache-2.0
/** Vectors and the bodies that search for them, encoded ahead. */
import type { Random } from '@sextant/foundation-std';

export const DIMENSIONS = [100, 784, 1536] as const;
/** Few, so that a search is little more than its overhead. */
const POINTS = 64;
const QUERIES = 64;
const LIMIT = 10;

export type OverheadVectors = {
  readonly dimension: number;
  readonly points: readonly (readonly number[])[];
  readonly queries: readonly (readonly number[])[];
  requests(withPayload: boolean): readonly Buffer[];
};

export function makeVectors({ dimension, digits, random }: { dimension: number; digits: number; random: Random }): OverheadVectors {
  const component = () => Number((random.next() * 2 - 1).toPrecision(digits));
  const vectors = (count: number) => Array.from({ length: count }, () => Array.from({ length: dimension }, component));
  const queries = vectors(QUERIES);
  return {
    dimension,
    points: vectors(POINTS),
    queries,
    requests: (withPayload) =>
      queries.map((vector) => Buffer.from(JSON.stringify({ vector, limit: LIMIT, ...(withPayload ? { with_payload: true } : {}) }))),
  };
}

/** What a small document of a catalogue has. */
export function payloadOf(id: number) {
  return {
    title: `Item ${id} of the catalogue`,
    category: ['books', 'music', 'films'][id % 3] ?? 'books',
    price: 10 + (id % 90) / 4,
    in_stock: id % 2 === 0,
    tags: ['new', 'offer', `shelf-${id % 7}`],
  };
}
