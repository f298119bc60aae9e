// SPDX-License-Identifier: Apache-2.0
/**
 * A filter as the machine reads it: a tree of clauses, checked and with its values prepared. `compile.ts` makes it,
 * `evaluate.ts` evaluates it on a point, and field-index/plan.ts answers it from posting lists. There is one meaning, in two readings.
 */
import type { GeoPoint, PointId } from '@sextant/contracts-vector';
import type { JsonPath } from '../payload/json-path.ts';
import type { Polygon } from './geo.ts';
import type { TextAnalyzer } from './text/text-analyzer.ts';

export type Clause =
  /** All clauses hold; none given is true. */
  | { readonly kind: 'all'; readonly clauses: readonly Clause[] }
  /** At least `count` clauses hold. */
  | { readonly kind: 'at-least'; readonly count: number; readonly clauses: readonly Clause[] }
  | { readonly kind: 'not'; readonly clause: Clause }
  /** The values at `path` pass `test`. */
  | { readonly kind: 'field'; readonly path: JsonPath; readonly test: FieldTest }
  /** Every value at `path` is null or []; true for none. */
  | { readonly kind: 'is-empty'; readonly path: JsonPath }
  | { readonly kind: 'has-id'; readonly ids: ReadonlySet<PointId> }
  | { readonly kind: 'has-vector'; readonly name: string }
  | { readonly kind: 'slice'; readonly total: number; readonly index: number }
  /** Some object among the elements at `path` passes the clause, whose paths start at that object. */
  | { readonly kind: 'nested'; readonly path: JsonPath; readonly clause: Clause };

export type FieldTest = ElementTest | ListTest;

/** True where some element passes; a value that is no array is its own only element. */
export type ElementTest =
  | { readonly kind: 'equals'; readonly values: ReadonlySet<Scalar> }
  /** Some element other than null is not among the values. */
  | { readonly kind: 'except'; readonly values: ReadonlySet<Scalar> }
  /** Every token (`all`), some token (`any`) or the tokens one after the other (`phrase`) occur in one string. No tokens match nothing. */
  | { readonly kind: 'text'; readonly mode: 'all' | 'any' | 'phrase'; readonly tokens: readonly string[]; readonly analyzer: TextAnalyzer }
  | { readonly kind: 'prefix'; readonly prefix: string }
  | { readonly kind: 'number-range'; readonly bounds: Bounds }
  /** Bounds in microseconds since the epoch. */
  | { readonly kind: 'datetime-range'; readonly bounds: Bounds }
  | { readonly kind: 'geo-box'; readonly topLeft: GeoPoint; readonly bottomRight: GeoPoint }
  /** Metres. */
  | { readonly kind: 'geo-radius'; readonly center: GeoPoint; readonly radius: number }
  | { readonly kind: 'geo-polygon'; readonly polygon: Polygon };

/** Looks at the values at the path whole. */
export type ListTest =
  /** Some value has so many elements: an array its length, null 0, anything else 1; a path that leads nowhere 0. */
  | { readonly kind: 'values-count'; readonly bounds: Bounds }
  /** Some value is (or is not) null or []; a path that leads nowhere is empty. */
  | { readonly kind: 'empty'; readonly expected: boolean }
  /** Some value is null or an array that holds null; `expected: false` is the opposite of that. */
  | { readonly kind: 'null'; readonly expected: boolean };

export type Scalar = string | number | bigint | boolean;

/** A number and a bigint compare by their mathematical values. */
export type Bounds = {
  readonly lt?: number | bigint;
  readonly gt?: number | bigint;
  readonly lte?: number | bigint;
  readonly gte?: number | bigint;
};

export function within(value: number | bigint, { lt, gt, lte, gte }: Bounds): boolean {
  return (
    (lt === undefined || value < lt) &&
    (gt === undefined || value > gt) &&
    (lte === undefined || value <= lte) &&
    (gte === undefined || value >= gte)
  );
}

/**
 * One spelling for each integer, so that sets and equality see 2^60 as a number and 2^60 as a bigint as the same:
 * a number where it is safe, a bigint beyond.
 */
export function canonicalNumber(value: number | bigint): number | bigint {
  if (typeof value === 'bigint') return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : value;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value) : value;
}
