// SPDX-License-Identifier: Apache-2.0
import type { Incident } from '@sextant/contracts-observability';
import type { ObservabilityApi } from '../observability-api.ts';

/** The open incidents of one asset. */
export async function openIncidents(api: ObservabilityApi, assetId: string): Promise<readonly Incident[]> {
  const incidents = await api.call('list_incidents', {});
  return incidents.filter(({ asset_id, status }) => asset_id === assetId && status === 'OPEN');
}
