// SPDX-License-Identifier: Apache-2.0
/** How many points match; always exact, since the exact number is at hand wherever an estimate would be. */
import type { CountRequest, FacetHit, FacetRequest } from '@sextant/contracts-vector';
import { ServiceError } from '@sextant/contracts-vector';
import { facet as facetOfField } from '../../field-index/facet.ts';
import { parseRequestPath } from '../../payload/payload-change.ts';
import { RowFilter } from '../matching/row-filter.ts';
import { createPacer } from '../pacer.ts';
import type { CollectionView } from '../view/collection-view.ts';

const FACET_LIMIT_DEFAULT = 10;

export async function count(view: CollectionView, request: CountRequest): Promise<number> {
  if (request.filter == null) return view.storage.pointCount;
  const rows = await new RowFilter(view, request.filter).rows(createPacer(view.clock));
  return rows.count;
}

/** The values of an indexed field with the number of matching points that have them, most frequent first. */
export async function facet(view: CollectionView, request: FacetRequest): Promise<readonly FacetHit[]> {
  const index = view.fieldIndexes.get(parseRequestPath(request.key, 'key').text);
  if (index === undefined) throw new ServiceError('index_required', { key: request.key, types: 'keyword, integer, bool, uuid' });
  const rows = request.filter == null ? undefined : await new RowFilter(view, request.filter).rows(createPacer(view.clock));
  return facetOfField(index, view.storage, {
    limit: request.limit ?? FACET_LIMIT_DEFAULT,
    ...(rows === undefined ? {} : { rows: rows.set }),
  });
}
