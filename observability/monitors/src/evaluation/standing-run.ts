// SPDX-License-Identifier: Apache-2.0
/** A value that has stood still for longer than the past of its series makes likely: which run it goes on, and what the past was like. */
import type { SeriesPoint } from '../bands/band.ts';
import type { Watched } from './watched.ts';

export type StandingRun = {
  /** With this one. */
  readonly scans: number;
  readonly sinceMs: number;
  /** Of the values before the run, those that repeated the value before them. */
  readonly past: { readonly values: number; readonly repeated: number };
};

/**
 * Undefined where to stay is no fault: where only one side of the band is bad, a value that stays is as good as one that goes to the other side; 0 and the
 * ends of a range are where there is nothing, or all; and a value that a person said to expect may stay.
 */
export function standingRun({ value, history, traits, origin, zero = 0, isRestated = false }: Watched): StandingRun | undefined {
  const { side, range } = traits;
  if (value === null || side !== 'both' || origin !== 'point' || zero !== 0 || isRestated) return undefined;
  if (value === 0 || value === range.minimum || value === range.maximum) return undefined;
  const known = history.filter(isLearned);
  const first = known.findLastIndex((point) => point.value !== value) + 1;
  const run = known.slice(first);
  const [begun] = run;
  if (begun === undefined || run.some(({ isExpected }) => isExpected === true)) return undefined;
  const before = known.slice(0, first);
  const repeated = before.filter((point, index) => index > 0 && point.value === before[index - 1]?.value).length;
  return { scans: run.length + 1, sinceMs: begun.timeMs, past: { values: before.length, repeated } };
}

function isLearned({ value, isExcluded }: SeriesPoint): boolean {
  return value !== null && !isExcluded;
}
