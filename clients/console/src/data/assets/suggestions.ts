// SPDX-License-Identifier: Apache-2.0
/** What scans propose of an asset: cells that look wrong, and rules that could be monitors. Their keys stand below that of the asset. */
import type { ObservabilityClient, WrongCell } from '@sextant/sdk';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { refreshMonitors } from '../monitors.ts';
import { queryClient } from '../services/query-client.ts';
import { useServices } from '../services/services.ts';

const cellsKey = (assetId: string) => ['observability', 'asset', assetId, 'wrong-cells'];
const rulesKey = (assetId: string) => ['observability', 'asset', assetId, 'suggested-rules'];

export function wrongCells(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: cellsKey(assetId),
    queryFn: ({ signal }) => client.listWrongCells({ asset_id: assetId }, { signal }),
  });
}

export function suggestedRules(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: rulesKey(assetId),
    queryFn: ({ signal }) => client.listSuggestedRules({ asset_id: assetId }, { signal }),
  });
}

export type CellVerdict = WrongCell['verdict'];

/** Says of a proposed cell whether it is wrong, or takes that back. */
export function useCellVerdict(assetId: string) {
  const { observability } = useServices();
  return useMutation({
    mutationFn: ({ id, verdict }: { readonly id: string; readonly verdict: CellVerdict }) =>
      observability.putCellVerdict({ asset_id: assetId, cell_id: id, verdict }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: cellsKey(assetId) }),
  });
}

/** Makes a suggested rule a monitor. */
export function useAcceptRule(assetId: string) {
  const { observability } = useServices();
  return useMutation({
    mutationFn: (id: string) => observability.acceptSuggestedRule({ asset_id: assetId, rule_id: id }),
    onSuccess: async () => {
      await Promise.all([queryClient.invalidateQueries({ queryKey: rulesKey(assetId) }), refreshMonitors(assetId)]);
    },
  });
}
