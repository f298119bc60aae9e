// SPDX-License-Identifier: Apache-2.0
import type { ObservabilityClient } from '@sextant/sdk';
import { keepPreviousData, queryOptions } from '@tanstack/react-query';

/** The newest ones. */
export function backgroundErrors(client: ObservabilityClient, limit: number) {
  return queryOptions({
    queryKey: ['observability', 'background-errors', limit],
    queryFn: ({ signal }) => client.listBackgroundErrors({ limit }, { signal }),
    placeholderData: keepPreviousData,
  });
}
