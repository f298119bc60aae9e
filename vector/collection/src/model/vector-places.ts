// SPDX-License-Identifier: Apache-2.0
/**
 * Under which number each vector of a collection lies in storage, in memory and in the names of saved graphs; dense and sparse vectors are numbered
 * apart. A collection begins with the order of its configuration. A vector that is added later takes the lowest number that is free; the number of one that
 * was removed is free again when nothing of it is left.
 */
import type { SparseVectorParams, VectorParams, VectorsConfig } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { type CollectionConfig, UNNAMED, vectorsByName } from './collection-config.ts';

export type VectorKind = 'dense' | 'sparse';

export type VectorPlaces = { readonly [Kind in VectorKind]: KindPlaces };

type KindPlaces = {
  readonly ordinals: { readonly [name: string]: number };
  /** Of vectors that were removed, and of which something may be left. */
  readonly leaving: readonly number[];
  /** The operation that added a vector to the collection: in a point that was written before, its number may be that of a vector that was removed. */
  readonly since?: { readonly [name: string]: number };
};

/** A vector, and where it lies. */
export type PlacedVector =
  | { readonly kind: 'dense'; readonly name: string; readonly ordinal: number; readonly params: VectorParams }
  | { readonly kind: 'sparse'; readonly name: string; readonly ordinal: number; readonly params: SparseVectorParams };

export type VectorPlace = Pick<PlacedVector, 'kind' | 'name' | 'ordinal'>;

export function placesOf({ params, places }: Pick<CollectionConfig, 'params' | 'places'>): VectorPlaces {
  if (places !== undefined) return places;
  return { dense: inOrder(vectorsByName(params.vectors).keys()), sparse: inOrder(Object.keys(params.sparse_vectors ?? {})) };
}

function inOrder(names: Iterable<string>): KindPlaces {
  return { ordinals: Object.fromEntries([...names].map((name, ordinal) => [name, ordinal])), leaving: [] };
}

/** Vectors with their numbers. */
export function numbered<Params>({ ordinals, since = {} }: KindPlaces, vectors: Iterable<readonly [name: string, params: Params]>) {
  return Array.from(vectors, ([name, params]) => {
    const ordinal = ordinals[name];
    assert(ordinal !== undefined, `the vector ${JSON.stringify(name)} has a number`);
    return { name, ordinal, params, since: since[name] ?? 0 };
  });
}

/** The lowest number that no vector of the kind has. */
export function freeOrdinal(config: CollectionConfig, kind: VectorKind): number {
  const { ordinals, leaving } = placesOf(config)[kind];
  const taken = new Set([...Object.values(ordinals), ...leaving]);
  let ordinal = 0;
  while (taken.has(ordinal)) ordinal++;
  return ordinal;
}

/** @param sequence the number of the operation that adds the vector */
export function withVector(config: CollectionConfig, placed: PlacedVector, sequence: number): CollectionConfig {
  const { kind, name, ordinal } = placed;
  const { ordinals, leaving, since } = placesOf(config)[kind];
  const placing = withPlaces(config, kind, {
    ordinals: { ...ordinals, [name]: ordinal },
    leaving,
    since: { ...since, [name]: sequence },
  });
  switch (placed.kind) {
    case 'dense':
      return withVectors(placing, new Map(vectorsByName(config.params.vectors)).set(name, placed.params));
    case 'sparse':
      return withSparse(placing, { ...config.params.sparse_vectors, [name]: placed.params });
  }
}

/** Its number stays taken until `withoutOrdinal`. */
export function withoutVector(config: CollectionConfig, { kind, name, ordinal }: VectorPlace): CollectionConfig {
  const { ordinals, leaving, since = {} } = placesOf(config)[kind];
  const placing = withPlaces(config, kind, {
    ordinals: without(ordinals, name),
    leaving: [...leaving, ordinal],
    since: without(since, name),
  });
  switch (kind) {
    case 'dense':
      return withVectors(placing, new Map([...vectorsByName(config.params.vectors)].filter(([other]) => other !== name)));
    case 'sparse':
      return withSparse(placing, without(config.params.sparse_vectors ?? {}, name));
  }
}

/** Nothing is left of the vector that had the number. */
export function withoutOrdinal(config: CollectionConfig, { kind, ordinal }: Omit<VectorPlace, 'name'>): CollectionConfig {
  const places = placesOf(config)[kind];
  return withPlaces(config, kind, { ...places, leaving: places.leaving.filter((other) => other !== ordinal) });
}

function withPlaces(config: CollectionConfig, kind: VectorKind, places: KindPlaces): CollectionConfig {
  return { ...config, places: { ...placesOf(config), [kind]: places } };
}

function withVectors(config: CollectionConfig, vectors: ReadonlyMap<string, VectorParams>): CollectionConfig {
  return { ...config, params: { ...config.params, vectors: vectorsConfig(vectors) } };
}

/** The one unnamed vector is configured by itself, as it was created. */
function vectorsConfig(vectors: ReadonlyMap<string, VectorParams>): VectorsConfig {
  const unnamed = vectors.get(UNNAMED);
  return unnamed !== undefined && vectors.size === 1 ? unnamed : Object.fromEntries(vectors);
}

function withSparse(config: CollectionConfig, sparse: { readonly [name: string]: SparseVectorParams }): CollectionConfig {
  const { sparse_vectors: _, ...params } = config.params;
  return { ...config, params: Object.keys(sparse).length === 0 ? params : { ...params, sparse_vectors: sparse } };
}

function without<Value>(members: { readonly [name: string]: Value }, name: string): { readonly [name: string]: Value } {
  return Object.fromEntries(Object.entries(members).filter(([other]) => other !== name));
}
