// SPDX-License-Identifier: Apache-2.0
/** Stored points as filters look at them. */
import type { Payload } from '@sextant/contracts-vector';
import { parseJson } from '@sextant/foundation-std';
import { DamagedError, type StoredPoint } from '@sextant/vector-storage';
import type { FilterPoint } from '../../filter/evaluate.ts';
import { hasVector, knownSchema } from '../../model/vectors.ts';
import type { FilterScope } from './row-filter.ts';

/** The point of a row, as filters look at it. Its payload is parsed when one does. */
export function filterable(scope: FilterScope, row: number, point: StoredPoint): FilterPoint {
  return {
    id: point.id,
    get payload() {
      return storedPayload(point);
    },
    hasVector: (name) => {
      const known = knownSchema(scope, name);
      return known !== undefined && hasVector(scope.storage, row, known);
    },
  };
}

export function storedPayload({ id, payload }: Pick<StoredPoint, 'id' | 'payload'>): Payload {
  try {
    // Written by this package as the text of an object; the only shape that a payload has.
    return parseJson(payload) as Payload;
  } catch (cause) {
    throw new DamagedError(`the payload of point ${id}`, { cause });
  }
}
