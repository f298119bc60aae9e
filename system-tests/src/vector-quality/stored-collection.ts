/** Points as the vector service returns them: what an embedding job sent, normalised where the distance is Cosine. */
import type { VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import { type EmbeddedPoint, scaled } from './embedding-world.ts';

export type Distance = 'Cosine' | 'Dot' | 'Euclid';

const PAGE = 500;

export function storedCollection(points: readonly EmbeddedPoint[], distance: Distance): VectorCollectionAccess {
  const dimensions = Object.fromEntries(Object.entries(points[0]?.vectors ?? {}).map(([name, { length }]) => [name, length]));
  return {
    info: async () => ({ points: points.length, indexed: points.length, dimensions }),
    points: async function* () {
      for (let start = 0; start < points.length; start += PAGE)
        yield points.slice(start, start + PAGE).map((point) => stored(point, distance));
    },
  };
}

function stored({ id, vectors, payload }: EmbeddedPoint, distance: Distance): VectorPoint {
  return {
    id: String(id),
    payload,
    vectors: Object.fromEntries(Object.entries(vectors).map(([name, vector]) => [name, Array.from(written(vector, distance), jsonNumber)])),
  };
}

function written(vector: Float32Array, distance: Distance): Float32Array {
  const norm = distance === 'Cosine' ? Math.hypot(...vector) : 1;
  return norm === 1 || norm === 0 || !Number.isFinite(norm) ? vector : scaled(vector, 1 / norm);
}

/** JSON has no not-a-number. */
function jsonNumber(component: number): number | null {
  return Number.isFinite(component) ? component : null;
}
