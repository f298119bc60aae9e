// SPDX-License-Identifier: Apache-2.0
/**
 * One asset whose scans are measured, evaluated and stored as in the service, in a store of its own. Stores that see the same deliveries make the same
 * ids, so that what they hold can be compared as it is.
 */
import { createHash } from 'node:crypto';
import type { AssetOptions, Monitor } from '@sextant/contracts-observability';
import { manualClock } from '@sextant/foundation-std';
import type { OpenedSource } from '@sextant/observability-connectors';
import { openMetadata } from '@sextant/observability-metadata';
import { scanOnThread } from '@sextant/observability-scan/scans-for-tests';
import { evaluatedScans } from '../evaluation/evaluated-scans.ts';
import { evaluateInput } from '../evaluation/evaluation-input.ts';
import { scanJob } from '../jobs/scan-job.ts';

const START_MS = Date.UTC(2025, 1, 1);
const DAY_MS = 86_400_000;
const LEASE_MS = 3_600_000;

export type WatchedAsset = AsyncDisposable & {
  /** Scans on the next day, and answers all that the store then holds of that scan and of the asset. */
  readonly deliver: (source: OpenedSource) => Promise<object>;
};

export type NewMonitor = Pick<Monitor, 'name' | 'type' | 'monitor'>;

export async function watchAsset(
  directory: string,
  { options, monitors }: { readonly options: AssetOptions; readonly monitors: readonly NewMonitor[] },
): Promise<WatchedAsset> {
  const clock = manualClock(START_MS);
  let drawn = 0;
  const randomBytes = (count: number): Uint8Array => createHash('shake256', { outputLength: count }).update(String(drawn++)).digest();
  const metadata = await openMetadata({ directory }, { clock, randomBytes, encryptionKey: new Uint8Array(32) });
  await metadata.platform.tenants.create({ id: 'acme', name: 'Acme' });
  const tenant = metadata.forTenant('acme');
  const { id: assetId } = await tenant.assets.create({ ...NEW_ASSET, options });
  for (const { name, type, monitor } of monitors) await tenant.monitors.create(assetId, { ...NEW_MONITOR, name, type, monitor });
  let current: OpenedSource | undefined;
  const sources = {
    openForScan: async () => {
      if (current === undefined) throw new Error('nothing was delivered');
      return { source: current, reason: undefined };
    },
  };
  const limits = { memoryBytes: 2 ** 30, temporaryDirectory: directory, temporaryBytes: 2 ** 32, threads: 2, timeoutMs: 3_600_000 };
  const errors: unknown[] = [];
  const work = evaluatedScans({
    metadata,
    scan: scanJob({ metadata, sources, runScan: scanOnThread, limits, clock }),
    evaluate: async (input) => evaluateInput(input),
    clock,
    log: { error: (details) => errors.push(details) },
  });
  return {
    deliver: async (source) => {
      clock.advance(DAY_MS);
      current = source;
      await tenant.jobs.enqueue({ asset_id: assetId, request: {}, whenBusy: 'refuse' });
      const claimed = await metadata.platform.jobs.claimNext({ worker: 'test', leaseMs: LEASE_MS });
      if (claimed === undefined) throw new Error('there is no job to claim');
      const store = await work.run(claimed, { signal: new AbortController().signal, onProgress: () => undefined });
      await store();
      if (errors.length > 0) throw new Error('the scan was not evaluated', { cause: errors[0] });
      const job_id = claimed.job.id;
      const metric_time = new Date(clock.nowMs()).toISOString();
      const points = await tenant.metricPoints.history({ asset_id: assetId, from_time: metric_time });
      const incidents = await tenant.incidents.list();
      return {
        job: await tenant.jobs.get(job_id),
        points: Object.fromEntries(points.map((point) => [pointKey(point), point])),
        samples: await tenant.jobFindings.rowSamples(job_id),
        schemaChanges: await tenant.jobFindings.schemaChanges(job_id),
        checks: await tenant.checks.ofJob(job_id),
        alerts: await tenant.alerts.ofJob({ source: assetId, job_id }),
        incidents: await Promise.all(incidents.map(({ id }) => tenant.incidents.get(id))),
        scores: await tenant.dqScores.newest(assetId, 1),
      };
    },
    [Symbol.asyncDispose]: () => metadata[Symbol.asyncDispose](),
  };
}

type Keyed = {
  readonly metric_name: string;
  readonly metric_aggregation: string;
  readonly attribute: string | null;
  readonly segment: string | null;
  readonly monitor_id: string | null;
};

function pointKey({ metric_name, metric_aggregation, attribute, segment, monitor_id }: Keyed): string {
  return JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]);
}

/** Where two answers differ, by the path to it: numbers by more than a relative 1e-12, all else at all. */
export function differences(one: unknown, other: unknown, path = ''): readonly string[] {
  if (typeof one === 'number' && typeof other === 'number') return isNear(one, other) ? [] : [`${path}: ${one} and ${other}`];
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) {
    return Object.is(one, other) ? [] : [`${path}: ${JSON.stringify(one)} and ${JSON.stringify(other)}`];
  }
  const [first, second]: readonly [object, object] = [one, other];
  const names = new Set([...Object.keys(first), ...Object.keys(second)]);
  return [...names].flatMap((name) => differences(Reflect.get(first, name), Reflect.get(second, name), `${path}/${name}`));
}

function isNear(one: number, other: number): boolean {
  return Object.is(one, other) || Math.abs(one - other) <= 1e-12 * Math.max(Math.abs(one), Math.abs(other));
}

const NEW_ASSET = {
  name: 'deliveries',
  project_id: 0,
  description: null,
  type: 'UPLOAD',
  payload: {},
  connection_id: null,
  db_type: null,
  tags: [],
  webhook_url: null,
  created_by: 'ada',
} as const;

const NEW_MONITOR = {
  enabled: true,
  description: null,
  impact: 'LOW',
  tags: null,
  threshold: { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: null,
  ticketing: null,
  created_by: 'ada',
} as const;
