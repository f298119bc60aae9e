// SPDX-License-Identifier: Apache-2.0
/**
 * The scoring function of the Numenta Anomaly Benchmark, of which `docs/reference/benchmarks-anomaly.md` has the results.
 *
 * Lavin & Ahmad, "Evaluating Real-time Anomaly Detection Algorithms", 2015, arXiv 1510.03336, section III; where the paper leaves a
 * detail open (the position of the last row of a window, the length of the probation), the published code decides: numenta/NAB,
 * `nab/sweeper.py`. The first alarm in a window counts, the more the earlier it comes; a window without one costs `missed`; each
 * alarm outside costs up to `falseAlarm`, less where it follows a window closely; nothing counts while a detector is on probation.
 */
import { assert } from '@sextant/foundation-std';

/** What an application pays: a found window earns 1. */
export type Profile = { readonly name: string; readonly falseAlarm: number; readonly missed: number };

/** numenta/NAB `config/profiles.json`, where they are named standard, reward_low_FP_rate and reward_low_FN_rate. */
export const PROFILES = [
  { name: 'standard', falseAlarm: 0.11, missed: 1 },
  { name: 'low-FP', falseAlarm: 0.22, missed: 1 },
  { name: 'low-FN', falseAlarm: 0.11, missed: 2 },
] as const satisfies readonly Profile[];

/** Rows from the first to the last, both inside. */
export type LabelWindow = { readonly first: number; readonly last: number };

/** The anomaly scores that a detector gave to each row of one file, the higher the surer. */
export type ScoredFile = { readonly scores: ArrayLike<number>; readonly windows: readonly LabelWindow[] };

/** A detector's best single threshold for some files; an alarm is a score of at least that. */
export type Optimum = { readonly threshold: number; readonly raw: number };

/** What an alarm at one row is worth, were it the first of its window; `window` counts through all files, -1 is outside. */
type Row = { readonly score: number; readonly window: number; readonly value: number };

const PROBATION_SHARE = 0.15;
const PROBATION_ROWS_MAX = 750;

/** Rows at the beginning of a file that are not scored. */
export function probationRows(rows: number): number {
  return Math.min(Math.floor(PROBATION_SHARE * rows), PROBATION_ROWS_MAX);
}

/** Near 1 at position -1 (the left edge of a window), 0 at its right edge, near -1 one width behind it, -1 from three widths on. */
export function scaledSigmoid(position: number): number {
  return position >= 3 ? -1 : 2 / (1 + Math.exp(5 * position)) - 1;
}

/** What an alarm at each row would be worth: positive inside windows, negative outside. */
export function rowValues({ rows, windows, profile }: { rows: number; windows: readonly LabelWindow[]; profile: Profile }): Float64Array {
  const values = new Float64Array(rows);
  let next = 0;
  for (let row = 0; row < rows; row += 1) {
    while (windows[next] !== undefined && (windows[next]?.last ?? 0) < row) next += 1;
    const current = windows[next];
    const previous = windows[next - 1];
    if (current !== undefined && row >= current.first) {
      const width = current.last - current.first + 1;
      values[row] = scaledSigmoid(-(current.last - row + 1) / width) / scaledSigmoid(-1);
    } else {
      const position = previous === undefined ? 3 : (row - previous.last) / (previous.last - previous.first);
      values[row] = scaledSigmoid(position) * profile.falseAlarm;
    }
  }
  return values;
}

/** Raw score of some files under one threshold. */
export function rawScore(files: readonly ScoredFile[], profile: Profile, threshold: number): number {
  const best = new Map<number, number>();
  let total = 0;
  for (const { score, window, value } of rowsOf(files, profile)) {
    if (window >= 0 && !best.has(window)) best.set(window, -profile.missed);
    if (score < threshold) continue;
    if (window < 0) total += value;
    else best.set(window, Math.max(best.get(window) ?? -profile.missed, value));
  }
  for (const value of best.values()) total += value;
  return total;
}

/** The threshold with the highest raw score, and that score; the highest threshold where several do as well. */
export function optimise(files: readonly ScoredFile[], profile: Profile): Optimum {
  const rows = rowsOf(files, profile).sort((a, b) => b.score - a.score);
  const best = new Map<number, number>();
  for (const { window } of rows) if (window >= 0) best.set(window, -profile.missed);
  let raw = -profile.missed * best.size;
  let optimum: Optimum = { threshold: Number.POSITIVE_INFINITY, raw };
  for (const [place, { score, window, value }] of rows.entries()) {
    if (window < 0) raw += value;
    else {
      const before = best.get(window) ?? -profile.missed;
      raw += Math.max(0, value - before);
      best.set(window, Math.max(before, value));
    }
    const isLastOfItsScore = rows[place + 1]?.score !== score;
    if (isLastOfItsScore && raw > optimum.raw) optimum = { threshold: score, raw };
  }
  return optimum;
}

/** 0 is a detector that never speaks, 100 one that speaks once at the beginning of each window; undefined where there is no window. */
export function normalised(raw: number, { windows, profile }: { windows: number; profile: Profile }): number | undefined {
  if (windows === 0) return undefined;
  const silent = -profile.missed * windows;
  return (100 * (raw - silent)) / (windows - silent);
}

function rowsOf(files: readonly ScoredFile[], profile: Profile): Row[] {
  const rows: Row[] = [];
  let windowsBefore = 0;
  for (const { scores, windows } of files) {
    const values = rowValues({ rows: scores.length, windows, profile });
    const windowOf = new Int32Array(scores.length).fill(-1);
    for (const [index, { first, last }] of windows.entries()) windowOf.fill(windowsBefore + index, first, last + 1);
    for (let row = probationRows(scores.length); row < scores.length; row += 1) {
      const score = scores[row] ?? Number.NaN;
      assert(Number.isFinite(score), 'a detector scores each row with a number');
      rows.push({ score, window: windowOf[row] ?? -1, value: values[row] ?? 0 });
    }
    windowsBefore += windows.length;
  }
  return rows;
}
