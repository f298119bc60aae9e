import { ApiError } from '@sextant/sdk';
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query';

/** Whoever is refused may have another role than a moment ago, and the screen should say so. */
function onError(error: unknown): void {
  if (error instanceof ApiError && error.code === 'role_too_small')
    void queryClient.invalidateQueries({ queryKey: ['observability', 'own-user'] });
}

/** The SDK retries what is worth it; a second layer would only keep a failure from being seen. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
});
