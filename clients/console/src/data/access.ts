import { AuthenticationError, VectorClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';

/** Whether requests without a credential are refused. The service says it to whoever asks for something without one. */
export function enforced({ url }: VectorClient) {
  return queryOptions({
    queryKey: ['vector', 'enforced'],
    queryFn: async ({ signal }) => {
      try {
        await new VectorClient({ url }).listCollections({ signal });
        return false;
      } catch (error) {
        if (error instanceof AuthenticationError) return true;
        throw error;
      }
    },
  });
}
