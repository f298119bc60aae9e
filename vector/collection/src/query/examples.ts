/** The vectors that a query names: given, or of stored points, in this collection or in the one to look them up in. */
import {
  type Distance,
  type LookupLocation,
  type PointId,
  type QueryVector,
  ServiceError,
  type VectorOutput,
  type VectorParams,
  type VectorsConfig,
} from '@sextant/contracts-vector';
import { vectorsByName } from '../collection-config.ts';
import type { EngineReads } from '../engine.ts';
import { storedVector } from '../vectors.ts';

export type Examples = {
  /** As it would be stored: of the right dimension, normalised where the distance is Cosine. */
  vectorOf(example: QueryVector): Promise<Float32Array>;
  /** The points named, where they are of the collection itself: an answer does not contain the question. */
  idsIn(examples: readonly QueryVector[]): readonly PointId[];
  readonly distance: Distance;
};

export async function openExamples(
  reads: EngineReads,
  collection: string,
  { using = '', lookupFrom }: { readonly using?: string | undefined; readonly lookupFrom?: LookupLocation | undefined },
): Promise<Examples> {
  const params = await paramsOf(reads, collection, using);
  const isElsewhere = lookupFrom !== undefined && lookupFrom.collection !== collection;
  const source = lookupFrom?.collection ?? collection;
  const name = lookupFrom?.vector ?? using;
  return {
    distance: params.distance,
    vectorOf: async (example) => {
      if (!('id' in example)) return Float32Array.from(storedVector(params, example));
      const [point] = await reads.retrieve(source, { ids: [example.id], with_payload: false, with_vector: [name] });
      if (point === undefined) throw new ServiceError('point_not_found', { id: example.id });
      const vector = vectorNamed(point.vector, name);
      if (vector === undefined) {
        throw new ServiceError('invalid_request', { reason: `query: point ${example.id} has no vector ${JSON.stringify(name)}` });
      }
      return Float32Array.from(storedVector(params, vector));
    },
    idsIn: (examples) => (isElsewhere ? [] : examples.flatMap((example) => ('id' in example ? [example.id] : []))),
  };
}

/** One vector of a point that was read with it. */
export function vectorNamed(vector: VectorOutput | undefined, name: string): readonly number[] | undefined {
  if (vector === undefined) return undefined;
  return isList(vector) ? vector : vector[name];
}

async function paramsOf(reads: EngineReads, collection: string, name: string): Promise<VectorParams> {
  const { config } = await reads.collectionInfo(collection);
  // The section that every collection has.
  const { vectors } = config.params as { readonly vectors: VectorsConfig };
  const params = vectorsByName(vectors).get(name);
  if (params === undefined) throw new ServiceError('vector_name_unknown', { vector: name === '' ? '(unnamed)' : name });
  return params;
}

/** `Array.isArray` does not narrow readonly arrays. */
function isList(vector: VectorOutput): vector is readonly number[] {
  return Array.isArray(vector);
}
