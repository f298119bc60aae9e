/**
 * Judges a folder of labelled series with the thresholds as they were frozen when the model was, on the development half of the benchmark. Nothing here
 * looks at the labels but the score.
 */
import { byCategory, type Run, totalScore } from './comparison.ts';
import { PROFILES, type Profile } from './nab-score.ts';

/** 3 is what a monitor of one series promises, one false alarm in a thousand values. */
export const FROZEN: { readonly [Name in (typeof PROFILES)[number]['name']]: number } = { standard: 3, 'low-FP': 3.1, 'low-FN': 2.8 };

export type FrozenFigures = {
  readonly standard: number | undefined;
  readonly lowFP: number | undefined;
  readonly lowFN: number | undefined;
  readonly files: readonly { readonly file: string; readonly windows: number; readonly found: number; readonly falseAlarms: number }[];
};

/** `files` are those of the standard threshold. */
export function frozenFigures(runs: readonly Run[]): FrozenFigures {
  const [standard, lowFP, lowFN] = PROFILES.map((profile) => totalScore(runs, profile, FROZEN[profile.name]));
  const files = runs.map((run) => {
    const [counts] = byCategory([run], PROFILES[0] satisfies Profile, FROZEN.standard);
    return { file: run.series.name, windows: run.windows.length, found: counts?.found ?? 0, falseAlarms: counts?.falseAlarms ?? 0 };
  });
  return { standard, lowFP, lowFN, files };
}
