// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '@sextant/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Every query of a service has a key that begins with the service, so that another credential or sign-in forgets all of them. */
export const VECTOR_KEY = ['vector'] as const;
export const OBSERVABILITY_KEY = ['observability'] as const;

type RefusalListener = (error: ApiError) => void;

const listeners = new Set<RefusalListener>();

/** Calls back at every refusal of a service, whichever screen sent the request. Returns a function that stops it. */
export function onRefusal(listener: RefusalListener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function onError(error: unknown): void {
  if (error instanceof ApiError) for (const listener of listeners) listener(error);
}

/**
 * The SDK retries what is worth it; a second layer would only keep a failure from being seen. The services may be on this machine, where a browser
 * without a network reaches them all the same: it is asked, never guessed.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    queries: { networkMode: 'always', retry: false, staleTime: 5_000, refetchOnWindowFocus: true },
    mutations: { networkMode: 'always' },
  },
});

// Whoever is refused may have another role than a moment ago, and the screen should say so.
onRefusal(({ code }) => {
  if (code === 'role_too_small') void queryClient.invalidateQueries({ queryKey: ['observability', 'own-user'] });
});

/** Makes what reads all queries again whose keys begin with one. */
export function refreshing(queryKey: readonly string[]): () => Promise<void> {
  return () => queryClient.invalidateQueries({ queryKey });
}
