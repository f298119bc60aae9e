// SPDX-License-Identifier: Apache-2.0
/** Points by id; ids that the collection does not have are passed over. */
import type { PointRecord, RetrieveRequest } from '@sextant/contracts-vector';
import { createPacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { pointOf } from './point-of.ts';
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
