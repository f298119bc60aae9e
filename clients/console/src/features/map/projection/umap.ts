// SPDX-License-Identifier: Apache-2.0
/**
 * UMAP (McInnes, Healy, Melville, arXiv 1802.03426): points that are near among the vectors are drawn together on the plane, others pushed apart.
 *
 * Ours instead of umap-js 1.4.0: with its arrays of arrays 10,000 points took 50 s and 600 MB, and it keeps a map entry for each edge. Typed arrays make 50,000
 * points possible in a page; docs/how-to/console.md has the figures.
 */
import { seededRandom } from '@sextant/foundation-std';
import { fuzzyGraph, type Graph } from './fuzzy-graph.ts';
import { nearestNeighbours } from './nearest.ts';

type UmapOptions = {
  /** Numbers of each point. */
  readonly size: number;
  /** Where points begin, such as their principal plane: it says which way the drawing lies, and is the same each time. */
  readonly start: Float32Array;
  /** From 0 to 1. */
  readonly onProgress?: (share: number) => void;
};

const NEIGHBOURS = 15;
/** The curve of similarity on the plane for `min_dist` 0.1 and `spread` 1, as umap-learn 0.5 fits it. */
const A = 1.577;
const B = 0.8951;
/** Pushes for each pull. */
const PUSHES = 5;
const STEP_MAX = 4;
const START_REACH = 10;
const SEED = 42;
/** Of the whole time what finding the neighbours takes, about. */
const NEIGHBOURS_SHARE = 0.4;

/** Rounds of pulling and pushing; large drawings settle in fewer, as umap-learn has it too. */
function roundsFor(count: number): number {
  return count <= 5_000 ? 400 : 200;
}

/** Two coordinates for each point. */
export function umap(points: Float32Array, { size, start, onProgress }: UmapOptions): Float32Array {
  const neighbours = nearestNeighbours(points, {
    size,
    neighbours: NEIGHBOURS,
    onProgress: (share) => onProgress?.(share * NEIGHBOURS_SHARE),
  });
  const plane = start.map((value) => value * START_REACH);
  if (neighbours.count === 0) return plane;
  settle(plane, fuzzyGraph(neighbours), (share) => onProgress?.(NEIGHBOURS_SHARE + share * (1 - NEIGHBOURS_SHARE)));
  return plane;
}

/** Stochastic gradient descent: an edge is due as often as it is strong (section 4.2 and algorithm 5). */
function settle(plane: Float32Array, { heads, tails, weights }: Graph, onProgress: (share: number) => void): void {
  const count = plane.length / 2;
  const rounds = roundsFor(count);
  const random = seededRandom(SEED);
  const strongest = weights.reduce((most, weight) => Math.max(most, weight), 0);
  const due = weights.map((weight) => strongest / weight);
  // Edges that would be due less than once are left out.
  const periods = due.map((period) => (period > rounds ? Number.POSITIVE_INFINITY : period));
  due.set(periods);
  for (let round = 1; round <= rounds; round++) {
    const rate = 1 - (round - 1) / rounds;
    for (let edge = 0; edge < heads.length; edge++) {
      if ((due[edge] ?? 0) > round) continue;
      due[edge] = (due[edge] ?? 0) + (periods[edge] ?? 0);
      const head = (heads[edge] ?? 0) * 2;
      pull(plane, head, (tails[edge] ?? 0) * 2, rate);
      for (let i = 0; i < PUSHES; i++) push(plane, head, random.integer(count) * 2, rate);
    }
    onProgress(round / rounds);
  }
}

function pull(plane: Float32Array, head: number, tail: number, rate: number): void {
  const [dx, dy] = [(plane[head] ?? 0) - (plane[tail] ?? 0), (plane[head + 1] ?? 0) - (plane[tail + 1] ?? 0)];
  const squared = dx * dx + dy * dy;
  if (squared === 0) return;
  const power = squared ** B;
  const strength = (-2 * A * B * power) / squared / (1 + A * power);
  const [mx, my] = [bounded(strength * dx) * rate, bounded(strength * dy) * rate];
  plane[head] = (plane[head] ?? 0) + mx;
  plane[head + 1] = (plane[head + 1] ?? 0) + my;
  plane[tail] = (plane[tail] ?? 0) - mx;
  plane[tail + 1] = (plane[tail + 1] ?? 0) - my;
}

function push(plane: Float32Array, head: number, other: number, rate: number): void {
  const [dx, dy] = [(plane[head] ?? 0) - (plane[other] ?? 0), (plane[head + 1] ?? 0) - (plane[other + 1] ?? 0)];
  const squared = dx * dx + dy * dy;
  if (squared === 0) return;
  const strength = (2 * B) / ((0.001 + squared) * (1 + A * squared ** B));
  plane[head] = (plane[head] ?? 0) + bounded(strength * dx) * rate;
  plane[head + 1] = (plane[head + 1] ?? 0) + bounded(strength * dy) * rate;
}

function bounded(step: number): number {
  return Math.min(STEP_MAX, Math.max(-STEP_MAX, step));
}
