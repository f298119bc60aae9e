// SPDX-License-Identifier: Apache-2.0
/** Whether a service refuses writes because its disk is full, in its own words; null while it takes them. */
import type { ObservabilityClient, VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

const CALM_MS = 15_000;
/** The vector service says so in a text that begins with its readiness. */
const READ_ONLY = /; read-only: (.*)$/;

export function vectorReadOnly(vector: VectorClient) {
  return queryOptions({
    queryKey: ['readiness', 'vector'],
    queryFn: async () => READ_ONLY.exec(await vector.ready())?.[1] ?? null,
    refetchInterval: CALM_MS,
  });
}

export function observabilityReadOnly(observability: ObservabilityClient) {
  return queryOptions({
    queryKey: ['readiness', 'observability'],
    queryFn: async () => (await observability.readyz()).read_only ?? null,
    refetchInterval: CALM_MS,
  });
}
