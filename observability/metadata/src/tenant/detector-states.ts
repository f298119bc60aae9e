// SPDX-License-Identifier: Apache-2.0
import type { MetricSeries } from '@sextant/contracts-observability';
import { putRow, type TenantScope } from '../database/scope.ts';
import { fromJson, toJson } from '../database/values.ts';
import { requireAsset } from './references.ts';

/** What the learned thresholds keep of one series. */
export type DetectorState = { readonly series: MetricSeries; readonly state: Uint8Array };

export type DetectorStateStore = {
  /** Empty where nothing is kept. */
  readonly list: (assetId: string) => Promise<readonly DetectorState[]>;
  /** In place of all that was kept. @throws MetadataMissing for an unknown asset */
  readonly put: (assetId: string, states: readonly DetectorState[]) => Promise<void>;
};

/** The members of a series and its state in base 64, in an order that is written nowhere else. */
type Row = readonly [string, string, string | null, string | null, string | null, string];

export function detectorStateStore({ tenantId, db, write, own }: TenantScope): DetectorStateStore {
  return {
    list: async (assetId) => {
      const row = await own(db).selectFrom('detector_states').select('states').where('asset_id', '=', assetId).executeTakeFirst();
      return row === undefined ? [] : fromJson<readonly Row[]>(row.states).map(fromRow);
    },
    put: (assetId, states) =>
      write(async (transaction) => {
        await requireAsset(transaction, tenantId, assetId);
        const key = { tenant_id: tenantId, asset_id: assetId };
        await putRow(transaction, 'detector_states', { key, columns: { states: toJson(states.map(toRow)) } });
      }),
  };
}

function toRow({ series, state }: DetectorState): Row {
  const { metric_name, metric_aggregation, attribute, segment, monitor_id } = series;
  return [metric_name, metric_aggregation, attribute, segment, monitor_id, Buffer.from(state).toString('base64')];
}

function fromRow([name, metric_aggregation, attribute, segment, monitor_id, state]: Row): DetectorState {
  // The store wrote the name from a `MetricSeries`.
  const metric_name = name as MetricSeries['metric_name'];
  return {
    series: { metric_name, metric_aggregation, attribute, segment, monitor_id },
    state: new Uint8Array(Buffer.from(state, 'base64')),
  };
}
