/** Points of a write, from either of the forms that they are sent in. */
import {
  type BodyOf,
  normalisePointId,
  type PointId,
  type PointInput,
  type PointVectors,
  ServiceError,
  type VectorInput,
} from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { namedVector, type RawVector, vectorInput } from './vector-input.ts';

type UpsertBody = BodyOf<'upsert_points'>;
type Batch = Extract<UpsertBody, { batch: unknown }>['batch'];
type RawPoint = BodyOf<'update_vectors'>['points'][number];

export function pointInputs(body: UpsertBody): readonly PointInput[] {
  if ('batch' in body) return pointsOfBatch(body.batch);
  const points = body.points.map((point) => {
    const { payload } = point;
    return { ...pointVectors(point), ...(payload === undefined ? {} : { payload }) };
  });
  refuseDuplicates(points, (position) => `points[${position}].id`);
  return points;
}

export function vectorsOfPoints(body: BodyOf<'update_vectors'>): readonly PointVectors[] {
  const points = body.points.map(pointVectors);
  refuseDuplicates(points, (position) => `points[${position}].id`);
  return points;
}

function pointVectors(point: RawPoint): PointVectors {
  const raw = point.vector ?? point.vectors;
  assert(raw !== undefined, 'the schema wants one of the two spellings');
  return { id: normalisePointId(point.id), vector: vectorInput(raw) };
}

/** One column of ids, one (or one for each name) of vectors, one of payloads; the schema holds their lengths equal. */
function pointsOfBatch({ ids, vectors, payloads }: Batch): readonly PointInput[] {
  const points = ids.map((id, position): PointInput => {
    const payload = payloads?.[position];
    return {
      id: normalisePointId(id),
      vector: vectorAt(vectors, position),
      ...(payload === undefined || payload === null ? {} : { payload }),
    };
  });
  refuseDuplicates(points, (position) => `batch.ids[${position}]`);
  return points;
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

/** Which of two points of one id would win is not for chance to say. */
function refuseDuplicates(points: readonly { readonly id: PointId }[], place: (position: number) => string): void {
  const positions = new Map<PointId, number>();
  for (const [position, { id }] of points.entries()) {
    const earlier = positions.get(id);
    if (earlier !== undefined) {
      const reason = `${place(position)}: the id ${id} is already at ${place(earlier)}; give each id once`;
      throw new ServiceError('invalid_request', { reason });
    }
    positions.set(id, position);
  }
}
