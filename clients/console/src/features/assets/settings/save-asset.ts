import type { UpdateAsset } from '@sextant/sdk';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { refreshAsset } from '../../../data/assets/queries.ts';
import { useServices } from '../../../data/services/services.tsx';

type Place = { readonly id: string; readonly project_id: number };

/** Changes an asset; what is shown of it is read again. */
export function useSaveAsset({ id, project_id: projectId }: Place) {
  const { observability } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change: UpdateAsset) => observability.updateAsset({ project_id: projectId, asset_id: id, ...change }),
    onSuccess: () => refreshAsset(queries, id),
  });
}
