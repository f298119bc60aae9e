// SPDX-License-Identifier: Apache-2.0
/** The data quality scores of assets. */
import type { AssetScore, ObservabilityClient } from '@sextant/sdk';
import { queryOptions } from '@tanstack/react-query';
import { queryClient, refreshing } from './services/query-client.ts';

const SCORES_KEY = ['observability', 'scores'];
const configKey = (assetId: string) => ['observability', 'asset', assetId, 'score-config'];

export function scores(client: ObservabilityClient) {
  return queryOptions({ queryKey: SCORES_KEY, queryFn: ({ signal }) => client.listDqScores({ signal }) });
}

/** With the parts that a score is made of, and how it changed. */
export function currentScore(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: [...SCORES_KEY, assetId],
    queryFn: ({ signal }) => client.getDqScoreValue({ asset_id: assetId }, { signal }),
  });
}

/** How the score of an asset is weighed. */
export function scoreConfig(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: configKey(assetId),
    queryFn: ({ signal }) => client.getDqScore({ asset_id: assetId }, { signal }),
  });
}

export const refreshScores = refreshing(SCORES_KEY);

/** After other weights were saved for an asset. */
export async function refreshScoreConfig(assetId: string): Promise<void> {
  await Promise.all([queryClient.invalidateQueries({ queryKey: configKey(assetId) }), refreshScores()]);
}

const BAND_COLOURS = { excellent: 'teal', good: 'green', fair: 'yellow', poor: 'red' } as const;

export function scoreColour({ band }: Pick<AssetScore, 'band'>): string {
  return band === null ? 'gray' : BAND_COLOURS[band];
}
