// SPDX-License-Identifier: Apache-2.0
/** What a scan says about the causes of the violations that the monitors found in it: numbers before and after, not guesses. */
import { CHECK_ERROR, type IncidentEvidence, type MetricName } from '@sextant/contracts-observability';
import type { Evaluation, EvaluationRequest, Verdict, Violation } from '../evaluation/evaluation.ts';
import { ScanSeries } from '../evaluation/scan-series.ts';
import { movedShares, movedStatistics } from './distribution-shift.ts';
import { schemaEvidence } from './renames.ts';
import { type VolumeMove, volumeEvidence } from './volume-change.ts';

/** Of one rule, as the scan counted. */
export type CountedRule = {
  readonly monitor_id: string;
  readonly checked: number;
  readonly failed: number;
  readonly segments?: Extract<IncidentEvidence, { kind: 'RULE' }>['segments'];
  /** Why there are none. */
  readonly unexplained?: string;
};

/** A change of one attribute, or of the number of rows, as the scan broke it down by rows. */
export type SegmentMove = ColumnMove | VolumeMove;
type ColumnMove = Omit<Extract<IncidentEvidence, { kind: 'SEGMENTS' }>, 'kind'>;

/** Rows of one file, of an asset of several. */
export type FileChange = NonNullable<Extract<IncidentEvidence, { kind: 'VOLUME' }>['files']>[number];

export type ExplanationRequest = EvaluationRequest & {
  readonly ruleCounts: readonly CountedRule[];
  readonly segmentMoves: readonly SegmentMove[];
  /** Files whose number of rows changed, the greatest change first. */
  readonly fileChanges?: readonly FileChange[];
};

/** Of one monitor. */
const EVIDENCE_MAX = 20;

/** Metrics of the numbers in an attribute. */
const OF_NUMBERS: ReadonlySet<MetricName> = new Set<MetricName>(['MIN', 'MAX', 'MEAN', 'MEDIAN', 'STDDEV', 'QUANTILE']);

/** Metrics of whether there is a value. */
const OF_FILLED: ReadonlySet<MetricName> = new Set<MetricName>(['COMPLETENESS', 'NULL_PERCENTAGE', 'EMPTY_PERCENTAGE']);

/** The same evaluation; its violated verdicts carry evidence. */
export function explained(request: ExplanationRequest, evaluation: Evaluation): Evaluation {
  const scan = new ScanSeries(request);
  return {
    ...evaluation,
    verdicts: evaluation.verdicts.map((verdict) => {
      const evidence = verdict.outcome === 'violated' ? evidenceOf(verdict, { request, scan }) : [];
      return evidence.length === 0 ? verdict : { ...verdict, evidence };
    }),
  };
}

type Context = { readonly request: ExplanationRequest; readonly scan: ScanSeries };

function evidenceOf({ violations }: Verdict, context: Context): readonly IncidentEvidence[] {
  const found = new Map<string, IncidentEvidence>();
  for (const violation of violations) {
    const kind = kindOf(violation);
    // Why a check could not run is its reason.
    if (kind === undefined) continue;
    const key = JSON.stringify([kind, ...placeOf(kind, violation)]);
    if (found.has(key) || found.size >= EVIDENCE_MAX) continue;
    const evidence = evidenceFor(kind, violation, context, violations);
    if (evidence !== undefined) found.set(key, evidence);
    const move = moveOf(violation, context.request);
    if (move !== undefined) found.set(JSON.stringify(['move', move.attribute, move.measure]), { kind: 'SEGMENTS', ...move });
  }
  return [...found.values()];
}

type Kind = 'rule' | 'volume' | 'schema' | 'statistics' | 'shares';

function kindOf({ metric_name, attribute, rule }: Violation): Kind | undefined {
  if (metric_name === CHECK_ERROR) return undefined;
  if (rule !== null) return 'rule';
  if (metric_name === 'SCHEMA') return 'schema';
  if (attribute === null) return 'volume';
  return OF_NUMBERS.has(metric_name) ? 'statistics' : 'shares';
}

/** The rows that made the change; of a segment, it is the segment that made it. */
function moveOf({ metric_name, attribute, segment, rule }: Violation, { segmentMoves }: ExplanationRequest): ColumnMove | undefined {
  if (rule !== null || segment !== null || metric_name === CHECK_ERROR) return undefined;
  const wanted = OF_NUMBERS.has(metric_name) ? 'MEAN' : OF_FILLED.has(metric_name) ? 'COMPLETENESS' : undefined;
  return segmentMoves.find((move): move is ColumnMove => move.attribute === attribute && move.measure === wanted);
}

/** What one piece of evidence is about: several violations may be explained by it. */
function placeOf(kind: Kind, { attribute, segment, series }: Violation): readonly (string | null)[] {
  switch (kind) {
    case 'rule':
      return [series?.monitor_id ?? null];
    case 'schema':
    case 'volume':
      return [];
    case 'statistics':
    case 'shares':
      return [attribute, segment];
  }
}

function evidenceFor(
  kind: Kind,
  { metric_name, attribute, segment, series, rule }: Violation,
  { request, scan }: Context,
  all: readonly Violation[],
): IncidentEvidence | undefined {
  switch (kind) {
    case 'rule': {
      const counted = request.ruleCounts.find(({ monitor_id }) => monitor_id === series?.monitor_id);
      if (counted === undefined || counted.failed === 0) return undefined;
      const { checked, failed, segments = [], unexplained } = counted;
      return { kind: 'RULE', rule: rule ?? '', attribute, checked, failed, segments, ...(unexplained !== undefined && { unexplained }) };
    }
    case 'schema':
      return schemaEvidence(all, scan);
    case 'volume':
      return metric_name === 'RECORD_COUNT' && segment === null
        ? volumeEvidence(scan, { move: request.segmentMoves.find(isVolume), files: request.fileChanges })
        : undefined;
    case 'statistics':
      return attribute === null ? undefined : movedStatistics({ attribute, segment }, scan);
    case 'shares':
      return attribute === null ? undefined : movedShares({ attribute, segment }, scan);
  }
}

function isVolume(move: SegmentMove): move is VolumeMove {
  return move.measure === 'VOLUME';
}
