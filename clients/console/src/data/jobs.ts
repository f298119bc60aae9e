// SPDX-License-Identifier: Apache-2.0
/** The scans of assets, which the service calls jobs: which ones run, what one found, and how one is started and stopped. */
import type { ListedJob, ObservabilityClient } from '@sextant/sdk';
import { queryOptions, useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { queryClient } from './services/query-client.ts';
import { useServices } from './services/services.ts';

const CALM_MS = 30_000;
const BUSY_MS = 1_000;
const JOBS = 50;
const SAMPLES = 200;
/** A band needs fewer scans to be learned. */
const FINISHED_SCANS = 20;

const ALL_KEY = ['observability', 'jobs'];
const assetKey = (assetId: string) => ['observability', 'asset', assetId, 'jobs'];

/** The last job of each asset; asked for often while one of them runs. */
export function lastJobs(client: ObservabilityClient) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'last'],
    queryFn: ({ signal }) => client.listTenantJobs({ most_recent: true }, { signal }),
    refetchInterval: ({ state }) => (hasRunning(state.data) ? 2 * BUSY_MS : CALM_MS),
  });
}

export function assetJobs(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: assetKey(assetId),
    queryFn: ({ signal }) => client.listJobs({ asset_id: assetId, limit: JOBS }, { signal }),
    refetchInterval: ({ state }) => (hasRunning(state.data) ? BUSY_MS : CALM_MS),
  });
}

function hasRunning(jobs: readonly ListedJob[] | undefined): boolean {
  return jobs?.some(({ status }) => isRunning(status)) === true;
}

export function isRunning(status: ListedJob['status']): boolean {
  return status !== 'FINISHED' && status !== 'FAILED';
}

/** How many scans of an asset ended well, as far as anybody needs to know. */
export function finishedScans(client: ObservabilityClient, assetId: string) {
  return queryOptions({
    queryKey: ['observability', 'asset', assetId, 'finished-scans'],
    queryFn: async ({ signal }) =>
      (await client.listJobs({ asset_id: assetId, limit: FINISHED_SCANS }, { signal })).filter(({ status }) => status === 'FINISHED')
        .length,
  });
}

/** Rows that the scan found fault with, of one monitor or of all: each rule keeps a hundred. */
export function jobSamples(client: ObservabilityClient, jobId: string, monitorId?: string) {
  return queryOptions({
    queryKey: ['observability', 'job', jobId, 'samples', monitorId ?? null],
    queryFn: ({ signal }) =>
      client.listSamples({ job_id: jobId, limit: SAMPLES, ...(monitorId !== undefined && { monitor_id: monitorId }) }, { signal }),
  });
}

/** What each monitor came to in the scan. */
export function jobChecks(client: ObservabilityClient, jobId: string) {
  return queryOptions({
    queryKey: ['observability', 'job', jobId, 'checks'],
    queryFn: ({ signal }) => client.listJobChecks({ job_id: jobId }, { signal }),
  });
}

/** Of all assets, the monitors that their last scans could not evaluate. */
export function erroredChecks(client: ObservabilityClient) {
  return queryOptions({
    queryKey: [...ALL_KEY, 'errored'],
    queryFn: ({ signal }) => client.listChecks({ state: 'errored' }, { signal }),
    refetchInterval: CALM_MS,
  });
}

/** Columns that differ from those of the scan before. */
export function jobSchemaChanges(client: ObservabilityClient, jobId: string) {
  return queryOptions({
    queryKey: ['observability', 'job', jobId, 'schema'],
    queryFn: ({ signal }) => client.listSchemaChanges({ job_id: jobId }, { signal }),
  });
}

export async function refreshJobs(assetId?: string): Promise<void> {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ALL_KEY }),
    assetId !== undefined && queryClient.invalidateQueries({ queryKey: assetKey(assetId) }),
  ]);
}

export function useStartScan(assetId: string, onError?: (error: Error) => void) {
  const { observability } = useServices();
  return useMutation({
    mutationFn: () => observability.startScan({ asset_id: assetId }),
    onSuccess: () => refreshJobs(assetId),
    ...(onError !== undefined && { onError }),
  });
}

/** Calls back when a scan of the list has ended. */
export function useScanEnd(jobs: readonly ListedJob[] | undefined, onEnd: () => void): void {
  const runningCount = jobs?.filter(({ status }) => isRunning(status)).length ?? 0;
  const before = useRef(runningCount);
  // The newest callback; a new one is no reason to call it.
  const ended = useRef(onEnd);
  ended.current = onEnd;
  useEffect(() => {
    if (runningCount < before.current) ended.current();
    before.current = runningCount;
  }, [runningCount]);
}
