// SPDX-License-Identifier: Apache-2.0
/**
 * Which groups of endpoints the service has switched on, as it tells the console beside the console's own files. To ask the endpoints themselves
 * would be reported as an error by the browser.
 */
import type { VectorClient } from '@sextant/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useServices } from '../services/services.ts';

function servedGroups({ url }: VectorClient) {
  return queryOptions({
    queryKey: ['vector', 'capabilities'],
    queryFn: async ({ signal }) => {
      const response = await fetch(`${url}/console/capabilities`, { signal });
      return response.ok ? capabilitiesOf(await response.json()) : [];
    },
    // It changes with a restart of the service alone.
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Undefined until it is known. */
export function useIsServed(group: 'aliases' | 'snapshots' | 'recovery' | 'status'): boolean | undefined {
  const { vector } = useServices();
  const { data } = useQuery(servedGroups(vector));
  return data?.includes(group);
}

/** What the service says that it has switched on; nothing, where it says something else. */
export function capabilitiesOf(answer: unknown): readonly string[] {
  const listed: unknown = typeof answer === 'object' && answer !== null && 'capabilities' in answer ? answer.capabilities : undefined;
  return Array.isArray(listed) ? listed.filter((each) => typeof each === 'string') : [];
}
