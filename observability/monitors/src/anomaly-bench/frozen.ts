// SPDX-License-Identifier: Apache-2.0
/**
 * Judges a folder of labelled series with the thresholds as they were frozen when the model was, on the development half of the benchmark. Nothing here
 * looks at the labels but the score.
 */
import { byCategory, type Run, totalScore } from './comparison.ts';
import { PROFILES, type Profile } from './nab-score.ts';

/** 3 is what a monitor of one series promises, one false alarm in a thousand values. */
export const FROZEN: { readonly [Name in (typeof PROFILES)[number]['name']]: number } = { standard: 3, 'low-FP': 3.1, 'low-FN': 2.8 };

export type FrozenFigures = {
  /** Null where there is no window to find. */
  readonly standard: number | null;
  readonly lowFP: number | null;
  readonly lowFN: number | null;
  readonly files: readonly { readonly file: string; readonly windows: number; readonly found: number; readonly falseAlarms: number }[];
};

/** `files` are those of the standard threshold. */
export function frozenFigures(runs: readonly Run[]): FrozenFigures {
  const [standard = null, lowFP = null, lowFN = null] = PROFILES.map((profile) => totalScore(runs, profile, FROZEN[profile.name]) ?? null);
  const files = runs.map((run) => {
    const [counts] = byCategory([run], PROFILES[0] satisfies Profile, FROZEN.standard);
    return { file: run.series.name, windows: run.windows.length, found: counts?.found ?? 0, falseAlarms: counts?.falseAlarms ?? 0 };
  });
  return { standard, lowFP, lowFN, files };
}
