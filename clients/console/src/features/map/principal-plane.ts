/** Rounds of the iteration; the plane of real embeddings stands still after a few. */
const ROUNDS = 12;
/** Vectors that the plane is learned from; all of them are laid on it. */
const LEARNED_FROM = 5_000;

/**
 * Projects vectors, one after the other in one array, on the plane in which they vary most: the first two principal components, by simultaneous
 * iteration with Gram–Schmidt orthogonalisation (Golub and Van Loan, Matrix Computations, section 8.2.4). Returns two coordinates for each, scaled
 * into [-1, 1] by the larger extent, so that distances keep their proportion.
 */
export function principalPlane(vectors: Float32Array, size: number): Float32Array {
  const count = vectors.length / size;
  const mean = meanOf(vectors, size, count);
  const step = Math.max(1, Math.floor(count / LEARNED_FROM));
  const axes = [axisFrom(size, 1), axisFrom(size, 2)] as const;
  for (let round = 0; round < ROUNDS; round++) {
    const next = axes.map((axis) => multiplied(vectors, { mean, axis, count, step }));
    axes.forEach((axis, i) => {
      axis.set(next[i] ?? axis);
    });
    normalise(axes[0]);
    orthogonalise(axes[1], axes[0]);
    normalise(axes[1]);
  }
  const coordinates = new Float32Array(count * 2);
  let extent = Number.EPSILON;
  for (let row = 0; row < count; row++) {
    for (let a = 0; a < 2; a++) {
      const value = along(vectors, row, mean, axes[a as 0 | 1]);
      coordinates[row * 2 + a] = value;
      extent = Math.max(extent, Math.abs(value));
    }
  }
  return coordinates.map((value) => value / extent);
}

function meanOf(vectors: Float32Array, size: number, count: number): Float64Array {
  const mean = new Float64Array(size);
  vectors.forEach((value, at) => {
    const component = at % size;
    mean[component] = (mean[component] ?? 0) + value / count;
  });
  return mean;
}

/** Any direction that is not orthogonal to what is sought; the same one each time, so that a map looks the same each time. */
function axisFrom(size: number, seed: number): Float64Array {
  const axis = Float64Array.from({ length: size }, (_, i) => Math.sin((i + 1) * 12.9898 * seed));
  normalise(axis);
  return axis;
}

function along(vectors: Float32Array, row: number, mean: Float64Array, axis: Float64Array): number {
  const first = row * axis.length;
  let sum = 0;
  for (let i = 0; i < axis.length; i++) sum += ((vectors[first + i] ?? 0) - (mean[i] ?? 0)) * (axis[i] ?? 0);
  return sum;
}

type Product = { readonly mean: Float64Array; readonly axis: Float64Array; readonly count: number; readonly step: number };

/** The covariance matrix times an axis, without the matrix. */
function multiplied(vectors: Float32Array, { mean, axis, count, step }: Product): Float64Array {
  const size = axis.length;
  const product = new Float64Array(size);
  for (let row = 0; row < count; row += step) {
    const weight = along(vectors, row, mean, axis);
    const first = row * size;
    for (let i = 0; i < size; i++) product[i] = (product[i] ?? 0) + weight * ((vectors[first + i] ?? 0) - (mean[i] ?? 0));
  }
  return product;
}

function normalise(axis: Float64Array): void {
  const length = Math.sqrt(axis.reduce((sum, value) => sum + value * value, 0)) || 1;
  axis.forEach((value, i) => {
    axis[i] = value / length;
  });
}

function orthogonalise(axis: Float64Array, to: Float64Array): void {
  const shared = axis.reduce((sum, value, i) => sum + value * (to[i] ?? 0), 0);
  axis.forEach((value, i) => {
    axis[i] = value - shared * (to[i] ?? 0);
  });
}
