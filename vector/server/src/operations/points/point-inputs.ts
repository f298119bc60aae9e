// SPDX-License-Identifier: Apache-2.0
/** Points of a write, from either of the forms that they are sent in. */
import { type BodyOf, normalisePointId, type PointInput, type PointVectors, type VectorInput } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { namedVector, type RawVector, vectorInput } from './vector-input.ts';

type UpsertBody = BodyOf<'upsert_points'>;
type Batch = Extract<UpsertBody, { batch: unknown }>['batch'];
type RawPoint = BodyOf<'update_vectors'>['points'][number];

export function pointInputs(body: UpsertBody): readonly PointInput[] {
  if ('batch' in body) return pointsOfBatch(body.batch);
  return body.points.map((point) => {
    const { payload } = point;
    return { ...pointVectors(point), ...(payload === undefined ? {} : { payload }) };
  });
}

export function vectorsOfPoints(body: BodyOf<'update_vectors'>): readonly PointVectors[] {
  return body.points.map(pointVectors);
}

function pointVectors(point: RawPoint): PointVectors {
  const raw = point.vector ?? point.vectors;
  assert(raw !== undefined, 'the schema wants one of the two spellings');
  return { id: normalisePointId(point.id), vector: vectorInput(raw) };
}

/** One column of ids, one (or one for each name) of vectors, one of payloads; the schema holds their lengths equal. */
function pointsOfBatch({ ids, vectors, payloads }: Batch): readonly PointInput[] {
  return ids.map((id, position): PointInput => {
    const payload = payloads?.[position];
    return {
      id: normalisePointId(id),
      vector: vectorAt(vectors, position),
      ...(payload === undefined || payload === null ? {} : { payload }),
    };
  });
}

type Column = Extract<Batch['vectors'], readonly unknown[]>[number];

function vectorAt(columns: Batch['vectors'], position: number): VectorInput {
  if (Array.isArray(columns)) return vectorInput(cell<Column>(columns, position));
  const named = Object.entries(columns as { readonly [name: string]: readonly RawVector[] });
  return Object.fromEntries(named.map(([name, column]) => [name, namedVector(cell(column, position))]));
}

function cell<Vector extends RawVector>(column: readonly Vector[], position: number): Vector {
  const vector = column[position];
  assert(vector !== undefined, 'the schema holds the columns of a batch to one length');
  return vector;
}
