// SPDX-License-Identifier: Apache-2.0
/** Scores of a point by its similarity to examples, as the published query API defines them. Larger is better. */

import type { SparseVector } from '@sextant/contracts-vector';

/** The least that a positive example must be nearer than a negative one; of float32, as the published engine has it. */
const EPSILON = 2 ** -23;

/** The similarity to the best positive example where that beats every negative one, else minus that to the worst negative one. */
export function bestScore(positive: readonly number[], negative: readonly number[]): number {
  const [best, worst] = [largest(positive), largest(negative)];
  return best > worst ? scaledSigmoid(best) : -scaledSigmoid(worst);
}

export function sumScores(positive: readonly number[], negative: readonly number[]): number {
  return total(positive) - total(negative);
}

/** How many pairs the point is on the right side of, less those where it is on the wrong one; then, between 0 and 1, how near the target is. */
export function discoverScore(target: number, pairs: readonly Pair[]): number {
  return total(pairs.map(({ positive, negative }) => Math.sign(positive - negative))) + scaledSigmoid(target);
}

/** 0 where the point is on the right side of every pair, less the farther it is on the wrong one. */
export function contextScore(pairs: readonly Pair[]): number {
  return total(pairs.map(({ positive, negative }) => sigmoid(Math.min(positive - negative - EPSILON, 0))));
}

/**
 * How much the similarity to each example counts, by how another model has judged them: of each two, the better one for and the other against, by
 * c times the difference of their scores to the power of b. With `a` for the target these are the naive strategy of the published engine
 * (feedback_query.rs of qdrant-edge 0.8.0).
 */
export function feedbackWeights(scores: readonly number[], { b, c }: { readonly b: number; readonly c: number }): readonly number[] {
  const weights = scores.map(() => 0);
  for (const [better, high] of scores.entries()) {
    for (const [worse, low] of scores.entries()) {
      if (high <= low) continue;
      const confidence = c * (high - low) ** b;
      weights[better] = (weights[better] ?? 0) + confidence;
      weights[worse] = (weights[worse] ?? 0) - confidence;
    }
  }
  return weights;
}

/** Similarities of the point to both examples of a pair. */
export type Pair = { readonly positive: number; readonly negative: number };

/** The mean of the positive examples, moved away from that of the negative ones by the difference of the two. */
export function averageVector(positive: readonly ArrayLike<number>[], negative: readonly ArrayLike<number>[]): Float32Array {
  const [toward, away] = [mean(positive), mean(negative)];
  return negative.length === 0 ? toward : toward.map((value, index) => value + value - (away[index] ?? 0));
}

/** The same of sparse vectors: an index that one of them lacks counts as zero there. */
export function averageSparse(positive: readonly SparseVector[], negative: readonly SparseVector[]): SparseVector {
  const [toward, away] = [sparseMean(positive), sparseMean(negative)];
  const indices = [...new Set([...toward.keys(), ...away.keys()])].sort((a, b) => a - b);
  const values = indices.map((index) => {
    const value = toward.get(index) ?? 0;
    return Math.fround(negative.length === 0 ? value : value + value - (away.get(index) ?? 0));
  });
  return { indices, values };
}

function sparseMean(vectors: readonly SparseVector[]): ReadonlyMap<number, number> {
  const sums = new Map<number, number>();
  for (const { indices, values } of vectors) {
    for (const [at, index] of indices.entries()) sums.set(index, (sums.get(index) ?? 0) + (values[at] ?? 0));
  }
  for (const [index, sum] of sums) sums.set(index, sum / vectors.length);
  return sums;
}

function mean(vectors: readonly ArrayLike<number>[]): Float32Array {
  const sums = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (let index = 0; index < sums.length; index++) sums[index] = (sums[index] ?? 0) + (vector[index] ?? 0);
  return Float32Array.from(sums, (value) => value / vectors.length);
}

/** Keeps the order and brings any number between -1 and 1, without an exponential. */
function sigmoid(x: number): number {
  return x / (1 + Math.abs(x));
}

/** As `sigmoid`, between 0 and 1. */
function scaledSigmoid(x: number): number {
  // An infinity stands for no example.
  return x === Number.NEGATIVE_INFINITY ? 0 : 0.5 * (sigmoid(x) + 1);
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY);
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
