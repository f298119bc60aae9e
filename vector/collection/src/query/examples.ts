// SPDX-License-Identifier: Apache-2.0
/** The vectors that a query names: given, or of stored points, in this collection or in the one to look them up in. */
import {
  type LookupLocation,
  type NamedVectorOutput,
  type PointId,
  type PointRecord,
  type QueryVector,
  type RetrieveRequest,
  type SearchParams,
  ServiceError,
  type SparseVector,
  type SparseVectorParams,
  type SparseVectorsConfig,
  type VectorOutput,
  type VectorParams,
  type VectorsConfig,
} from '@sextant/contracts-vector';
import { UNNAMED, unknownVector, vectorLabel, vectorsByName } from '../model/collection-config.ts';
import { heldBy } from '../model/datatype.ts';
import { isMultiParams } from '../model/multi-vectors.ts';
import type { PointReads } from '../model/requests.ts';
import { returnedSparse, storedSparse } from '../model/sparse-vectors.ts';
import { denseFor, isArray, metricOf, multiFor, sparseFor, storedVector } from '../model/vectors.ts';
import { refuseUnusedIdf } from '../reads/sparse/sparse-weights.ts';
import { averageSparse, averageVector } from './example-scores.ts';
import { denseOf, maxSimilarity, multiOf, type Similarity, similarityOf, sparseOf, sparseSimilarity } from './similarity.ts';

/** By up to a thousand examples each: some tens of milliseconds. */
const COMPARED = 100_000;
/** Of multivectors, some tens of microseconds each. */
const MULTI_COMPARED = 200;

/** A vector as it would be stored, or each of several: of the right dimension, floats normalised where the distance is Cosine; a sparse one by ascending index. */
export type ExampleVector = Float32Array | readonly Float32Array[] | SparseVector;

export type Examples = {
  vectorOf(example: QueryVector): Promise<ExampleVector>;
  /** The vector that counts in an average: one that is given counts by its own length, also where the distance is Cosine, as in the published engine. */
  averagedVectorOf(example: QueryVector): Promise<ExampleVector>;
  /** The points named, where they are of the collection itself: an answer does not contain the question. */
  idsIn(examples: readonly QueryVector[]): readonly PointId[];
  /** A vector as a search by it would weigh its components. */
  weighted(vector: ExampleVector): Promise<ExampleVector>;
  readonly similarity: Similarity;
  readonly average: (positive: readonly ExampleVector[], negative: readonly ExampleVector[]) => ExampleVector;
  /** Similarities that are computed in one piece. */
  readonly comparedAtOnce: number;
  /** Whether a search by a vector answers larger scores first. */
  readonly isDescending: boolean;
};

export type ExampleSource = {
  readonly using?: string | undefined;
  readonly lookupFrom?: LookupLocation | undefined;
  readonly params?: SearchParams | null | undefined;
};

export async function openExamples(
  reads: PointReads,
  collection: string,
  { using = UNNAMED, lookupFrom, params }: ExampleSource,
): Promise<Examples> {
  const kind = await kindOf(reads, collection, using, params);
  const isElsewhere = lookupFrom !== undefined && lookupFrom.collection !== collection;
  const source = lookupFrom?.collection ?? collection;
  const name = lookupFrom?.vector ?? using;
  // Also where every example is a vector: a collection that there is not is never what was meant.
  if (isElsewhere && !(await reads.collectionExists(source))) throw new ServiceError('collection_not_found', { collection: source });
  const vectorOf = async (example: QueryVector) => {
    if (!('id' in example)) return kind.stored(example);
    const point = await pointWith(reads, source, { id: example.id, vector: name, shard_key: lookupFrom?.shard_key ?? null });
    if (point === undefined) throw new ServiceError('point_not_found', { id: example.id });
    const vector = vectorNamed(point.vector, name);
    if (vector === undefined) {
      throw new ServiceError('invalid_request', { reason: `query: point ${example.id} has no vector ${vectorLabel(name)}` });
    }
    return kind.stored(vector);
  };
  return {
    ...kind,
    vectorOf,
    averagedVectorOf: async (example) => ('id' in example ? vectorOf(example) : kind.averaged(example)),
    idsIn: (examples) => (isElsewhere ? [] : examples.flatMap((example) => ('id' in example ? [example.id] : []))),
  };
}

/** Undefined where there is no such point, whether or not there is such a vector. */
async function pointWith(
  reads: PointReads,
  collection: string,
  { id, vector, shard_key = null }: Pick<RetrieveRequest, 'shard_key'> & { readonly id: PointId; readonly vector: string },
): Promise<PointRecord | undefined> {
  const read = async (shape: Pick<RetrieveRequest, 'with_vector'>) =>
    (await reads.retrieve(collection, { ids: [id], with_payload: false, shard_key, ...shape }))[0];
  try {
    return await read({ with_vector: [vector] });
  } catch (error) {
    const isUnknown = error instanceof ServiceError && error.code === 'vector_name_unknown';
    if (isUnknown && (await read({ with_vector: false })) === undefined) return undefined;
    throw error;
  }
}

/** One vector of a point that was read with it. */
export function vectorNamed(vector: VectorOutput | undefined, name: string): NamedVectorOutput | undefined {
  if (vector === undefined) return undefined;
  return isArray(vector) ? vector : vector[name];
}

/** What vectors of one kind have in common. */
type VectorKind = Pick<Examples, 'weighted' | 'similarity' | 'comparedAtOnce' | 'average' | 'isDescending'> & {
  readonly stored: (vector: GivenVector) => ExampleVector;
  readonly averaged: (vector: GivenVector) => ExampleVector;
};

type GivenVector = Exclude<QueryVector, { readonly id: PointId }>;

async function kindOf(reads: PointReads, collection: string, name: string, params: SearchParams | null | undefined): Promise<VectorKind> {
  const { config } = await reads.collectionInfo(collection);
  // The section that every collection has.
  const { vectors, sparse_vectors: sparse } = config.params as {
    readonly vectors: VectorsConfig;
    readonly sparse_vectors?: SparseVectorsConfig;
  };
  const dense = vectorsByName(vectors).get(name);
  refuseUnusedIdf(name, { params, modifier: sparse?.[name]?.modifier });
  if (dense !== undefined) return isMultiParams(dense) ? multiKind(name, dense) : denseKind(name, dense);
  const sparseParams = sparse?.[name];
  if (sparseParams === undefined) throw unknownVector(name);
  return sparseKind(name, sparseParams, (vector) => reads.weighted(collection, { using: name, vector, params: params ?? null }));
}

function denseKind(name: string, params: VectorParams): VectorKind {
  return {
    stored: (vector) => Float32Array.from(storedVector(params, denseFor(name, vector))),
    // Dot leaves lengths as they are.
    averaged: (vector) => Float32Array.from(storedVector({ ...params, distance: 'Dot' }, denseFor(name, vector))),
    weighted: async (vector) => vector,
    similarity: similarityOf(metricOf(params)),
    comparedAtOnce: COMPARED,
    average: (positive, negative) => heldBy(params, averageVector(positive.map(denseOf), negative.map(denseOf))),
    isDescending: params.distance === 'Cosine' || params.distance === 'Dot',
  };
}

/** As in the published engine, an average is all vectors together, those of negative examples negated (lib/segment of qdrant/qdrant, avg_vectors). */
function multiKind(name: string, params: VectorParams): VectorKind {
  const stored = (vector: GivenVector) => multiFor(name, vector).map((each) => Float32Array.from(storedVector(params, each)));
  return {
    ...denseKind(name, params),
    stored,
    averaged: stored,
    similarity: maxSimilarity({ dimension: params.size, metric: metricOf(params) }),
    comparedAtOnce: MULTI_COMPARED,
    average: (positive, negative) => [
      ...positive.flatMap((each) => multiOf(each).map((vector) => Float32Array.from(vector))),
      ...negative.flatMap((each) => multiOf(each).map((vector) => Float32Array.from(vector, (x) => -x))),
    ],
  };
}

function sparseKind(name: string, { modifier }: SparseVectorParams, weigh: (vector: SparseVector) => Promise<SparseVector>): VectorKind {
  const stored = (vector: GivenVector) => returnedSparse(storedSparse(sparseFor(name, vector)));
  return {
    stored,
    averaged: stored,
    weighted: (vector) => (modifier === 'idf' ? weigh(sparseOf(vector)) : Promise.resolve(vector)),
    similarity: sparseSimilarity,
    comparedAtOnce: COMPARED,
    average: (positive, negative) => averageSparse(positive.map(sparseOf), negative.map(sparseOf)),
    isDescending: true,
  };
}
