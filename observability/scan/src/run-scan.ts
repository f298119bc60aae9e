/** Runs a scan under its limits: opens the engine that fits the source, measures, and ends at the first reason to. */

import { openDuckdbEngine } from './engine/duckdb/duckdb-engine.ts';
import { ScanError } from './engine/engine.ts';
import { openPostgresqlEngine } from './engine/postgresql-engine.ts';
import { measure } from './measure.ts';
import type { RunScan, ScanLimits, ScanProgress, ScanRequest, ScanResult } from './scan.ts';

type RunOptions = { readonly limits: ScanLimits; readonly signal: AbortSignal; readonly onProgress: (progress: ScanProgress) => void };

/**
 * Files are measured in a process of their own, PostgreSQL measures itself; on the calling thread there are only statements and results.
 * Rejects with a `ScanError` on a limit and with the signal's reason on a cancellation.
 */
export const runScan: RunScan = async (request, options) => {
  const { limits, signal: cancelled } = options;
  const deadline = new AbortController();
  const timer = setTimeout(
    () => deadline.abort(new ScanError(`The scan took longer than its limit of ${Math.round(limits.timeoutMs / 1000)} seconds`)),
    limits.timeoutMs,
  );
  const signal = AbortSignal.any([cancelled, deadline.signal]);
  try {
    signal.throwIfAborted();
    return await scanSource(request, { ...options, signal });
  } catch (error) {
    // What failed because it was stopped is told as the stop.
    signal.throwIfAborted();
    throw error;
  } finally {
    clearTimeout(timer);
  }
};

async function scanSource(request: ScanRequest, options: RunOptions): Promise<ScanResult> {
  const { data } = request.source;
  switch (data.kind) {
    case 'files': {
      await using engine = await openDuckdbEngine(data, options);
      return await measure(engine, request, options);
    }
    case 'postgresql': {
      await using engine = openPostgresqlEngine(data, request.source.description.columns, options.signal);
      return await measure(engine, request, options);
    }
    case 'vectors':
      throw new ScanError('vectors');
  }
}
