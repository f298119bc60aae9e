// SPDX-License-Identifier: Apache-2.0
/**
 * Nearest points. The kernel answers with rows, and storage says which points they are; between the two, and during a long scan, points may
 * be written. `settle` brings both to one state, and where that leaves the answer in doubt, the request runs again.
 */
import type { NearestRequest } from '@sextant/contracts-vector';
import { hnswOf } from '../model/collection-config.ts';
import type { Hit, PayloadForm, WeighedForm } from '../model/requests.ts';
import { denseFor, passesThreshold, type SpaceSchema, schemaNamed, storedVector } from '../model/vectors.ts';
import { nearestRows } from './dense/nearest-rows.ts';
import { type Settling, settle } from './dense/settle.ts';
import { RowFilter } from './matching/row-filter.ts';
import { nearestMulti } from './multi/nearest-multi.ts';
import { createPacer } from './pacer.ts';
import { recordMaker } from './points/records.ts';
import { vectorNamedBy, vectorOf } from './points/vector-of.ts';
import { nearestSparse } from './sparse/nearest-sparse.ts';
import { refuseUnusedIdf } from './sparse/sparse-weights.ts';
import { ATTEMPTS_MAX, SPARE_ROWS } from './stored-search.ts';
import type { CollectionView } from './view/collection-view.ts';

/** @param rowsOf how rows are found; tests choose the way themselves */
export async function nearest(
  view: CollectionView,
  request: NearestRequest & PayloadForm & WeighedForm,
  rowsOf: typeof nearestRows = nearestRows,
): Promise<readonly Hit[]> {
  const { kind, schema } = schemaNamed(view, request.using);
  if (request.params?.idf != null) {
    refuseUnusedIdf(schema.name, { params: request.params, modifier: kind === 'sparse' ? schema.params.modifier : undefined });
  }
  switch (kind) {
    case 'dense':
      return nearestDense(view, schema, request, rowsOf);
    case 'multi':
      return nearestMulti(view, schema, request);
    case 'sparse':
      return nearestSparse(view, schema, request);
  }
}

async function nearestDense(
  view: CollectionView,
  schema: SpaceSchema,
  request: NearestRequest & PayloadForm,
  rowsOf: typeof nearestRows,
): Promise<readonly Hit[]> {
  for (let attempt = 1; ; attempt++) {
    const search = prepare(view, schema, request);
    const { hits, certain } = await settle(search, await rowsOf(search));
    if (!certain && attempt < ATTEMPTS_MAX) continue;
    const { score_threshold: threshold } = request;
    const passing = threshold == null ? hits : hits.filter(({ score }) => passesThreshold(schema.params.distance, score, threshold));
    return passing.slice(request.offset ?? 0);
  }
}

function prepare(view: CollectionView, schema: SpaceSchema, request: NearestRequest & PayloadForm): Settling {
  // Memory first: what it has by now is in the snapshot too.
  const memorySequence = view.gauges.memorySequence;
  view.storage.refresh();
  const { query, row } = queryVector(view, schema, request.vector);
  const wanted = (request.offset ?? 0) + request.limit;
  return {
    view,
    schema,
    reader: view.reader(schema.ordinal),
    query,
    filter: request.filter == null ? undefined : new RowFilter(view, request.filter),
    wanted,
    count: wanted + SPARE_ROWS,
    ef: Math.max(request.params?.hnsw_ef ?? hnswOf(view.config, schema.params).ef_construct, wanted + SPARE_ROWS),
    exact: request.params?.exact === true,
    quantization: request.params?.quantization,
    excludedRow: row,
    memorySequence,
    startSequence: view.storage.sequence,
    pacer: createPacer(view.clock),
    record: recordMaker(view, request),
    needsPayload: request.filter != null || (request.with_payload ?? false) !== false,
  };
}

function queryVector(view: CollectionView, schema: SpaceSchema, vector: NearestRequest['vector']) {
  if (!('id' in vector)) return { query: storedVector(schema.params, denseFor(schema.name, vector)), row: undefined };
  return vectorNamedBy(view, schema, vector.id, vectorOf);
}
