// SPDX-License-Identifier: Apache-2.0
/** What an hour of load has shown: whether anything grows that must not, and whether every request was answered. */
import type { Resources } from './resources.ts';
import { slopeOf } from './slope.ts';

/** What one minute of load came to. Memory is the least that was seen in it, as garbage that waits is no leak. */
export type Minute = Resources & {
  readonly minute: number;
  readonly rate: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly p999Ms: number;
  readonly errors: number;
};

type Measure = {
  readonly name: string;
  readonly of: (minute: Minute) => number;
  /** Growth in an hour that matters: so much, and such a share of what there is. */
  readonly perHour: number;
  readonly share: number;
};

/** Caches, pages and codes of the first minutes grow; what is judged comes after them. */
const WARM_UP_SHARE = 0.2;
/** Fewer prove nothing: with 99 % confidence no slope of theirs is above zero. */
const MINUTES_MIN = 8;

const MEASURES: readonly Measure[] = [
  { name: 'resident memory, MB', of: ({ residentMb }) => residentMb, perHour: 50, share: 0.1 },
  { name: 'V8 heap, MB', of: ({ heapMb }) => heapMb, perHour: 10, share: 0.2 },
  { name: 'external memory, MB', of: ({ externalMb }) => externalMb, perHour: 20, share: 0.1 },
  { name: 'descriptors', of: ({ descriptors }) => descriptors, perHour: 5, share: 0.05 },
  { name: 'disk, MB', of: ({ diskMb }) => diskMb, perHour: 50, share: 0.1 },
  { name: 'p99, ms', of: ({ p99Ms }) => p99Ms, perHour: 5, share: 0.5 },
];

export type Verdict = { readonly isGood: boolean; readonly lines: readonly string[] };

export function judge(minutes: readonly Minute[]): Verdict {
  const errors = minutes.reduce((sum, minute) => sum + minute.errors, 0);
  const answered = errors === 0 ? 'every request was answered' : `FAULT: ${errors} requests were not answered as they should be`;
  const judged = minutes.slice(Math.floor(minutes.length * WARM_UP_SHARE));
  if (judged.length < MINUTES_MIN) {
    return {
      isGood: errors === 0,
      lines: [answered, `slopes: ${judged.length} minutes are too few to judge, ${MINUTES_MIN} are needed after the warm-up`],
    };
  }
  const slopes = MEASURES.map((measure) => judgeMeasure(judged, measure));
  return { isGood: errors === 0 && slopes.every(({ isGood }) => isGood), lines: [answered, ...slopes.map(({ line }) => line)] };
}

function judgeMeasure(minutes: readonly Minute[], { name, of, perHour, share }: Measure) {
  const values = minutes.map(of);
  if (values.some((value) => Number.isNaN(value))) return { isGood: true, line: `${name}: unknown on this system` };
  const { perStep, low, high } = slopeOf(values);
  const level = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const isGood = !(low > 0 && perStep * 60 > Math.max(perHour, level * share));
  const hourly = (slope: number) => (slope * 60).toFixed(1);
  const line = `${isGood ? 'ok' : 'FAULT'}: ${name}: ${level.toFixed(1)}, ${hourly(perStep)} an hour (99 % between ${hourly(low)} and ${hourly(high)})`;
  return { isGood, line };
}
