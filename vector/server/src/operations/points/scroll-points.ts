// SPDX-License-Identifier: Apache-2.0
import { normalisePointId, ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { boundAnswer } from './answer-size.ts';
import { optionalFilter } from './normalise-filter.ts';
import { presentRecords, shown } from './present.ts';

/** The published default. */
const LIMIT = 10;

export const scrollPoints = operation('scroll_points', async ({ engine }, { params, body = {} }) => {
  const { offset, order_by: orderBy } = body;
  if (present(offset) && present(orderBy)) {
    const reason =
      'offset: cannot be combined with order_by; continue with order_by.start_from and a filter that excludes the ids already seen';
    throw new ServiceError('invalid_request', { reason });
  }
  const page = { limit: body.limit ?? LIMIT, ...shown(body, { payload: true }) };
  await boundAnswer(engine, params.collection_name, [page]);
  const { points, next_page_offset } = await engine.scroll(params.collection_name, {
    ...page,
    ...(present(offset) ? { offset: normalisePointId(offset) } : {}),
    ...(present(orderBy) ? { order_by: orderBy } : {}),
    ...optionalFilter(body.filter),
    shard_key: body.shard_key ?? null,
  });
  return { points: await presentRecords(points), next_page_offset };
});

function present<T>(member: T | null | undefined): member is T {
  return member !== null && member !== undefined;
}
