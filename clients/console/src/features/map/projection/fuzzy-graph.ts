// SPDX-License-Identifier: Apache-2.0
/** How strongly points hold together: the fuzzy simplicial set of UMAP (McInnes, Healy, Melville, arXiv 1802.03426, sections 3.1 and 4.1). */
import type { Neighbours } from './nearest.ts';

/** Edges of a graph, each in both directions. */
export type Graph = { readonly heads: Int32Array; readonly tails: Int32Array; readonly weights: Float32Array };

const ROUNDS = 64;
const TOLERANCE = 1e-5;
/** Of the mean distance; no point is held tighter, which would tear duplicates away from all others. */
const SIGMA_SHARE_MIN = 1e-3;

export function fuzzyGraph(neighbours: Neighbours): Graph {
  const { count, rows } = neighbours;
  const strengths = strengthsOf(neighbours);
  const heads = new Int32Array(rows.length * 2);
  const tails = new Int32Array(rows.length * 2);
  const weights = new Float32Array(rows.length * 2);
  let edges = 0;
  const add = (head: number, tail: number, weight: number) => {
    heads[edges] = head;
    tails[edges] = tail;
    weights[edges] = weight;
    edges++;
  };
  rows.forEach((tail, at) => {
    if (tail < 0) return;
    const head = Math.floor(at / count);
    const back = rows.subarray(tail * count, (tail + 1) * count).indexOf(head);
    const there = strengths[at] ?? 0;
    const here = back === -1 ? 0 : (strengths[tail * count + back] ?? 0);
    const weight = there + here - there * here;
    add(head, tail, weight);
    // Where both hold each other, the other one adds its own.
    if (back === -1) add(tail, head, weight);
  });
  return { heads: heads.slice(0, edges), tails: tails.slice(0, edges), weights: weights.slice(0, edges) };
}

/** From each point to each neighbour, so that the sum is the same for all: the logarithm of their number. */
function strengthsOf({ count, rows, distances }: Neighbours): Float32Array {
  const strengths = new Float32Array(rows.length);
  const target = Math.log2(Math.max(2, count));
  const mean = distances.reduce((sum, each) => sum + (Number.isFinite(each) ? each : 0), 0) / Math.max(1, distances.length);
  for (let first = 0; first < rows.length; first += count) {
    const own = distances.subarray(first, first + count);
    const nearest = own.find((distance) => distance > 0) ?? 0;
    const sigma = Math.max(SIGMA_SHARE_MIN * mean, sigmaOf(own, nearest, target)) || 1;
    own.forEach((distance, i) => {
      strengths[first + i] = Math.exp(-Math.max(0, distance - nearest) / sigma);
    });
  }
  return strengths;
}

function sigmaOf(distances: Float32Array, nearest: number, target: number): number {
  let [low, high, sigma] = [0, Number.POSITIVE_INFINITY, 1];
  for (let round = 0; round < ROUNDS; round++) {
    const sum = distances.reduce((total, distance) => total + Math.exp(-Math.max(0, distance - nearest) / sigma), 0);
    if (Math.abs(sum - target) < TOLERANCE) break;
    if (sum > target) high = sigma;
    else low = sigma;
    sigma = high === Number.POSITIVE_INFINITY ? sigma * 2 : (low + high) / 2;
  }
  return sigma;
}
