/** Points by id; ids that the collection does not have are passed over. */
import type { PointRecord, RetrieveRequest } from '@sextant/contracts-vector';
import type { CollectionView } from '../collection-view.ts';
import { createPacer } from '../pacer.ts';
import { recordMaker } from './records.ts';

export async function retrieve(view: CollectionView, request: RetrieveRequest): Promise<readonly PointRecord[]> {
  const record = recordMaker(view, { with_payload: request.with_payload ?? true, with_vector: request.with_vector });
  const pacer = createPacer(view.clock);
  const records: PointRecord[] = [];
  for (const id of request.ids) {
    const row = view.storage.rowOf(id);
    const point = row === undefined ? undefined : view.storage.point(row);
    if (row !== undefined && point !== undefined) records.push(record(row, point));
    if (pacer.due()) await pacer.pause();
  }
  return records;
}
