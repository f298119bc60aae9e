// SPDX-License-Identifier: Apache-2.0
/** Points as the vector service returns them: what an embedding job sent, normalised where the distance is Cosine. */
import type { InputNormInterval, NearestSearch, VectorCollectionAccess, VectorPoint } from '@sextant/observability-connectors';
import { type EmbeddedPoint, scaled } from './embedding-corpus.ts';

export type Distance = 'Cosine' | 'Dot' | 'Euclid';

const PAGE = 500;
const RANKED = 3;

type Stored = {
  /** Which points searches find that are not exact. */
  readonly isIndexed?: (point: EmbeddedPoint) => boolean;
  /** What was written before; points that are not among it are written now. */
  readonly written?: WrittenNorms;
};

export function storedCollection(
  points: readonly EmbeddedPoint[],
  distance: Distance,
  { isIndexed = () => true, written = writtenNorms() }: Stored = {},
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
    ...(distance === 'Cosine' && { inputNorms: async () => written.with(points) }),
  };
}

const INTERVALS_PER_OCTAVE = 16;

type Norms = { readonly [vector: string]: readonly InputNormInterval[] };

export type WrittenNorms = {
  /** The counts of all that was written with these points. */
  readonly with: (points: readonly EmbeddedPoint[]) => Norms;
  /** From now on these points are written. */
  readonly add: (points: readonly EmbeddedPoint[]) => void;
};

/** Lengths of vectors as a service counts them that normalises. */
export function writtenNorms(): WrittenNorms {
  const known = new Set<EmbeddedPoint>();
  const counts = new Map<string, Map<number, number>>();
  const count = (into: Map<string, Map<number, number>>, points: readonly EmbeddedPoint[]): void => {
    for (const { vectors } of points) {
      for (const [name, vector] of Object.entries(vectors)) {
        const length = norm(vector);
        // The service refuses components that are not finite.
        if (length === 0 || !Number.isFinite(length)) continue;
        const ofName = into.get(name) ?? new Map<number, number>();
        const interval = Math.floor(INTERVALS_PER_OCTAVE * Math.log2(length));
        into.set(name, ofName.set(interval, (ofName.get(interval) ?? 0) + 1));
      }
    }
  };
  const isNew = (point: EmbeddedPoint) => !known.has(point);
  return {
    with: (points) => {
      const all = new Map([...counts].map(([name, ofName]) => [name, new Map(ofName)]));
      count(all, points.filter(isNew));
      return Object.fromEntries([...all].map(([name, ofName]) => [name, intervalsOf(ofName)]));
    },
    add: (points) => {
      const fresh = points.filter(isNew);
      count(counts, fresh);
      for (const point of fresh) known.add(point);
    },
  };
}

function intervalsOf(counts: ReadonlyMap<number, number>): readonly InputNormInterval[] {
  const lengthAt = (interval: number) => 2 ** (interval / INTERVALS_PER_OCTAVE);
  return [...counts]
    .toSorted(([one], [other]) => one - other)
    .map(([interval, written]) => ({ from: lengthAt(interval), to: lengthAt(interval + 1), written }));
}

type Ranked = { readonly point: EmbeddedPoint; readonly score: number };
type Searched = { readonly points: readonly EmbeddedPoint[]; readonly distance: Distance };

/** More than a search asks for, of which it finds those that are indexed. */
function nearestTo({ id, vector, limit, where }: NearestSearch, { points, distance }: Searched): readonly Ranked[] {
  const query = points.find((point) => String(point.id) === id)?.vectors[vector];
  if (query === undefined) return [];
  const best: Ranked[] = [];
  for (const point of points) {
    if (String(point.id) === id || (where !== undefined && point.payload[where.member] !== where.value)) continue;
    const other = point.vectors[vector];
    const score = other === undefined ? Number.NaN : similarity(query, other, distance);
    const least = best.at(-1);
    if (Number.isNaN(score) || (best.length === RANKED * limit && least !== undefined && score <= least.score)) continue;
    const place = best.findIndex((each) => each.score < score);
    best.splice(place === -1 ? best.length : place, 0, { point, score });
    if (best.length > RANKED * limit) best.pop();
  }
  return best;
}

/** Higher is nearer. */
function similarity(one: Float32Array, other: Float32Array, distance: Distance): number {
  let product = 0;
  for (let at = 0; at < one.length; at += 1) product += (one[at] ?? 0) * (other[at] ?? 0);
  switch (distance) {
    case 'Dot':
      return product;
    case 'Cosine':
      return product / (norm(one) * norm(other) || 1);
    case 'Euclid':
      return 2 * product - norm(one) ** 2 - norm(other) ** 2;
  }
}

const norms = new WeakMap<Float32Array, number>();

function norm(vector: Float32Array): number {
  const known = norms.get(vector);
  if (known !== undefined) return known;
  const length = Math.sqrt(vector.reduce((sum, component) => sum + component * component, 0));
  norms.set(vector, length);
  return length;
}

/** Most points are scanned on many days. */
const written: Record<Distance, WeakMap<EmbeddedPoint, VectorPoint>> = { Cosine: new WeakMap(), Dot: new WeakMap(), Euclid: new WeakMap() };

function stored(point: EmbeddedPoint, distance: Distance): VectorPoint {
  const known = written[distance].get(point);
  if (known !== undefined) return known;
  const { id, vectors, payload } = point;
  const result = {
    id: String(id),
    payload,
    vectors: Object.fromEntries(
      Object.entries(vectors).map(([name, vector]) => [name, Array.from(normalised(vector, distance), jsonNumber)]),
    ),
  };
  written[distance].set(point, result);
  return result;
}

function normalised(vector: Float32Array, distance: Distance): Float32Array {
  const length = norm(vector);
  return distance !== 'Cosine' || length === 0 || !Number.isFinite(length) ? vector : scaled(vector, 1 / length);
}

/** JSON has no not-a-number. */
function jsonNumber(component: number): number | null {
  return Number.isFinite(component) ? component : null;
}
