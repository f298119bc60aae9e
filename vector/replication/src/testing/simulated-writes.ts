// SPDX-License-Identifier: Apache-2.0
/** What clients of a simulation write, and what it does to the register that a point is. */
import type { Random } from '@sextant/foundation-std';
import type { RegisterAction } from '@sextant/foundation-testing';
import type { PointOperation } from '@sextant/vector-collection';

type Written = { readonly id: number; readonly value: number; readonly random: Random };

export function randomWrite(
  collection: string,
  { id, value, random }: Written,
): { readonly action: RegisterAction; readonly operation: PointOperation } {
  const points = [{ id, vector: [value], payload: {} }];
  switch (random.integer(4)) {
    case 0:
      return {
        action: { kind: 'write', value: undefined },
        operation: { kind: 'delete_points', collection, selector: { points: [id] } },
      };
    case 1:
      return {
        action: { kind: 'write_if', expected: undefined, value },
        operation: { kind: 'upsert', collection, points, condition: { mode: 'insert_only' } },
      };
    default:
      return { action: { kind: 'write', value }, operation: { kind: 'upsert', collection, points } };
  }
}
