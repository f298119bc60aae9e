// SPDX-License-Identifier: Apache-2.0
/**
 * What a modifier makes of a query. With `idf` each value is multiplied by ln(1 + (N - n + 0.5) / (n + 0.5)), where of N vectors that have
 * components n have one at the index: the inverse document frequency of BM25, kept positive. As the published engine has it: `fancy_idf` in
 * lib/segment/src/data_types/query_context.rs of qdrant/qdrant, https://qdrant.tech/documentation/concepts/indexing/#idf-modifier.
 */
import { type SearchParams, ServiceError, type SparseVector, type SparseVectorParams } from '@sextant/contracts-vector';
import type { RowSet, SparseComponents, StorageReader } from '@sextant/vector-storage';
import { vectorLabel } from '../../model/collection-config.ts';
import type { SparseCounts, SparseCountsRequest, WeighedQuery } from '../../model/requests.ts';
import { returnedSparse, type SparseSchema, storedSparse } from '../../model/sparse-vectors.ts';
import { schemaNamed } from '../../model/vectors.ts';
import { RowFilter } from '../matching/row-filter.ts';
import { createPacer, type Pacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';

/** For who compares vectors beyond a search. */
export async function weighted(view: CollectionView, { using, vector, params }: WeighedQuery): Promise<SparseVector> {
  const { kind, schema } = schemaNamed(view, using);
  if (kind !== 'sparse') return vector;
  const query = storedSparse(vector);
  return returnedSparse(await weightedQuery(view, schema, { query, idf: params?.idf, pacer: createPacer(view.clock) }));
}

/** Statistics that nothing would use are a mistake of the caller's: a filter of a corpus, for example, beside a dense vector. */
export function refuseUnusedIdf(
  name: string,
  { params, modifier }: { readonly params: SearchParams | null | undefined; readonly modifier: SparseVectorParams['modifier'] | undefined },
): void {
  if (params?.idf == null || modifier === 'idf') return;
  throw new ServiceError('invalid_request', {
    reason:
      `params.idf: needs a sparse vector with the modifier \`idf\`, which vector ${vectorLabel(name)} is not; ` +
      'leave it out or search by such a vector',
  });
}

export async function weightedQuery(
  view: CollectionView,
  schema: SparseSchema,
  { query, idf, pacer }: { readonly query: SparseComponents; readonly idf: SearchParams['idf']; readonly pacer: Pacer },
): Promise<SparseComponents> {
  if (schema.params.modifier !== 'idf') return query;
  return byRarity(query, await countsOf(view, schema, { indices: query.indices, idf, pacer }));
}

/** What the rarity of components is computed from, for who adds up those of several shards. */
export async function sparseCounts(view: CollectionView, { using, indices, params }: SparseCountsRequest): Promise<SparseCounts> {
  const { kind, schema } = schemaNamed(view, using);
  if (kind !== 'sparse') return { vectors: 0, having: indices.map(() => 0) };
  return countsOf(view, schema, { indices, idf: params?.idf, pacer: createPacer(view.clock) });
}

/** @param counts of the components of the query, in their order */
export function byRarity({ indices, values }: SparseComponents, { vectors, having }: SparseCounts): SparseComponents {
  return { indices, values: values.map((value, at) => value * rarity({ vectors, having: having[at] ?? 0 })) };
}

async function countsOf(
  view: CollectionView,
  { ordinal }: SparseSchema,
  { indices, idf, pacer }: { readonly indices: Iterable<number>; readonly idf: SearchParams['idf']; readonly pacer: Pacer },
): Promise<SparseCounts> {
  const { storage } = view;
  const corpus = idf == null || idf === 'global' ? undefined : (await new RowFilter(view, idf.corpus).rows(pacer)).set;
  const having: number[] = [];
  for (const index of indices) {
    having.push(corpus === undefined ? storage.countSparse(ordinal, index) : countWithin(storage, ordinal, index, corpus));
    if (corpus !== undefined && pacer.due()) await pacer.pause();
  }
  return { vectors: storage.countSparseVectors(ordinal, corpus), having };
}

function rarity({ vectors, having }: { readonly vectors: number; readonly having: number }): number {
  // Counts that were read while points were written may not be of one state.
  const without = Math.max(0, vectors - having);
  return Math.log(1 + (without + 0.5) / (having + 0.5));
}

function countWithin(storage: StorageReader, ordinal: number, index: number, within: RowSet): number {
  let count = 0;
  storage.visitSparse(ordinal, index, { fromRow: 0, toRow: within.bound }, ({ fromRow, rows }) => {
    for (const row of rows) count += Number(within.has(fromRow + row));
  });
  return count;
}
