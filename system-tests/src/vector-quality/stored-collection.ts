/** Points as the vector service returns them: what an embedding job sent, normalised where the distance is Cosine. */
import type { NearestSearch, VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import { type EmbeddedPoint, scaled } from './embedding-corpus.ts';

export type Distance = 'Cosine' | 'Dot' | 'Euclid';

const PAGE = 500;
const RANKED = 3;

/** `isIndexed` says which points searches find that are not exact. */
export function storedCollection(
  points: readonly EmbeddedPoint[],
  distance: Distance,
  isIndexed: (point: EmbeddedPoint) => boolean = () => true,
): VectorCollectionAccess {
  const dimensions = Object.fromEntries(Object.entries(points[0]?.vectors ?? {}).map(([name, { length }]) => [name, length]));
  const known = new Map<string, readonly Ranked[]>();
  return {
    info: async () => ({ points: points.length, indexed: points.length, dimensions }),
    points: async function* () {
      for (let start = 0; start < points.length; start += PAGE)
        yield points.slice(start, start + PAGE).map((point) => stored(point, distance));
    },
    nearest: async (searches) =>
      searches.map((search) => {
        const key = JSON.stringify([search.id, search.vector, search.where]);
        const ranked = known.get(key) ?? nearestTo(search, { points, distance });
        known.set(key, ranked);
        return ranked
          .filter(({ point }) => search.isExact || isIndexed(point))
          .slice(0, search.limit)
          .map(({ point, score }) => ({ id: String(point.id), score }));
      }),
  };
}

type Ranked = { readonly point: EmbeddedPoint; readonly score: number };
type Searched = { readonly points: readonly EmbeddedPoint[]; readonly distance: Distance };

/** More than a search asks for, of which it finds those that are indexed. */
function nearestTo({ id, vector, limit, where }: NearestSearch, { points, distance }: Searched): readonly Ranked[] {
  const own = points.find((point) => String(point.id) === id)?.vectors[vector];
  const candidates = points.filter(
    (point) => String(point.id) !== id && (where === undefined || point.payload[where.member] === where.value),
  );
  const scored = candidates.flatMap((point) => {
    const other = point.vectors[vector];
    return own === undefined || other === undefined ? [] : [{ point, score: similarity(own, other, distance) }];
  });
  return scored.toSorted((one, another) => another.score - one.score).slice(0, RANKED * limit);
}

/** Higher is nearer. */
function similarity(one: Float32Array, other: Float32Array, distance: Distance): number {
  let [product, squareOfOne, squareOfOther] = [0, 0, 0];
  for (let at = 0; at < one.length; at += 1) {
    const [a, b] = [one[at] ?? 0, other[at] ?? 0];
    product += a * b;
    squareOfOne += a * a;
    squareOfOther += b * b;
  }
  switch (distance) {
    case 'Dot':
      return product;
    case 'Cosine':
      return product / Math.sqrt(squareOfOne * squareOfOther || 1);
    case 'Euclid':
      return 2 * product - squareOfOne - squareOfOther;
  }
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
