// SPDX-License-Identifier: Apache-2.0
/** Runs a scan under its limits: opens the engine that fits the source, measures, and ends at the first reason to. */

import type { Column, VectorCollectionAccess } from '@sextant/observability-connectors';
import { inProcessOfItsOwn, openDuckdbEngine } from './engine/duckdb/duckdb-engine.ts';
import type { OpenAssetClient } from './engine/duckdb/messages.ts';
import { ScanError } from './engine/engine.ts';
import { openPostgresqlEngine } from './engine/postgresql-engine.ts';
import { openSparkEngine } from './engine/spark-engine.ts';
import { measure } from './measure.ts';
import { keepsSamples } from './plan/option-columns.ts';
import type { RunScan, ScanRequest, ScanResult, ScanRunOptions } from './scan.ts';
import { schemaChanges } from './schema-changes.ts';
import { profileCollection } from './vectors/collection-profile.ts';
import { fileVectors } from './vectors/file-points.ts';

/**
 * Files are measured in a process of their own, PostgreSQL and Spark measure what they hold; on the calling thread there are only statements and results.
 * Rejects with a `ScanError` on a limit and with the signal's reason on a cancellation.
 */
export const runScan: RunScan = scansOf(inProcessOfItsOwn);

/** The same with files measured elsewhere. */
export function scansOf(openClient: OpenAssetClient): RunScan {
  return (request, options) => scanWithin(request, options, openClient);
}

async function scanWithin(request: ScanRequest, options: ScanRunOptions, openClient: OpenAssetClient): Promise<ScanResult> {
  const { limits, clock, signal: cancelled } = options;
  const deadline = new AbortController();
  const timer = clock.after(limits.timeoutMs, () =>
    deadline.abort(new ScanError(`The scan took longer than its limit of ${Math.round(limits.timeoutMs / 1000)} seconds`)),
  );
  const signal = AbortSignal.any([cancelled, deadline.signal]);
  try {
    signal.throwIfAborted();
    const result = await scanSource(request, { ...options, signal }, openClient);
    // A metric that was stopped would else be taken for one that failed.
    signal.throwIfAborted();
    await request.source.confirmUnchanged();
    return result;
  } catch (error) {
    // What failed because it was stopped is reported as the stop.
    signal.throwIfAborted();
    throw error;
  } finally {
    timer.cancel();
  }
}

async function scanSource(request: ScanRequest, options: ScanRunOptions, openClient: OpenAssetClient): Promise<ScanResult> {
  const { data } = request.source;
  switch (data.kind) {
    case 'files': {
      const { vectors } = data;
      if (vectors !== undefined) return await scanVectors(fileVectors({ ...data, vectors }, options, openClient), request, options);
      await using engine = await openDuckdbEngine(
        { data, declared: declaredColumns(request), isNumbered: asksForNumbers(request) },
        options,
        openClient,
      );
      return await measure(engine, request, options.onProgress);
    }
    case 'postgresql': {
      await using engine = openPostgresqlEngine(data, request.source.description.columns, options.signal);
      return await measure(engine, request, options.onProgress);
    }
    case 'spark': {
      await using engine = openSparkEngine(data, request.source.description.columns, options.signal);
      return await measure(engine, request, options.onProgress);
    }
    case 'vectors':
      return await scanVectors(data.collection, request, options);
  }
}

/** Rows that fail a rule or keep a metric from having a value are identified by their id, where they have one; a search for wrong cells comes back to its rows. */
function asksForNumbers({ options, monitors }: ScanRequest): boolean {
  if (options.find_wrong_cells === 'true') return true;
  return (options.id_attributes ?? []).length === 0 && keepsSamples(options) && monitors.some(({ type }) => type !== 'PREDEFINED_METRIC');
}

/** The types that people chose, else those of the scan before: what a column holds today does not change them. */
function declaredColumns({ options, previous }: ScanRequest): ReadonlyMap<string, Column> {
  const chosen = Object.entries(options.reading?.types ?? {}).map(([name, type]) => ({ name, source_type: '', data_type: type }));
  return new Map([...(previous?.columns ?? []), ...chosen].map((column) => [column.name, column]));
}

async function scanVectors(
  collection: VectorCollectionAccess,
  request: ScanRequest,
  { limits, signal, onProgress }: ScanRunOptions,
): Promise<ScanResult> {
  const { previous, options } = request;
  const { recordsScanned, columns, metrics, samples, failures, recentCentroids, vectorReferences, inputNorms } = await profileCollection(
    collection,
    {
      options,
      recentCentroids: previous?.recentCentroids,
      vectorReferences: previous?.vectorReferences,
      inputNorms: previous?.inputNorms,
      temporaryDirectory: limits.temporaryDirectory,
      signal,
      onProgress,
    },
  );
  const changes = previous === undefined ? [] : schemaChanges(previous.columns, columns);
  const schema = {
    metric_name: 'SCHEMA',
    metric_aggregation: 'count',
    attribute: null,
    segment: null,
    monitor_id: null,
    value: changes.length,
  } as const;
  return {
    columns,
    recordsScanned,
    rejectedRows: 0,
    metrics: [...metrics, schema],
    schemaChanges: changes,
    samples: keepsSamples(options) ? samples : [],
    ruleCounts: [],
    segmentMoves: [],
    fileChanges: [],
    valueless: [],
    omissions: [],
    failures: [
      ...failures,
      ...request.monitors
        .filter(({ type }) => type !== 'PREDEFINED_METRIC')
        .map(({ id }) => ({ monitor_id: id, reason: 'Rules and expressions are measured on files and tables, not on vector collections' })),
    ],
    memory: { columns, watermark: null, recentCentroids, vectorReferences, inputNorms },
  };
}
