// SPDX-License-Identifier: Apache-2.0
/** A table that is scanned again and again and evaluated each time with all pre-built monitors: no service and no store. */
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type AssetOptions, type Monitor, PREBUILT_MONITOR_IDS } from '@sextant/contracts-observability';
import { systemClock } from '@sextant/foundation-std';
import { createFileConnector } from '@sextant/observability-connectors';
import { type Evaluation, evaluate, REPORTED_SCANS, type SeriesKey, type SeriesPoint } from '@sextant/observability-monitors';
import type { ScanLimits, ScanResult } from '@sextant/observability-scan';
import { scanOnThread } from '@sextant/observability-scan/scans-for-tests';
import { formatOf, type Table, tableText } from '../demo/tables.ts';

const MEBIBYTE = 2 ** 20;
const BYTES_MAX = 16 * 2 ** 30;

export type ScannedTable = {
  readonly table: Table;
  readonly nowMs: number;
  readonly modifiedMs: number;
  /** Whether the next scan is compared with this one, which is so unless it says no. */
  readonly isRemembered?: boolean;
};

export type WatchedTableOptions = { readonly file: string; readonly options: AssetOptions; readonly directory: string };

export class WatchedTable {
  readonly #options: WatchedTableOptions;
  readonly #histories = new Map<string, { readonly series: SeriesKey; readonly points: SeriesPoint[] }>();
  /** Newest first. */
  readonly #earlier: ScanResult[] = [];

  constructor(options: WatchedTableOptions) {
    this.#options = options;
  }

  async deliver({ table, nowMs, modifiedMs, isRemembered = true }: ScannedTable): Promise<Evaluation> {
    const { file, directory, options } = this.#options;
    const path = join(directory, file);
    await writeFile(path, tableText(table, formatOf(file)));
    await utimes(path, modifiedMs / 1000, modifiedMs / 1000);
    const connector = createFileConnector({ allowedDirectories: [directory], bytesMax: BYTES_MAX });
    await using source = await connector.open(
      { id: 1, type: 'FILE', payload: { directory }, credential: null },
      { payload: { path: file, file_type: formatOf(file) } },
      { signal: new AbortController().signal, temporaryDirectory: directory },
    );
    const [previous] = this.#earlier;
    const result = await scanOnThread(
      {
        source,
        options,
        attributes: table.columns.map((name) => ({ name, data_type: 'OTHER', monitored: true })),
        monitors: [],
        ...(previous === undefined ? {} : { previous: previous.memory }),
        nowMs,
        seed: file,
      },
      { limits: limitsIn(directory), clock: systemClock, signal: new AbortController().signal, onProgress: () => undefined },
    );
    const evaluation = this.#evaluation(result, nowMs);
    if (isRemembered) this.#remember(result, nowMs);
    return evaluation;
  }

  #evaluation(result: ScanResult, nowMs: number): Evaluation {
    return evaluate({
      monitors: MONITORS,
      points: result.metrics,
      metricTimeMs: nowMs,
      schemaChanges: result.schemaChanges,
      timeAttributes: result.columns.filter(({ data_type }) => data_type === 'DATE' || data_type === 'TIMESTAMP').map(({ name }) => name),
      recentSchemaChanges: this.#earlier.map(({ schemaChanges }) => schemaChanges),
      samples: result.samples,
      historyOf: (series) => this.#histories.get(idOf(series))?.points ?? [],
      previousSeries: this.#earlier[0]?.metrics ?? [],
      recentSeries: this.#earlier.slice(0, REPORTED_SCANS).flatMap(({ metrics }) => metrics),
      parents: [],
    });
  }

  #remember(result: ScanResult, nowMs: number): void {
    for (const point of result.metrics) {
      const known = this.#histories.get(idOf(point)) ?? { series: point, points: [] };
      known.points.push({ timeMs: nowMs, value: point.value, isExcluded: false });
      this.#histories.set(idOf(point), known);
    }
    this.#earlier.unshift(result);
  }
}

function idOf({ metric_name, metric_aggregation, attribute, segment, monitor_id }: SeriesKey): string {
  return JSON.stringify([metric_name, metric_aggregation, attribute, segment, monitor_id]);
}

function limitsIn(directory: string): ScanLimits {
  return {
    memoryBytes: 512 * MEBIBYTE,
    temporaryDirectory: join(directory, 'scans'),
    temporaryBytes: 512 * MEBIBYTE,
    threads: 2,
    timeoutMs: 120_000,
  };
}

/** As every asset has them, all of them on. */
const MONITORS: readonly Monitor[] = PREBUILT_MONITOR_IDS.map((id) => ({
  id,
  asset_id: 'asset',
  type: 'PREDEFINED_METRIC',
  name: id,
  enabled: true,
  description: null,
  impact: null,
  tags: null,
  created_by: 'system',
  created_at: '2026-01-01T00:00:00.000Z',
  modified_by: 'system',
  modified_at: '2026-01-01T00:00:00.000Z',
  monitor: { predefined_metric: id, attributes: [] },
  threshold: { threshold_type: 'ML', threshold1: null, threshold2: null, extrapolation_strategy: 'IGNORE', history_limit: 0 },
  notification: null,
  ticketing: null,
}));
