// SPDX-License-Identifier: Apache-2.0
/** Points drawn at random, each at most once. */
import type { PointRecord, SampleRequest } from '@sextant/contracts-vector';
import { hasVector, schemaNamed } from '../../model/vectors.ts';
import { RowFilter } from '../matching/row-filter.ts';
import { createPacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';
import { recordMaker } from './records.ts';

export async function sample(view: CollectionView, request: SampleRequest): Promise<readonly PointRecord[]> {
  const pacer = createPacer(view.clock);
  const { having } = request;
  const vector = having === undefined ? undefined : schemaNamed(view, having);
  const filter = request.filter == null ? undefined : new RowFilter(view, request.filter);
  const rows = ((await filter?.rows(pacer))?.set ?? view.storage.rows()).toArray();
  const record = recordMaker(view, request);
  const records: PointRecord[] = [];
  // Fisher-Yates, stopped as soon as enough points are drawn.
  for (let drawn = 0; drawn < rows.length && records.length < request.limit; drawn++) {
    const other = drawn + view.random.integer(rows.length - drawn);
    const row = rows[other] ?? 0;
    rows[other] = rows[drawn] ?? 0;
    if (pacer.due()) await pacer.pause();
    if (vector !== undefined && !hasVector(view.storage, row, vector)) continue;
    const point = view.storage.point(row);
    if (point !== undefined && (filter?.passes(row, point) ?? true)) records.push(record(row, point));
  }
  return records;
}
