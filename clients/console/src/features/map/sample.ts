// SPDX-License-Identifier: Apache-2.0
/** The points that a map shows: a random sample of a collection, with vectors and payloads, read in pieces. */
import type { Collection, JsonObject, PointId } from '@sextant/sdk';

export type Sample = {
  readonly ids: readonly PointId[];
  readonly payloads: readonly (JsonObject | undefined)[];
};

/** With the vectors one after the other. */
export type DrawnSample = Sample & { readonly vectors: Float32Array };

type SampleOptions = {
  readonly count: number;
  /** Points that are shown whether they are drawn or not. */
  readonly always: readonly PointId[];
  readonly size: number;
  /** Name of the vector; empty for the only one. */
  readonly using: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

/** Points of one request: about 8 MB of JSON. */
const NUMBERS_PER_REQUEST = 400_000;
const POINTS_PER_REQUEST_MIN = 50;
/** The service answers no more with vectors. */
const POINTS_PER_REQUEST_MAX = 10_000;

export async function readSample(collection: Collection, options: SampleOptions): Promise<DrawnSample> {
  const { count, always, size, using, signal, onProgress } = options;
  const random = await collection.query({ query: { sample: 'random' }, limit: count, with_payload: true }, { signal });
  const wanted = always.length === 0 ? [] : await collection.retrieve({ ids: always, with_payload: true }, { signal });
  const wantedIds = new Set(wanted.map(({ id }) => String(id)));
  const drawn: readonly Drawn[] = [...wanted, ...random.filter(({ id }) => !wantedIds.has(String(id)))];
  const vectors = new Float32Array(drawn.length * size);
  const isPresent = new Uint8Array(drawn.length);
  const placeOf = new Map(drawn.map(({ id }, place) => [String(id), place]));
  const fitting = Math.floor(NUMBERS_PER_REQUEST / size);
  const perRequest = Math.min(POINTS_PER_REQUEST_MAX, Math.max(POINTS_PER_REQUEST_MIN, fitting));
  for (let from = 0; from < drawn.length; from += perRequest) {
    const ids = drawn.slice(from, from + perRequest).map(({ id }) => id);
    const records = await collection.retrieve({ ids, with_payload: false, with_vector: using === '' ? true : [using] }, { signal });
    for (const { id, vector } of records) {
      const place = placeOf.get(String(id));
      const numbers = denseOf(vector, using);
      if (place === undefined || numbers?.length !== size) continue;
      vectors.set(numbers, place * size);
      isPresent[place] = 1;
    }
    onProgress(Math.min(1, (from + perRequest) / drawn.length));
  }
  return withVectors(drawn, vectors, isPresent, size);
}

type Drawn = { readonly id: PointId; readonly payload?: JsonObject | undefined };

/** Points without this vector, and those deleted meanwhile, are left out. */
function withVectors(drawn: readonly Drawn[], vectors: Float32Array, isPresent: Uint8Array, size: number): DrawnSample {
  const places = drawn.flatMap((_, place) => (isPresent[place] === 1 ? [place] : []));
  const kept = new Float32Array(places.length * size);
  places.forEach((place, row) => {
    kept.set(vectors.subarray(place * size, (place + 1) * size), row * size);
  });
  const points = places.flatMap((place) => drawn[place] ?? []);
  return { ids: points.map(({ id }) => id), payloads: points.map(({ payload }) => payload), vectors: kept };
}

function denseOf(vector: unknown, using: string): readonly number[] | undefined {
  const found: unknown =
    using === '' || Array.isArray(vector) ? vector : (vector as Readonly<Record<string, unknown>> | undefined)?.[using];
  return Array.isArray(found) && typeof found[0] === 'number' ? (found as number[]) : undefined;
}
