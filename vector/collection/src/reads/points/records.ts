// SPDX-License-Identifier: Apache-2.0
/** Stored points on their way out: payload and vectors as the request wants them. */
import type { PointRecord, WithPayload, WithVector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { DamagedError, type PointHead, type StoredPoint } from '@sextant/vector-storage';
import type { PayloadForm } from '../../model/requests.ts';
import { returnedVectors, schemaNamed, type VectorSchemas } from '../../model/vectors.ts';
import { compileSelection } from '../../payload/payload-selection.ts';
import { storedPayload } from '../matching/filter-point.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { multiVectorOf, sparseVectorOf, vectorOf } from './vector-of.ts';

export type RecordShape = {
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
} & PayloadForm;

type Writable<Shape> = { -readonly [Name in keyof Shape]: Shape[Name] };

type StoredRecord = PointRecord & { readonly payloadText?: string };

/** The point's payload is there where the request wants any of it. */
export type RecordMaker = (row: number, point: PointHead & Partial<StoredPoint>) => StoredRecord;

/** Checks once what a request wants of each point. */
export function recordMaker(view: CollectionView, shape: RecordShape): RecordMaker {
  const withPayload = shape.with_payload ?? false;
  const withVector = shape.with_vector ?? false;
  const isText = withPayload === true && shape.payloadAs === 'text';
  const select = compileSelection(isText ? false : withPayload);
  const schemas = Array.isArray(withVector) ? schemasNamed(view, withVector) : view;
  const addPayload = (record: Writable<StoredRecord>, point: PointHead & Partial<StoredPoint>) => {
    assert(point.payload !== undefined, 'a point whose payload is wanted was read with it');
    const stored = { id: point.id, payload: point.payload };
    const payload = isText ? undefined : select(storedPayload(stored));
    if (payload !== undefined) record.payload = payload;
    if (isText) record.payloadText = checkedText(stored);
  };
  const dense = new Map(schemas.spaces.map((schema) => [schema.ordinal, schema]));
  const multi = new Map(schemas.multi.map((schema) => [schema.ordinal, schema]));
  const sparse = new Map(schemas.sparse.map((schema) => [schema.ordinal, schema]));
  const vectorIn = (ordinal: number, row: number, { id }: PointHead) => {
    const [one, several] = [dense.get(ordinal), multi.get(ordinal)];
    if (one !== undefined) return vectorOf(view, one, { id, row });
    return several && multiVectorOf(view, several, { id, row });
  };
  const sparseVectorIn = (ordinal: number, row: number, { id }: PointHead) => {
    const schema = sparse.get(ordinal);
    return schema && sparseVectorOf(view, schema, { id, row });
  };
  return (row, point) => {
    // Member by member: this runs for every hit, and each spread would cost as much as the rest of it.
    const record: Writable<StoredRecord> = { id: point.id };
    if (withPayload !== false) addPayload(record, point);
    if (withVector !== false) {
      record.vector = returnedVectors(schemas, {
        vector: (ordinal) => vectorIn(ordinal, row, point),
        sparseVector: (ordinal) => sparseVectorIn(ordinal, row, point),
      });
    }
    return record;
  };
}

function schemasNamed(schemas: VectorSchemas, names: readonly string[]): VectorSchemas {
  const named = names.map((name) => schemaNamed(schemas, name));
  return {
    spaces: named.flatMap(({ kind, schema }) => (kind === 'dense' ? [schema] : [])),
    multi: named.flatMap(({ kind, schema }) => (kind === 'multi' ? [schema] : [])),
    sparse: named.flatMap(({ kind, schema }) => (kind === 'sparse' ? [schema] : [])),
  };
}

/** A payload that is passed on unread would spoil the whole answer if it were no JSON. */
function checkedText({ id, payload }: Pick<StoredPoint, 'id' | 'payload'>): string {
  try {
    JSON.parse(payload);
    return payload;
  } catch (cause) {
    throw new DamagedError(`the payload of point ${id}`, { cause });
  }
}
