// SPDX-License-Identifier: Apache-2.0
/** From a file to what a scan says of it: upload, asset, rule, scan, and the answers of the API. */
import type { Attribute, Job, RowSample, SchemaChange } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import type { ObservabilityApi } from '../observability-api.ts';
import { type Measured, measured, scan, uploadAsset } from '../scanning.ts';
import { type DataSet, readDataSet } from './data-sets.ts';
import type { StatusLine } from './status-line.ts';

export type Survey = {
  readonly dataSet: DataSet;
  readonly attributes: readonly Attribute[];
  readonly job: Job;
  readonly found: Measured;
  readonly ruleId: string;
  readonly failing: readonly RowSample[];
  readonly schemaChanges: readonly SchemaChange[];
  readonly bytes: number;
  readonly uploadSeconds: number;
  readonly scanSeconds: number;
};

export async function survey(api: ObservabilityApi, dataSet: DataSet, status: StatusLine): Promise<Survey> {
  const bytes = await readDataSet(dataSet);
  status.show(`${dataSet.name}: uploading`, `${bytes.byteLength} bytes`);
  const startedMs = systemClock.monotonicMs();
  const asset = await uploadAsset(api, {
    file: dataSet.file,
    bytes,
    name: dataSet.name,
    ...(dataSet.options && { options: dataSet.options }),
  });
  const { id: ruleId } = await api.call('create_monitor', { asset_id: asset.id }, { body: ruleOf(dataSet) });
  const uploadedMs = systemClock.monotonicMs();
  const job = await scan(api, asset.id, ({ status: state, progress: { phase, rows_read, fraction } }) => {
    const share = fraction === null ? '' : ` ${Math.floor(100 * fraction)} %`;
    status.show(`${dataSet.name}: ${phase}`, `${state}${share} ${rows_read.toLocaleString('en')} rows`);
  });
  const endedMs = systemClock.monotonicMs();
  if (job.status !== 'FINISHED') throw new Error(`${dataSet.name}: the scan ended as ${job.status}: ${job.details}`);
  const [found, failing, schemaChanges, attributes] = await Promise.all([
    measured(api, job),
    api.call('list_samples', { job_id: job.id }, { query: { monitor_id: ruleId } }),
    api.call('list_schema_changes', { job_id: job.id }),
    // The scan knows the types from all rows, the registration from the first ones.
    api.call('list_attributes', { asset_id: asset.id }),
  ]);
  const uploadSeconds = (uploadedMs - startedMs) / 1000;
  return {
    dataSet,
    attributes,
    job,
    found,
    ruleId,
    failing,
    schemaChanges,
    bytes: bytes.byteLength,
    uploadSeconds,
    scanSeconds: (endedMs - uploadedMs) / 1000,
  };
}

function ruleOf({ rule: { name, expression } }: DataSet) {
  return { type: 'RULE', name, enabled: true, threshold: { threshold_type: 'ML' }, monitor: { expression } } as const;
}
