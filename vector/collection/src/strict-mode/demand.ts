// SPDX-License-Identifier: Apache-2.0
/** What a request asks of a collection, as far as its strict mode has a say in it. */
import type { Expression, Filter, SearchParams } from '@sextant/contracts-vector';

export type Demand = {
  readonly kind: 'read' | 'write';
  /** In seconds; absent where the caller gave none. */
  readonly timeout?: number;
  /** Searches of a batch. */
  readonly batchOf?: number;
  /** Searches, prefetches, reads by id, steps of a batch of writes. */
  readonly parts: readonly DemandPart[];
};

export type DemandPart = {
  /** Points that are answered. */
  readonly limit?: number;
  readonly filter?: Filter | null | undefined;
  /** Of a count or of facets. */
  readonly exact?: boolean;
  readonly params?: SearchParams | null | undefined;
  /** The vector that is searched for the nearest; the unnamed one has the empty name. */
  readonly searched?: string;
  readonly expression?: Expression;
  readonly groupBy?: string;
  /** What the part puts. */
  readonly puts?: Puts;
  /** The field that it creates an index of. */
  readonly fieldIndex?: string;
  readonly charge: Charge;
  /** Filters of the prefetches around it, which it evaluates too. */
  readonly filtersAround?: readonly Filter[];
};

/**
 * What a part takes from a rate beside one token for each condition of its filters: a number that the request tells (points by id, vectors of a
 * query), or the number of points that its filter matches.
 */
export type Charge = number | 'matching points';

export type Puts =
  | { readonly what: 'points' | 'vectors'; readonly count: number; readonly lengths: Iterable<VectorLength> }
  | { readonly what: 'payload' };

/** How many vectors a multivector has, or how many values a sparse one. */
export type VectorLength = { readonly kind: 'multi' | 'sparse'; readonly name: string; readonly length: number };
