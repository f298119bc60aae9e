// SPDX-License-Identifier: Apache-2.0
/** One scan: opens the asset's source, measures it, and answers what it found. */
import type { Asset, AssetOptions, Monitor } from '@sextant/contracts-observability';
import type { Clock } from '@sextant/foundation-std';
import type { ClusterState, Column, SparkProgress } from '@sextant/observability-connectors';
import type { ClaimedJob, JobResult, Metadata, RunningProgress, TenantMetadata } from '@sextant/observability-metadata';
import type { RuleCount, RunScan, ScanLimits, ScanMemory, ScanProgress, ScanRequest, ScanResult } from '@sextant/observability-scan';
import { storeReading } from '../sources/describe-source.ts';
import { locationOf, type SourceAccess } from '../sources/source-access.ts';
import { rememberedColumns, storeViewLineage } from '../sources/view-lineage.ts';
import type { RunJob } from './job-runner.ts';
import type { ScanRequestOptions } from './scan-options.ts';

export type ScanJobOptions = {
  readonly metadata: Metadata;
  readonly sources: Pick<SourceAccess, 'openForScan'>;
  readonly runScan: RunScan;
  readonly limits: ScanLimits;
  readonly clock: Clock;
};

/** What is stored with the end of the job, and what only its report needs. */
export type ScanOutcome = JobResult & {
  readonly rule_counts: readonly RuleCount[];
  readonly segment_moves: ScanResult['segmentMoves'];
  readonly file_changes?: ScanResult['fileChanges'];
  /** Monitors of which something could not be measured. */
  readonly failures: ScanResult['failures'];
  /** Metrics that were measured and have no value. */
  readonly valueless?: ScanResult['valueless'];
  /** What the scan found; undefined for a vector collection, whose members are not fixed. */
  readonly columns: ScanResult['columns'] | undefined;
  /** What it was asked. */
  readonly options: AssetOptions;
};

export function scanJob({ metadata, sources, runScan, limits, clock }: ScanJobOptions): RunJob<ScanOutcome> {
  const columnsOfView = rememberedColumns();
  return async (claimed: ClaimedJob, { signal, onProgress }) => {
    const tenant = metadata.forTenant(claimed.tenant_id);
    const asset = await tenant.assets.get(claimed.job.asset_id, { with_attributes: true });
    const options = optionsOf(asset, claimed);
    const nowMs = clock.nowMs();
    const report = progressReport(onProgress);
    report({ phase: 'reading', rowsRead: 0, fraction: null });

    const monitors = await tenant.monitors.list(asset.id);
    const measured = monitors.filter(({ enabled, type }) => enabled && type !== 'PREDEFINED_METRIC');
    const opened = await sources.openForScan(tenant, asset, {
      signal,
      temporaryDirectory: limits.temporaryDirectory,
      run: { id: claimed.job.id, attempt: claimed.attempt },
      onSparkProgress: (progress) => report({ spark: progress }),
      onClusterState: (state) => report({ cluster: state }),
      onProgress: (bytesRead, bytesTotal) => report({ phase: 'reading', rowsRead: 0, fraction: shareOf(bytesRead, bytesTotal) }),
      location: locationOf(asset.payload, options),
      onlyHere: onlyHere(asset, options, measured),
    });
    await using source = opened.source;
    const previous = await previousMemory(tenant, asset.id);
    const result = await runScan(
      {
        source,
        options,
        attributes: [...(asset.attributes ?? []), ...newAttributes(asset, source.description.columns, previous)],
        monitors: measured,
        cellVerdicts: await tenant.wrongCells.verdicts(asset.id),
        ...(previous === undefined ? {} : { previous }),
        nowMs,
        seed: asset.id,
      },
      { limits, clock, signal, onProgress: report },
    );
    await storeReading(tenant, asset, source.description);
    await tenant.attributes.replace(asset.id, result.columns, { monitorNew: true });
    const { definition, columns } = source.description;
    const { temporaryDirectory } = limits;
    const made = definition === undefined ? undefined : await columnsOfView(definition, { temporaryDirectory, signal });
    if (made !== undefined) await storeViewLineage(tenant, asset, { columns, sources: made });
    onProgress({ phase: 'saving', rows_read: result.recordsScanned, fraction: 1 });
    return {
      details: detailsOf(result, monitors, opened.reason),
      rows_read: result.recordsScanned,
      metric_time: new Date(nowMs).toISOString(),
      metrics: result.metrics,
      schema_changes: result.schemaChanges,
      samples: result.samples,
      cells: result.cells,
      memory: result.memory,
      rule_counts: result.ruleCounts,
      segment_moves: result.segmentMoves,
      file_changes: result.fileChanges,
      failures: result.failures,
      valueless: result.valueless,
      columns: source.data.kind === 'vectors' ? undefined : result.columns,
      options,
    };
  };
}

/** What the job was asked for goes before what its asset says. */
function optionsOf({ options }: Asset, { request }: ClaimedJob): AssetOptions {
  // `ScanRequestOptions` is what was stored with the job.
  const { trigger: _trigger, trace: _trace, ...asked } = request as ScanRequestOptions;
  return { ...options, ...asked };
}

/** What Spark does not measure. */
function onlyHere({ payload }: Asset, { find_wrong_cells }: AssetOptions, monitors: readonly Monitor[]): string | undefined {
  if (find_wrong_cells === 'true') return 'scans search only files for wrong cells';
  if ((payload.vectors ?? null) !== null) return 'its rows are points with vectors';
  const isSql = ({ monitor }: Monitor) =>
    typeof monitor === 'object' && monitor !== null && 'raw_sql' in monitor && monitor.raw_sql === true;
  return monitors.some(isSql) ? 'a metric is custom SQL, which cannot be run on Spark' : undefined;
}

async function previousMemory(tenant: TenantMetadata, assetId: string): Promise<ScanMemory | undefined> {
  // A scan wrote it, or there is none.
  return ((await tenant.scanMemory.get(assetId)) ?? undefined) as ScanMemory | undefined;
}

/** Columns that came since the scan before are measured at once: whether one was renamed shows in its values. */
function newAttributes(
  { attributes = [] }: Asset,
  columns: readonly Column[],
  previous: ScanMemory | undefined,
): ScanRequest['attributes'] {
  if (previous === undefined) return [];
  const known = new Set(attributes.map(({ name }) => name));
  return columns.filter(({ name }) => !known.has(name)).map(({ name, data_type }) => ({ name, data_type, monitored: true }));
}

/** Both the scan and the Spark that it runs on say how far they are. */
function progressReport(onProgress: (progress: RunningProgress) => void) {
  let progress: RunningProgress = { phase: 'reading', rows_read: 0, fraction: null };
  return (said: ScanProgress | { readonly spark: SparkProgress } | { readonly cluster: ClusterState }) => {
    if ('cluster' in said) progress = { ...progress, details: clusterSentence(said.cluster) };
    else if ('spark' in said) progress = { ...progress, details: sparkSentence(said.spark) };
    else progress = { ...progress, phase: said.phase, rows_read: said.rowsRead, fraction: said.fraction };
    onProgress(progress);
  };
}

export function clusterSentence({ name, state }: ClusterState): string {
  return `Waiting for cluster ${name}: state ${state}.`;
}

export function sparkSentence({ stages, tasks, tasksDone, bytesRead }: SparkProgress): string {
  const read = bytesRead === 0 ? '' : `, ${Math.ceil(bytesRead / 1_000_000)} MB read`;
  return `Spark runs a statement: ${tasksDone} of ${tasks} tasks in ${stages} ${stages === 1 ? 'stage' : 'stages'}${read}.`;
}

function shareOf(part: number, whole: number | null): number | null {
  return whole === null || whole === 0 ? null : Math.min(1, part / whole);
}

type Named = Pick<Monitor, 'id' | 'name'>;
type Findings = Pick<ScanResult, 'recordsScanned' | 'rejectedRows' | 'failures' | 'omissions' | 'metrics'>;

/** In one line, for people: how much was measured, and what was not. */
export function detailsOf(
  { recordsScanned, rejectedRows, failures, omissions, metrics }: Findings,
  monitors: readonly Named[],
  engine?: string,
): string {
  const broken = rejectedRows === 0 ? '' : `; ${rejectedRows} ${rejectedRows === 1 ? 'row was' : 'rows were'} rejected`;
  const nameOf = (id: string): string => monitors.find((monitor) => monitor.id === id)?.name ?? id;
  const failed = failures.map(({ monitor_id, reason }) => ` \`${nameOf(monitor_id)}\` could not be measured: ${ended(reason)}`).join('');
  const omitted = omissions.map((sentence) => ` ${ended(sentence)}`).join('');
  return `${recordsScanned} records scanned, ${metrics.length} values measured${broken}.${engine === undefined ? '' : ` ${engine}`}${failed}${omitted}`;
}

function ended(sentence: string): string {
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
