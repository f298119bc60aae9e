// SPDX-License-Identifier: Apache-2.0
import { useQuery } from '@tanstack/react-query';
import { queryClient, VECTOR_KEY } from '../../data/services/query-client.ts';
import type { SearchForm } from './search-form.ts';

export type PastSearch = { readonly form: SearchForm; readonly hits: number; readonly milliseconds: number };

const KEPT = 12;

/** The latest searches of a collection, newest first: in the memory of the page alone, forgotten with the credential that made them. */
export function useHistory(collection: string) {
  const queryKey = [...VECTOR_KEY, 'searches', collection];
  const { data } = useQuery<readonly PastSearch[]>({
    queryKey,
    queryFn: () => [],
    initialData: [],
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  });
  const add = (search: PastSearch) => {
    queryClient.setQueryData<readonly PastSearch[]>(queryKey, (before = []) => {
      const text = JSON.stringify(search.form);
      return [search, ...before.filter(({ form }) => JSON.stringify(form) !== text)].slice(0, KEPT);
    });
  };
  return { past: data, add };
}
