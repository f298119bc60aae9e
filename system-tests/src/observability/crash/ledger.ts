// SPDX-License-Identifier: Apache-2.0
/** What was acknowledged to clients of the service: after a crash all of it must hold, and beside it only what was on its way. */
import { deepStrictEqual, match, ok, strictEqual } from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '@sextant/foundation-std';
import { until } from '../../until.ts';
import type { ObservabilityApi } from '../observability-api.ts';
import { hasEnded, measured, untilEnded } from '../scanning.ts';

type AcknowledgedUpload = { readonly name: string; readonly bytes: number; readonly rows: number };
type AcknowledgedScan = { readonly assetId: string; readonly rows: number };

/** Where the service keeps its files. */
export type Place = {
  /** Data directories of its processes. */
  readonly directories: readonly string[];
  readonly uploads: string;
  readonly isShared: boolean;
};

const TEMPORARY_FILES_MS = 120_000;

/** A job that lost its worker too often fails with this sentence. */
const GIVEN_UP = /The worker of the job stopped \d+ times/;

export class CrashLedger {
  readonly #uploads = new Map<string, AcknowledgedUpload>();
  readonly #scans = new Map<string, AcknowledgedScan>();
  readonly #endedScans = new Set<string>();
  /** The counter that a configuration holds: the one that was acknowledged, and the one on its way. */
  #counter: { acknowledged: number; proposed: number } = { acknowledged: 0, proposed: 0 };
  /** Scans that had not ended when the service was killed, and finished after it came back. */
  resumed = 0;
  /** The scan whose start was acknowledged last. */
  newestScan: string | undefined;
  /** When the last life of the service was over. */
  #killedMs = Number.POSITIVE_INFINITY;

  /** Ids of the scans whose start was acknowledged. */
  get scans(): readonly string[] {
    return [...this.#scans.keys()];
  }

  killed(): void {
    this.#killedMs = systemClock.nowMs();
  }

  upload(id: string, upload: AcknowledgedUpload): void {
    this.#uploads.set(id, upload);
  }

  scan(jobId: string, scan: AcknowledgedScan): void {
    this.#scans.set(jobId, scan);
    this.newestScan = jobId;
  }

  proposeCounter(): number {
    this.#counter.proposed += 1;
    return this.#counter.proposed;
  }

  settleCounter(): void {
    this.#counter.acknowledged = this.#counter.proposed;
  }

  /** Compares a service that came back with what was acknowledged to its clients; waits until its jobs have ended. */
  async inspect(api: ObservabilityApi, place: Place): Promise<void> {
    await this.#inspectUploads(api, place);
    await this.#inspectCounter(api);
    for (const [jobId, scan] of this.#scans) await this.#inspectScan(api, jobId, scan);
    // A scan whose start was never acknowledged may still run, so its files have time to go.
    await until('no temporary file stays when every job has ended', TEMPORARY_FILES_MS, async () => {
      const files = await Promise.all(place.directories.map((directory) => readdir(join(directory, 'temporary'))));
      return files.flat().length === 0 ? files : undefined;
    });
  }

  async #inspectUploads(api: ObservabilityApi, { uploads, isShared }: Place): Promise<void> {
    const listed = await api.call('list_uploads', {});
    const byId = new Map(listed.map((upload) => [upload.id, upload]));
    for (const [id, { name, bytes }] of this.#uploads) {
      const { name: foundName, bytes: foundBytes } = byId.get(id) ?? {};
      deepStrictEqual({ name: foundName, bytes: foundBytes }, { name, bytes }, `the acknowledged upload ${id}`);
    }
    // Where others may be receiving one, what is left of an upload goes an hour later.
    if (!isShared) deepStrictEqual(await readdir(join(uploads, '.incoming')), [], 'no half of an upload stays');
    const files = new Set(await readdir(join(uploads, api.tenant)).catch(() => []));
    for (const { payload } of listed) ok(files.has(String(payload.upload_id)), `upload ${String(payload.upload_id)} has its file`);
  }

  async #inspectCounter(api: ObservabilityApi): Promise<void> {
    const { spark_properties } = await api.call('get_spark_job_config', {});
    const found = Number(spark_properties?.counter ?? 0);
    const { acknowledged, proposed } = this.#counter;
    ok(
      found === acknowledged || found === proposed,
      `the counter is ${found}; ${acknowledged} was acknowledged and ${proposed} on its way`,
    );
    this.#counter = { acknowledged: found, proposed: found };
  }

  async #inspectScan(api: ObservabilityApi, jobId: string, { assetId, rows }: AcknowledgedScan): Promise<void> {
    const before = await api.call('get_job', { job_id: jobId });
    const isKnown = this.#endedScans.has(jobId);
    if (isKnown) ok(hasEnded(before), `job ${jobId} had ended and is ${before.status} now`);
    const job = await untilEnded(api, jobId);
    this.#endedScans.add(jobId);
    strictEqual(job.asset_id, assetId);
    if (job.status === 'FAILED') return match(job.details, GIVEN_UP);
    if (!isKnown && Date.parse(job.end_time ?? '') > this.#killedMs) this.resumed += 1;
    // Found whole: a scan that ran twice has not left its numbers twice.
    strictEqual((await measured(api, job)).value('RECORD_COUNT'), rows, `rows of job ${jobId}`);
  }
}
