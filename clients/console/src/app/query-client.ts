import { QueryClient } from '@tanstack/react-query';

/** The SDK retries what is worth it; a second layer would only keep a failure from being seen. */
export const queryClient = new QueryClient({
  defaultOptions: { queries: { retry: false, staleTime: 5_000, refetchOnWindowFocus: true } },
});
