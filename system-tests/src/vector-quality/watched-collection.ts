// SPDX-License-Identifier: Apache-2.0
/** A collection that the product watches: scans as a job runs them, and the pre-built monitors of a new asset, with all that came before. */
import { randomBytes } from 'node:crypto';
import type { Monitor } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import type { OpenedSource, VectorCollectionAccess } from '@sextant/observability-connectors';
import { openMetadata } from '@sextant/observability-metadata';
import { type EvaluationRequest, evaluate, REPORTED_SCANS, type SeriesKey, type Violation } from '@sextant/observability-monitors';
import { runScan, type ScanLimits, type ScanMemory, type ScanResult } from '@sextant/observability-scan';

const DAY_MS = 86_400_000;
const START_MS = Date.UTC(2026, 0, 5, 6);
const TENANT = 'bench';

type SeriesHistory = ReturnType<EvaluationRequest['historyOf']>[number][];

export type WatchedCollection = {
  /** Scans, judges, and remembers both. */
  readonly scan: (collection: VectorCollectionAccess) => Promise<readonly Violation[]>;
  /** What a next scan would find; nothing is remembered of it. */
  readonly judge: (collection: VectorCollectionAccess) => Promise<readonly Violation[]>;
};

export function watchedCollection(monitors: readonly Monitor[], limits: ScanLimits): WatchedCollection {
  const histories = new Map<string, SeriesHistory>();
  const scans: ScanResult[] = [];
  let memory: ScanMemory | undefined;
  let nowMs = START_MS;

  const measured = (collection: VectorCollectionAccess) =>
    runScan(
      { source: sourceOf(collection), options: {}, attributes: [], monitors: [], ...(memory && { previous: memory }), nowMs, seed: '' },
      { limits, clock: systemClock, signal: new AbortController().signal, onProgress: () => {} },
    );
  const judged = (result: ScanResult) =>
    evaluate({
      monitors,
      points: result.metrics,
      metricTimeMs: nowMs,
      schemaChanges: result.schemaChanges,
      recentSchemaChanges: scans.toReversed().map(({ schemaChanges }) => schemaChanges),
      samples: result.samples,
      historyOf: (series) => histories.get(keyOf(series)) ?? [],
      previousSeries: scans.at(-1)?.metrics ?? [],
      recentSeries: scans.slice(-REPORTED_SCANS).flatMap(({ metrics }) => metrics),
      parents: [],
    }).verdicts.flatMap(({ violations }) => violations);

  return {
    judge: async (collection) => judged(await measured(collection)),
    scan: async (collection) => {
      const result = await measured(collection);
      const violations = judged(result);
      for (const { value, ...series } of result.metrics) {
        const history = histories.get(keyOf(series)) ?? [];
        history.push({ timeMs: nowMs, value, isExcluded: false });
        histories.set(keyOf(series), history);
      }
      scans.push(result);
      // As the memory is stored.
      memory = JSON.parse(JSON.stringify(result.memory));
      nowMs += DAY_MS;
      return violations;
    },
  };
}

/** Those that a new asset has. */
export async function prebuiltMonitors(directory: string): Promise<readonly Monitor[]> {
  await using metadata = await openMetadata({ directory }, { clock: systemClock, randomBytes, encryptionKey: randomBytes(32) });
  await metadata.platform.tenants.create({ id: TENANT, name: TENANT });
  const tenant = metadata.forTenant(TENANT);
  const { id } = await tenant.assets.create({
    project_id: 0,
    name: 'collection',
    description: null,
    type: 'VECTOR_COLLECTION',
    options: {},
    payload: { collection: 'collection' },
    connection_id: null,
    db_type: null,
    tags: [],
    webhook_url: null,
    created_by: 'bench',
  });
  return await tenant.monitors.list(id);
}

function sourceOf(collection: VectorCollectionAccess): OpenedSource {
  return {
    description: { columns: [], modified_at: null, bytes: null },
    data: { kind: 'vectors', collection },
    confirmUnchanged: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
}

function keyOf({ metric_name, metric_aggregation, attribute, segment, monitor_id }: SeriesKey): string {
  return JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]);
}
