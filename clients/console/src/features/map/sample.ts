/** The points that a map shows: a random sample of a collection, with vectors and payloads, read in pieces. */
import type { Collection, JsonObject, PointId } from '@sextant/sdk';

export type Sample = {
  readonly ids: readonly PointId[];
  readonly payloads: readonly (JsonObject | undefined)[];
  /** One after the other. */
  readonly vectors: Float32Array;
  readonly size: number;
};

type SampleOptions = {
  readonly count: number;
  readonly size: number;
  /** Name of the vector; empty for the only one. */
  readonly using: string;
  readonly signal: AbortSignal;
  readonly onProgress: (share: number) => void;
};

/** Points of one request: about 8 MB of JSON. */
const NUMBERS_PER_REQUEST = 400_000;

export async function readSample(collection: Collection, { count, size, using, signal, onProgress }: SampleOptions): Promise<Sample> {
  const drawn = await collection.query({ query: { sample: 'random' }, limit: count, with_payload: true }, { signal });
  const vectors = new Float32Array(drawn.length * size);
  const isPresent = new Uint8Array(drawn.length);
  const placeOf = new Map(drawn.map(({ id }, place) => [String(id), place]));
  const perRequest = Math.max(50, Math.floor(NUMBERS_PER_REQUEST / size));
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
function withVectors(drawn: readonly Drawn[], vectors: Float32Array, isPresent: Uint8Array, size: number): Sample {
  const places = drawn.flatMap((_, place) => (isPresent[place] === 1 ? [place] : []));
  const kept = new Float32Array(places.length * size);
  places.forEach((place, row) => {
    kept.set(vectors.subarray(place * size, (place + 1) * size), row * size);
  });
  const points = places.flatMap((place) => drawn[place] ?? []);
  return { ids: points.map(({ id }) => id), payloads: points.map(({ payload }) => payload), vectors: kept, size };
}

function denseOf(vector: unknown, using: string): readonly number[] | undefined {
  const found: unknown =
    using === '' || Array.isArray(vector) ? vector : (vector as Readonly<Record<string, unknown>> | undefined)?.[using];
  return Array.isArray(found) && typeof found[0] === 'number' ? (found as number[]) : undefined;
}
