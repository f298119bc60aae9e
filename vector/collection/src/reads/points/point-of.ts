// SPDX-License-Identifier: Apache-2.0
/** The point that an id leads to. */
import type { PointId } from '@sextant/contracts-vector';
import { comparePointIds, DamagedError, type StorageReader, type StoredPoint } from '@sextant/vector-storage';

/** @param row the row of the id, read from the same snapshot: there is the point, or the store is damaged */
export function pointOf(storage: Pick<StorageReader, 'point'>, id: PointId, row: number): StoredPoint {
  const point = pointIn(storage, id, row);
  if (point === undefined) throw new DamagedError(`point ${id}, which is missing in its row ${row},`);
  if (comparePointIds(point.id, id) !== 0) throw new DamagedError(`point ${id}, whose row ${row} has another point,`);
  return point;
}

function pointIn(storage: Pick<StorageReader, 'point'>, id: PointId, row: number): StoredPoint | undefined {
  try {
    return storage.point(row);
  } catch (cause) {
    // Storage knows the row alone.
    throw cause instanceof DamagedError ? new DamagedError(`point ${id}, in row ${row},`, { cause }) : cause;
  }
}
