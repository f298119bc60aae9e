// SPDX-License-Identifier: Apache-2.0
/** Which points a write is about. */
import { type Filter, normalisePointId, type PointId, type PointSelector } from '@sextant/contracts-vector';
import { assert } from '@sextant/foundation-std';
import { normaliseFilter } from './normalise-filter.ts';

type RawSelector = { readonly points?: readonly PointId[] | null; readonly filter?: Filter | null };

export function pointSelector({ points, filter }: RawSelector): PointSelector {
  if (points !== undefined && points !== null) return { points: points.map(normalisePointId) };
  assert(filter !== undefined && filter !== null, 'the schema wants points or a filter');
  return { filter: normaliseFilter(filter) };
}
