/** Stored points on their way out: payload and vectors as the request wants them. */
import type { Payload, PointRecord, WithPayload, WithVector } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';
import type { StoredPoint } from '@sextant/vector-storage';
import type { CollectionView } from '../collection-view.ts';
import type { PayloadForm } from '../engine.ts';
import { compileSelection } from '../payload/payload-selection.ts';
import { returnedVectors, spaceNamed } from '../vectors.ts';

export type RecordShape = {
  readonly with_payload?: WithPayload | null | undefined;
  readonly with_vector?: WithVector | null | undefined;
} & PayloadForm;

type StoredRecord = PointRecord & { readonly payloadText?: string };

export type RecordMaker = (row: number, point: StoredPoint) => StoredRecord;

/** Checks once what a request wants of each point. */
export function recordMaker(view: CollectionView, shape: RecordShape): RecordMaker {
  const withPayload = shape.with_payload ?? false;
  const withVector = shape.with_vector ?? false;
  const isText = withPayload === true && shape.payloadAs === 'text';
  const select = compileSelection(isText ? false : withPayload);
  const spaces = Array.isArray(withVector) ? withVector.map((name) => spaceNamed(view.spaces, name)) : view.spaces;
  return (row, point) => {
    // Member by member: this runs for every hit, and each spread would cost as much as the rest of it.
    const record: { -readonly [Name in keyof StoredRecord]: StoredRecord[Name] } = { id: point.id };
    const payload = withPayload === false || isText ? undefined : select(storedPayload(point));
    if (payload !== undefined) record.payload = payload;
    if (isText) record.payloadText = point.payload;
    if (withVector !== false) record.vector = returnedVectors(spaces, (ordinal) => view.storage.vector(ordinal, row));
    return record;
  };
}

export function storedPayload(point: StoredPoint): Payload {
  // Written by this package as the text of an object; the only shape that a payload has.
  return parseJson(point.payload) as Payload;
}
