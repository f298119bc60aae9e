// SPDX-License-Identifier: Apache-2.0
/** From bytes to metrics: uploads, assets, scans and what they found. */
import type { Asset, AssetOptions, Job, MetricHistoryItem } from '@sextant/contracts-observability';
import { until } from '../until.ts';
import type { Input, ObservabilityApi } from './observability-api.ts';

const SCAN_TIMEOUT_MS = 120_000;

export const DEFAULT_PROJECT = 0;

export type NewAsset = NonNullable<Exclude<Input<'create_asset'>['body'], Uint8Array>>;

export type UploadedAsset = {
  /** Gives the format, such as `orders.csv`. */
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly name?: string;
  readonly options?: AssetOptions;
  readonly description?: string;
};

/** Uploads a file and registers it as an asset of the default project, all its attributes monitored. */
export async function uploadAsset(api: ObservabilityApi, { file, bytes, name = file, ...rest }: UploadedAsset): Promise<Asset> {
  const { payload } = await api.call('create_upload', {}, { query: { name: file }, body: bytes });
  return createAsset(api, { name, type: 'UPLOAD', payload, ...rest });
}

/** Registers an asset of the default project, all its attributes monitored. */
export async function createAsset(api: ObservabilityApi, body: NewAsset): Promise<Asset> {
  const { id } = await api.call('create_asset', { project_id: DEFAULT_PROJECT }, { body });
  await api.call('put_attributes', { asset_id: id }, { body: { all: true } });
  return api.call('get_asset', { project_id: DEFAULT_PROJECT, asset_id: id });
}

/** Scans and waits for the end; `onProgress` sees every job state that was polled. */
export async function scan(api: ObservabilityApi, assetId: string, onProgress?: (job: Job) => void): Promise<Job> {
  const { job_id } = await api.call('start_scan', { asset_id: assetId });
  return untilEnded(api, job_id, onProgress);
}

export function untilEnded(api: ObservabilityApi, jobId: string, onProgress?: (job: Job) => void): Promise<Job> {
  return until(`job ${jobId} ends`, SCAN_TIMEOUT_MS, async () => {
    const job = await api.call('get_job', { job_id: jobId });
    onProgress?.(job);
    return hasEnded(job) ? job : undefined;
  });
}

export function hasEnded({ status }: Pick<Job, 'status'>): boolean {
  return status === 'FINISHED' || status === 'FAILED';
}

/** What one scan measured, to be asked by metric, attribute, aggregation and segment. */
export class Measured {
  readonly points: readonly MetricHistoryItem[];

  constructor(points: readonly MetricHistoryItem[]) {
    this.points = points;
  }

  /** The value of the one point that fits; throws when there is none or more than one. Null and left out ask for the whole. */
  value(metric: MetricHistoryItem['metric_name'], place: Place = {}): number | null {
    const found = this.find(metric, place);
    const [only] = found;
    if (only === undefined || found.length > 1) {
      throw new Error(`${found.length} points of ${metric} at ${JSON.stringify(place)}; there are ${JSON.stringify(this.#kinds(metric))}`);
    }
    return only.value;
  }

  find(
    metric: MetricHistoryItem['metric_name'],
    { attribute = null, segment = null, aggregation, monitorId }: Place,
  ): readonly MetricHistoryItem[] {
    return this.points.filter(
      (point) =>
        point.metric_name === metric &&
        point.attribute === attribute &&
        point.segment === segment &&
        (aggregation === undefined || point.metric_aggregation === aggregation) &&
        (monitorId === undefined || point.monitor_id === monitorId),
    );
  }

  #kinds(metric: string): readonly string[] {
    const points = this.points.filter(({ metric_name }) => metric_name === metric);
    return points.map((point) => `${point.attribute}/${point.segment}/${point.metric_aggregation}`);
  }
}

type Place = {
  readonly attribute?: string | null;
  readonly segment?: string | null;
  readonly aggregation?: string;
  readonly monitorId?: string;
};

export async function measured(api: ObservabilityApi, { asset_id, id }: Pick<Job, 'asset_id' | 'id'>): Promise<Measured> {
  return new Measured(await api.call('list_metrics', {}, { query: { asset_id, job_id: id } }));
}

/** Scans, expects the scan to finish, and answers what it measured. */
export async function scanned(api: ObservabilityApi, assetId: string): Promise<{ readonly job: Job; readonly found: Measured }> {
  const job = await scan(api, assetId);
  if (job.status !== 'FINISHED') throw new Error(`the scan ended as ${job.status}: ${job.details}`);
  return { job, found: await measured(api, job) };
}
