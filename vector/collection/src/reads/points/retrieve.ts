// SPDX-License-Identifier: Apache-2.0
/** Points by id; ids that the collection does not have are passed over. */
import type { PointId, PointRecord, RetrieveRequest } from '@sextant/contracts-vector';
import { comparePointIds, DamagedError, type StorageReader, type StoredPoint } from '@sextant/vector-storage';
import { createPacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { recordMaker } from './records.ts';

export async function retrieve(view: CollectionView, request: RetrieveRequest): Promise<readonly PointRecord[]> {
  const record = recordMaker(view, { with_payload: request.with_payload ?? true, with_vector: request.with_vector });
  const pacer = createPacer(view.clock);
  const records: PointRecord[] = [];
  for (const id of request.ids) {
    const row = view.storage.rowOf(id);
    if (row !== undefined) records.push(record(row, pointOf(view.storage, id, row)));
    if (pacer.due()) await pacer.pause();
  }
  return records;
}

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
