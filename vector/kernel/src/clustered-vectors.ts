import { seededRandom } from '@sextant/foundation-std';

/**
 * Vectors in clusters of Gaussian spread, the shape that real embeddings have more than uniform noise does; of length one.
 * For tests and benches.
 */
export function clusteredVectors(options: { count: number; dimension: number; clusters: number; seed: number }): Float32Array[] {
  const { count, dimension, clusters, seed } = options;
  const random = seededRandom(seed);
  // Box and Muller, A note on the generation of random normal deviates, 1958.
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: dimension }, gaussian));
  return Array.from({ length: count }, () => {
    const centre = centres[random.integer(clusters)] ?? new Float32Array(dimension);
    return normalised(centre.map((value) => value + gaussian() * 0.7));
  });
}

function normalised(vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
