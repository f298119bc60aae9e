// SPDX-License-Identifier: Apache-2.0
/** Scores of detectors on a corpus: in total, by category, and with thresholds that never saw the file they evaluate. */
import type { Detector } from './detectors.ts';
import type { LabelledSeries } from './nab-corpus.ts';
import { normalised, optimise, type Profile, probationRows, rawScore, type ScoredFile } from './nab-score.ts';

export type Run = { readonly series: LabelledSeries } & ScoredFile;

/** Normalised scores, 0 for the null detector and 100 for the perfect one; undefined where there is no window to find. */
export type CategoryResult = {
  readonly category: string;
  readonly files: number;
  readonly windows: number;
  readonly found: number;
  readonly falseAlarms: number;
  readonly score: number | undefined;
};

export function runDetector(detector: Detector, corpus: readonly LabelledSeries[]): readonly Run[] {
  return corpus.map((series) => {
    const score = detector.begin();
    // What is missing is no scan.
    const scores = series.values.map((value, row) => (Number.isNaN(value) ? 0 : score(series.timesMs[row] ?? 0, value)));
    return { series, windows: series.windows, scores };
  });
}

/** Total under one threshold for all files. */
export function totalScore(runs: readonly Run[], profile: Profile, threshold: number): number | undefined {
  return normalised(rawScore(runs, profile, threshold), { windows: windowsOf(runs), profile });
}

/** Total where each category is evaluated with the threshold that is best for all other categories. */
export function heldOutScore(runs: readonly Run[], profile: Profile): number | undefined {
  const byCategory = Map.groupBy(runs, ({ series }) => series.category);
  let raw = 0;
  for (const [category, members] of byCategory) {
    const others = runs.filter(({ series }) => series.category !== category);
    raw += rawScore(members, profile, optimise(others, profile).threshold);
  }
  return normalised(raw, { windows: windowsOf(runs), profile });
}

/** What one threshold for all files comes to in each category, in order of first appearance. */
export function byCategory(runs: readonly Run[], profile: Profile, threshold: number): readonly CategoryResult[] {
  const categories = [...new Set(runs.map(({ series }) => series.category))];
  return categories.map((category) => {
    const members = runs.filter(({ series }) => series.category === category);
    const counts = members.map((run) => countsOf(run, threshold));
    return {
      category,
      files: members.length,
      windows: windowsOf(members),
      found: sum(counts.map(({ found }) => found)),
      falseAlarms: sum(counts.map(({ falseAlarms }) => falseAlarms)),
      score: totalScore(members, profile, threshold),
    };
  });
}

function countsOf({ scores, windows }: Run, threshold: number): { readonly found: number; readonly falseAlarms: number } {
  const found = new Set<number>();
  let falseAlarms = 0;
  for (let row = probationRows(scores.length); row < scores.length; row += 1) {
    if ((scores[row] ?? 0) < threshold) continue;
    const window = windows.findIndex(({ first, last }) => row >= first && row <= last);
    if (window < 0) falseAlarms += 1;
    else found.add(window);
  }
  return { found: found.size, falseAlarms };
}

export function windowsOf(runs: readonly Run[]): number {
  return sum(runs.map(({ windows }) => windows.length));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
