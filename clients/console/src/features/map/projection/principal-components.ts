// SPDX-License-Identifier: Apache-2.0
/** Rounds of the iteration; the plane of real embeddings stands still after a few, and of what is only reduced less is asked. */
const PLANE_ROUNDS = 12;
const REDUCING_ROUNDS = 4;
/** Vectors that the axes are learned from; all of them are laid on these. */
const LEARNED_FROM = 5_000;

/**
 * Vectors, one after the other in one array, along the directions in which they vary most: their first principal components, by simultaneous
 * iteration with Gram–Schmidt orthogonalisation (Golub and Van Loan, Matrix Computations, section 8.2.4). Returns as many numbers for each as asked for.
 */
export function principalComponents(vectors: Float32Array, size: number, components: number): Float32Array {
  const count = vectors.length / size;
  const mean = meanOf(vectors, size, count);
  const step = Math.max(1, Math.floor(count / LEARNED_FROM));
  const axes = Array.from({ length: components }, (_, i) => axisFrom(size, i + 1));
  const rounds = components === 2 ? PLANE_ROUNDS : REDUCING_ROUNDS;
  for (let round = 0; round < rounds; round++) {
    const next = multiplied(vectors, { mean, axes, count, step });
    axes.forEach((axis, i) => {
      axis.set(next[i] ?? axis);
      for (const earlier of axes.slice(0, i)) orthogonalise(axis, earlier);
      normalise(axis);
    });
  }
  const coordinates = new Float32Array(count * components);
  const centred = new Float64Array(size);
  for (let row = 0; row < count; row++) {
    centre(vectors, row, mean, centred);
    axes.forEach((axis, a) => {
      coordinates[row * components + a] = product(centred, axis);
    });
  }
  return coordinates;
}

/** Into [-1, 1] around the middle, by the larger extent, so that distances keep their proportion. */
export function fitted(plane: Float32Array): Float32Array {
  const bounds = [0, 1].map((axis) => {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let at = axis; at < plane.length; at += 2) {
      low = Math.min(low, plane[at] ?? 0);
      high = Math.max(high, plane[at] ?? 0);
    }
    return { middle: (low + high) / 2, reach: (high - low) / 2 };
  });
  const reach = Math.max(Number.EPSILON, ...bounds.map((each) => each.reach));
  return plane.map((value, at) => (value - (bounds[at % 2]?.middle ?? 0)) / reach);
}

function meanOf(vectors: Float32Array, size: number, count: number): Float64Array {
  const mean = new Float64Array(size);
  for (let row = 0; row < count; row++) {
    for (let i = 0; i < size; i++) mean[i] = (mean[i] ?? 0) + (vectors[row * size + i] ?? 0);
  }
  return mean.map((sum) => sum / count);
}

/** Any direction that is not orthogonal to what is sought; the same one each time, so that a map looks the same each time. */
function axisFrom(size: number, seed: number): Float64Array {
  const axis = Float64Array.from({ length: size }, (_, i) => Math.sin((i + 1) * 12.9898 * seed));
  normalise(axis);
  return axis;
}

function centre(vectors: Float32Array, row: number, mean: Float64Array, target: Float64Array): void {
  const first = row * mean.length;
  for (let i = 0; i < mean.length; i++) target[i] = (vectors[first + i] ?? 0) - (mean[i] ?? 0);
}

function product(one: Float64Array, other: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < one.length; i++) sum += (one[i] ?? 0) * (other[i] ?? 0);
  return sum;
}

type Learning = { readonly mean: Float64Array; readonly axes: readonly Float64Array[]; readonly count: number; readonly step: number };

/** The covariance matrix times each axis, without the matrix. */
function multiplied(vectors: Float32Array, { mean, axes, count, step }: Learning): readonly Float64Array[] {
  const size = mean.length;
  const products = axes.map(() => new Float64Array(size));
  const centred = new Float64Array(size);
  for (let row = 0; row < count; row += step) {
    centre(vectors, row, mean, centred);
    products.forEach((target, a) => {
      const weight = product(centred, axes[a] ?? centred);
      for (let i = 0; i < size; i++) target[i] = (target[i] ?? 0) + weight * (centred[i] ?? 0);
    });
  }
  return products;
}

function normalise(axis: Float64Array): void {
  const length = Math.sqrt(product(axis, axis)) || 1;
  axis.forEach((value, i) => {
    axis[i] = value / length;
  });
}

function orthogonalise(axis: Float64Array, to: Float64Array): void {
  const shared = product(axis, to);
  axis.forEach((value, i) => {
    axis[i] = value - shared * (to[i] ?? 0);
  });
}
