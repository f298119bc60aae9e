// SPDX-License-Identifier: Apache-2.0
/**
 * Distance matrices: points are drawn at random, and each is asked for its nearest among the others. The rows are a batch like one of searches,
 * so a large matrix takes all serving threads and lets other requests run in between.
 */
import { type BodyOf, type KeyedRequest, type MatrixOffsets, type MatrixPair, type PointId, ServiceError } from '@sextant/contracts-vector';
import { MATRIX_DEFAULTS } from '@sextant/contracts-vector/schemas';
import { assert, shortestFloat32 } from '@sextant/foundation-std';
import type { EngineReads } from '@sextant/vector-collection';
import { comparePointIds } from '@sextant/vector-storage';
import { JsonText } from '../json-text.ts';
import { operation, type ReadContext } from '../operation.ts';
import { optionalFilter } from '../points/normalise-filter.ts';
import { type AnswerOne, answerBatch, answerPart, type BatchPart, type PartAnswer } from './batch.ts';

type MatrixBody = BodyOf<'search_matrix_pairs'>;

/** What all rows of a matrix share. */
type Sample = KeyedRequest & { readonly ids: readonly PointId[]; readonly using?: string; readonly limit: number };

/** A row as it comes from a thread: the positions of the nearest in the sample, and their scores. */
type Row = readonly [columns: readonly number[], scores: readonly (number | null)[]];

export const searchMatrixPairs = operation('search_matrix_pairs', async (context, { params, body = {} }) => {
  const { ids, rows } = await matrix(context, params.collection_name, body);
  const idAt = (position: number) => {
    const id = ids[position];
    assert(id !== undefined, 'rows name points of the sample');
    return id;
  };
  const pairs = rows.flatMap(([columns, scores], row) =>
    columns.map((column, at): MatrixPair => ({ a: idAt(row), b: idAt(column), score: scores[at] ?? null })),
  );
  return { pairs };
});

export const searchMatrixOffsets = operation('search_matrix_offsets', async (context, { params, body = {} }): Promise<MatrixOffsets> => {
  const { ids, rows } = await matrix(context, params.collection_name, body);
  return {
    offsets_row: rows.flatMap(([columns], row) => columns.map(() => row)),
    offsets_col: rows.flatMap(([columns]) => columns),
    scores: rows.flatMap(([, scores]) => scores),
    ids,
  };
});

/** Some rows of a matrix that another thread has begun. */
export function matrixPart(engine: EngineReads, { collection, from, searches, common }: BatchPart): Promise<PartAnswer> {
  // Both were made there.
  return answerPart({ from }, searches as readonly PointId[], answerer(engine, collection, common as Sample));
}

async function matrix(
  context: ReadContext,
  collection: string,
  body: MatrixBody,
): Promise<{ ids: readonly PointId[]; rows: readonly Row[] }> {
  const { sample, limit, using, filter, shard_key = null } = { ...body, ...optionalFilter(body?.filter) };
  const space = using == null || using === '' ? {} : { using };
  const drawn = await context.engine.sample(collection, {
    limit: sample ?? MATRIX_DEFAULTS.sample,
    having: using ?? '',
    filter: filter ?? null,
    shard_key,
  });
  // A matrix names points by id, which several keys may have.
  const ids = [...new Set(drawn.map(({ id }) => id))].sort(comparePointIds);
  // One point has nobody to be near to.
  if (ids.length < 2) return { ids: [], rows: [] };
  const common: Sample = { ids, limit: limit ?? MATRIX_DEFAULTS.limit, ...space, shard_key };
  const batch = { operation: 'search_matrix', collection, searches: ids, common } as const;
  const answers = await answerBatch(batch, context, answerer(context.engine, collection, common));
  return { ids, rows: answers.map(({ text }) => JSON.parse(text) as Row) };
}

function answerer(engine: EngineReads, collection: string, { ids, limit, using, shard_key = null }: Sample): AnswerOne<PointId> {
  const positions = new Map(ids.map((id, position) => [id, position]));
  return async (id) => {
    const hits = await engine.neighboursAmong(collection, { id, among: ids, limit, ...(using === undefined ? {} : { using }), shard_key });
    const row: Row = [hits.map((hit) => positionOf(positions, hit.id)), hits.map(({ score }) => finite(score))];
    return new JsonText(JSON.stringify(row));
  };
}

function positionOf(positions: ReadonlyMap<PointId, number>, id: PointId): number {
  const position = positions.get(id);
  if (position === undefined) throw new ServiceError('internal', {}, { cause: new Error(`point ${id} is not in the sample`) });
  return position;
}

/** JSON knows no infinity, which the product of large vectors can be. */
function finite(score: number): number | null {
  return Number.isFinite(score) ? shortestFloat32(score) : null;
}
