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

export type RecordMaker = (row: number, point: StoredPoint) => PointRecord & { readonly payloadText?: string };

/** Checks once what a request wants of each point. */
export function recordMaker(view: CollectionView, shape: RecordShape): RecordMaker {
  const withPayload = shape.with_payload ?? false;
  const withVector = shape.with_vector ?? false;
  const isText = withPayload === true && shape.payloadAs === 'text';
  const select = compileSelection(isText ? false : withPayload);
  const spaces = Array.isArray(withVector) ? withVector.map((name) => spaceNamed(view.spaces, name)) : view.spaces;
  return (row, point) => {
    const payload = withPayload === false || isText ? undefined : select(storedPayload(point));
    return {
      id: point.id,
      ...(payload === undefined ? {} : { payload }),
      ...(isText ? { payloadText: point.payload } : {}),
      ...(withVector === false ? {} : { vector: returnedVectors(spaces, (ordinal) => view.storage.vector(ordinal, row)) }),
    };
  };
}

export function storedPayload(point: StoredPoint): Payload {
  // Written by this package as the text of an object; the only shape that a payload has.
  return parseJson(point.payload) as Payload;
}
