// SPDX-License-Identifier: Apache-2.0
/** What is read of a collection's points: pages, counts, vectors, neighbours. */
import type { Filter, PointId, VectorClient } from '@sextant/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { jsonText } from '../../ui/json.ts';
import type { VectorField } from '../collections/queries.ts';
import { queryClient } from '../services/query-client.ts';

export const PAGE_POINTS = 100;
const NEIGHBOURS = 10;

const pointsKey = (collection: string) => ['vector', 'points', collection];

type PageOfPoints = {
  readonly filter: Filter | undefined;
  /** The id at which the page begins; undefined for the first one. */
  readonly start: PointId | undefined;
};

export function pointPage(vector: VectorClient, collection: string, { filter, start }: PageOfPoints) {
  return queryOptions({
    queryKey: [...pointsKey(collection), filterKey(filter), String(start ?? '')],
    queryFn: ({ signal }) =>
      vector
        .collection(collection)
        .scrollPage(
          { limit: PAGE_POINTS, with_payload: true, ...(filter && { filter }), ...(start !== undefined && { offset: start }) },
          { signal },
        ),
    placeholderData: keepPreviousData,
  });
}

export function pointCount(vector: VectorClient, collection: string, filter: Filter | undefined) {
  return queryOptions({
    queryKey: [...pointsKey(collection), 'count', filterKey(filter)],
    queryFn: ({ signal }) => vector.collection(collection).count(filter === undefined ? {} : { filter }, { signal }),
  });
}

function filterKey(filter: Filter | undefined): string {
  return filter === undefined ? '' : jsonText(filter);
}

/** As they are stored; null where the point has none. */
export function pointVectors(vector: VectorClient, collection: string, id: PointId) {
  return queryOptions({
    queryKey: ['vector', 'vectors', collection, String(id)],
    queryFn: async ({ signal }) => {
      const [found] = await vector.collection(collection).retrieve({ ids: [id], with_vector: true, with_payload: false }, { signal });
      return found?.vector ?? null;
    },
  });
}

/** The nearest points of one in the whole collection. */
export function neighboursOf(vector: VectorClient, collection: string, field: VectorField, id: PointId | undefined) {
  return queryOptions({
    queryKey: ['vector', 'neighbours', collection, field.name, id === undefined ? undefined : String(id)],
    queryFn: ({ signal }) =>
      vector
        .collection(collection)
        .query({ query: id ?? 0, limit: NEIGHBOURS, with_payload: true, ...(field.name !== '' && { using: field.name }) }, { signal }),
    enabled: id !== undefined,
  });
}

export function refreshPoints(collection: string): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: pointsKey(collection) });
}
