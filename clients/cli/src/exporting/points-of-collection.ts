// SPDX-License-Identifier: Apache-2.0
/** The points of a collection, page by page, so many at a time that a page has a few megabytes. */
import type { Collection, Filter, JsonObject, TypedRecord } from '@sextant/sdk';
import { LONG_WORK } from '../connection/clients.ts';
import type { VectorSpace } from '../points/vector-spaces.ts';

export type ExportSelection = {
  readonly filter: Filter | undefined;
  readonly limit: number | undefined;
  readonly withPayload: boolean;
  readonly withVector: boolean;
};

export type ExportedPoint = TypedRecord<JsonObject>;

const PAGE_MAX = 1000;
const PAGE_COMPONENTS = 250_000;

/** One page at a time; none is asked for before the one before it has been used up. */
export async function* pagesOf(
  collection: Collection,
  spaces: readonly VectorSpace[],
  { filter, limit, withPayload, withVector }: ExportSelection,
  signal: AbortSignal,
): AsyncGenerator<readonly ExportedPoint[]> {
  const components = withVector ? spaces.reduce((sum, { size }) => sum + (size ?? 1000), 1) : 1;
  const pageSize = Math.max(1, Math.min(PAGE_MAX, Math.floor(PAGE_COMPONENTS / components)));
  let left = limit ?? Number.POSITIVE_INFINITY;
  let offset: ExportedPoint['id'] | null = null;
  do {
    const page: Awaited<ReturnType<typeof collection.scrollPage>> = await collection.scrollPage(
      {
        limit: Math.min(pageSize, left),
        with_payload: withPayload,
        with_vector: withVector,
        ...(filter !== undefined && { filter }),
        ...(offset !== null && { offset }),
      },
      { ...LONG_WORK, signal },
    );
    yield page.points;
    left -= page.points.length;
    offset = page.next_page_offset;
  } while (offset !== null && left > 0);
}
