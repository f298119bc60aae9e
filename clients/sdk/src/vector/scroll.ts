// SPDX-License-Identifier: Apache-2.0
/** Points in pages, in the order of their ids. Each page is requested when the previous one has been consumed. */
import type { PointId, ScrollPoints } from '../contract/vector-types.ts';

/** Pages ordered by a payload key have no offset of a next page; read them with `scrollPage`. */
export type ScrollAll = Omit<ScrollPoints, 'order_by'>;

type Page<Point> = { readonly points: readonly Point[]; readonly next_page_offset: PointId | null };

export async function* scrollPages<Point>(
  request: ScrollAll,
  read: (request: ScrollPoints) => Promise<Page<Point>>,
): AsyncGenerator<Point, void> {
  let offset = request.offset ?? null;
  do {
    const page = await read({ ...request, ...(offset !== null && { offset }) });
    yield* page.points;
    offset = page.next_page_offset;
  } while (offset !== null);
}
