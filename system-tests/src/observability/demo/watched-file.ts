// SPDX-License-Identifier: Apache-2.0
/** A file in a folder that the service watches: somebody replaces it, the service scans it, and says what it thinks of it. */
import { rename, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AssetOptions, Incident, Job } from '@sextant/contracts-observability';
import type { ObservabilityApi } from '../observability-api.ts';
import { createAsset, scan } from '../scanning.ts';

export type WatchedFileOptions = {
  readonly name: string;
  /** Below `directory`; its extension gives the format. */
  readonly file: string;
  readonly directory: string;
  readonly connectionId: number;
  readonly options?: AssetOptions | undefined;
};

export type Delivered = {
  readonly job: Job;
  /** The incidents that are open after the scan, the most severe first. */
  readonly open: readonly RaisedIncident[];
};

export type RaisedIncident = Pick<Incident, 'id' | 'alert_policy_id' | 'alert_policy_name' | 'severity'> & {
  /** What the alerts of this scan say, the most pressing first. */
  readonly sentences: readonly string[];
};

export class WatchedFile {
  readonly assetId: string;
  readonly #api: ObservabilityApi;
  readonly #path: string;

  private constructor(api: ObservabilityApi, assetId: string, path: string) {
    this.#api = api;
    this.assetId = assetId;
    this.#path = path;
  }

  /** Writes the first version and registers it, all its attributes monitored. */
  static async create(api: ObservabilityApi, first: string, options: WatchedFileOptions): Promise<WatchedFile> {
    const path = join(options.directory, options.file);
    await replaceFile(path, first, new Date());
    const asset = await createAsset(api, {
      name: options.name,
      type: 'FILE',
      connection_id: options.connectionId,
      payload: { path: options.file },
      ...(options.options && { options: options.options }),
    });
    return new WatchedFile(api, asset.id, path);
  }

  /** Replaces the file, scans it, and answers which incidents are open then. */
  async deliver(text: string, writtenAt: Date): Promise<Delivered> {
    await replaceFile(this.#path, text, writtenAt);
    const job = await scan(this.#api, this.assetId);
    if (job.status !== 'FINISHED') throw new Error(`the scan ended as ${job.status}: ${job.details}`);
    return { job, open: await this.#openIncidents(job) };
  }

  async #openIncidents({ id: job_id }: Job): Promise<readonly RaisedIncident[]> {
    const [incidents, alerts] = await Promise.all([
      this.#api.call('list_incidents', {}),
      this.#api.call('job_alerts', { asset_id: this.assetId }, { query: { job_id } }),
    ]);
    const own = incidents
      .filter(({ asset_id, status }) => asset_id === this.assetId && status === 'OPEN')
      .toSorted((a, b) => LEVELS.indexOf(b.severity) - LEVELS.indexOf(a.severity) || a.id - b.id);
    return own.map(({ id, alert_policy_id, alert_policy_name, severity }) => {
      const sentences = alerts
        .filter(({ policy_name }) => policy_name === alert_policy_name)
        .toSorted((a, b) => LEVELS.indexOf(b.priority) - LEVELS.indexOf(a.priority))
        .flatMap(({ description }) => Object.values(description).flat());
      return { id, alert_policy_id, alert_policy_name, severity, sentences };
    });
  }
}

const LEVELS = ['LOW', 'MEDIUM', 'HIGH'];

/** At once, so that no scan sees half a file. */
async function replaceFile(path: string, text: string, writtenAt: Date): Promise<void> {
  const temporary = `${path}.part`;
  await writeFile(temporary, text);
  await utimes(temporary, writtenAt, writtenAt);
  await rename(temporary, path);
}
