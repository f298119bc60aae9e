// SPDX-License-Identifier: Apache-2.0
/** The score at this moment: an incident that was opened or closed since the last scan counts at once, and so do other weights. */
import type { CurrentScore, DqScoreConfig, Monitor, ScoreChange, ScoreHistoryItem, ScorePart } from '@sextant/contracts-observability';
import type { ScoreRecord, ScoreStanding } from '@sextant/observability-metadata';
import { bandOf, DEFAULT_DQ_SCORE, explainChange, measureIncidents, scoreCap, scoreOf } from '@sextant/observability-monitors';

export type Standing = Pick<ScoreStanding, 'asset_id' | 'config' | 'last' | 'exposure'> & {
  /** The scan before the last one. */
  readonly previous?: ScoreRecord | undefined;
  readonly monitors: readonly Pick<Monitor, 'id' | 'monitor'>[];
};

/** What a scan measured; the rest is asked of the incidents. */
const OF_SCAN: readonly ScorePart['dimension'][] = ['completeness', 'accuracy'];

export function currentScore(standing: Standing): CurrentScore {
  const { asset_id, last, previous } = standing;
  const { enabled, weights }: DqScoreConfig = standing.config ?? DEFAULT_DQ_SCORE;
  const none = { asset_id, score: null, band: null, parts: [], deduction: 0, cap: null, change: null };
  const scan = { job_id: last?.job_id ?? null, metric_time: last?.metric_time ?? null };
  if (!enabled) return { ...none, ...scan, state: 'disabled' };
  if (last === undefined) return { ...none, ...scan, state: 'not_scanned' };
  const measured = last.parts.filter(({ dimension }) => OF_SCAN.includes(dimension));
  const isFreshnessMeasured = last.parts.some(({ dimension, value }) => dimension === 'timeliness' && value !== null);
  const incidents = measureIncidents({ exposure: standing.exposure, monitors: standing.monitors, scan: measured, isFreshnessMeasured });
  const cap = scoreCap(standing.exposure) ?? null;
  const { score, ...made } = scoreOf([...measured, ...incidents], weights, cap?.score);
  if (score === null) return { ...none, ...scan, state: 'not_measured' };
  return { asset_id, ...scan, state: 'scored', score, band: bandOf(score), ...made, cap, change: changeOf(previous, { score, ...made }) };
}

/** Oldest first; each item with what changed since the one before it. */
export function scoreHistory(records: readonly (ScoreRecord & { readonly score: number })[]): readonly ScoreHistoryItem[] {
  return records.map(({ job_id, metric_time, score, parts }, index) => ({
    job_id,
    metric_time,
    score,
    band: bandOf(score),
    parts,
    deduction: deductionOf({ score, parts }),
    change: changeOf(records[index - 1], { score, parts, deduction: deductionOf({ score, parts }) }),
  }));
}

type Scored = { readonly score: number; readonly parts: readonly ScorePart[] };

/** What of the parts the score does not hold. */
function deductionOf({ score, parts }: Scored): number {
  const sum = parts.reduce((points, { contribution }) => points + contribution, 0);
  // Less is noise of floating point.
  return sum - score > 1e-6 ? sum - score : 0;
}

function changeOf(from: ScoreRecord | undefined, to: Scored & { readonly deduction: number }): ScoreChange | null {
  if (from === undefined || from.score === null) return null;
  const { score: from_score } = from;
  const of_cap = deductionOf({ score: from_score, parts: from.parts }) - to.deduction;
  return { since: from.metric_time, from_score, difference: to.score - from_score, parts: explainChange(from.parts, to.parts), of_cap };
}
