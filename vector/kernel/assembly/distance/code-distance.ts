// SPDX-License-Identifier: Apache-2.0
/** Distances between scalar codes or reduced ones, whichever the space has, as unsigned integers with the order of the distances. */
import { layOutReduced, reducedOrder, reducedOrders } from '../codes/reduced/reduced-codes';
import { scalarOrder, scalarOrders, setScalarQuery } from '../codes/scalar/scalar-distance';
import { isReduced } from '../memory/layout';

/** Where the reduced code of the query is laid out, and what is added to the order of every candidate. */
let reducedQuery: usize = 0;
let reducedBase: i32 = 0;

/** Lays out the query's code at `to`, for `codeOrders` until the next call. */
export function setQueryCode(code: usize, to: usize): void {
  if (isReduced) {
    reducedQuery = to;
    reducedBase = layOutReduced(code, to);
  } else {
    setScalarQuery(code, to);
  }
}

/** The orders of four codes by their distance from the query's. Smaller is nearer: dot is negated, euclid squared. */
// @ts-ignore: decorator
@inline export function codeOrders(a: usize, b: usize, c: usize, d: usize): v128 {
  return isReduced ? reducedOrders(reducedQuery, reducedBase, a, b, c, d) : scalarOrders(a, b, c, d);
}

/** The order of one code by its distance from another, neither of them laid out. */
export function codeOrder(a: usize, b: usize): u32 {
  return isReduced ? reducedOrder(a, b) : scalarOrder(a, b);
}
