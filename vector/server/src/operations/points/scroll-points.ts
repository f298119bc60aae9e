import { normalisePointId, ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { optionalFilter } from './normalise-filter.ts';
import { presentRecord, shown } from './present.ts';

/** The published default. */
const LIMIT = 10;

export const scrollPoints = operation('scroll_points', async ({ engine }, { params, body = {} }) => {
  const { offset, order_by: orderBy } = body;
  if (present(offset) && present(orderBy)) {
    const reason =
      'offset: cannot be combined with order_by; continue with order_by.start_from and a filter that excludes the ids already seen';
    throw new ServiceError('invalid_request', { reason });
  }
  const { points, next_page_offset } = await engine.scroll(params.collection_name, {
    limit: body.limit ?? LIMIT,
    ...(present(offset) ? { offset: normalisePointId(offset) } : {}),
    ...(present(orderBy) ? { order_by: orderBy } : {}),
    ...optionalFilter(body.filter),
    ...shown(body, { payload: true }),
  });
  return { points: points.map(presentRecord), next_page_offset };
});

function present<T>(member: T | null | undefined): member is T {
  return member !== null && member !== undefined;
}
