// SPDX-License-Identifier: Apache-2.0
/** What else people put thresholds on, with the limits that it is usually given. */

/** Judges a value, undefined where it is too early to say, and learns it. */
export type Judge = {
  readonly judge: (timeMs: number, value: number) => boolean | undefined;
  readonly learn: (timeMs: number, value: number) => void;
};

export type Rival = {
  readonly name: string;
  readonly begin: () => Judge;
};

const DEVIATIONS = 3;
const WINDOW = 30;
const WEEKS = 8;
const LEAST = 5;
/** Iglewicz and Hoaglin, How to Detect and Handle Outliers, 1993. */
const MAD_LIMIT = 3.5;
const MAD_SCALE = 0.6745;
/** Roberts 1959; the usual choice of a chart. */
const EWMA_RATE = 0.2;
const DAY_MS = 86_400_000;

export const RIVALS: readonly Rival[] = [
  { name: 'z-score of 30', begin: () => windowed(WINDOW, (past, value) => Math.abs(value - mean(past)) > DEVIATIONS * deviation(past)) },
  { name: 'z-score by weekday', begin: byWeekday },
  {
    name: 'robust z (MAD) of 30',
    begin: () =>
      windowed(WINDOW, (past, value) => {
        const middle = median(past);
        return MAD_SCALE * Math.abs(value - middle) > MAD_LIMIT * median(past.map((each) => Math.abs(each - middle)));
      }),
  },
  { name: 'EWMA', begin: ewma },
];

function windowed(length: number, isOut: (past: readonly number[], value: number) => boolean): Judge {
  const past: number[] = [];
  return {
    judge: (_, value) => (past.length < LEAST ? undefined : isOut(past, value)),
    learn: (_, value) => {
      past.push(value);
      if (past.length > length) past.shift();
    },
  };
}

function byWeekday(): Judge {
  const days = Array.from({ length: 7 }, () =>
    windowed(WEEKS, (past, value) => Math.abs(value - mean(past)) > DEVIATIONS * deviation(past)),
  );
  const dayAt = (timeMs: number) => days[Math.floor(timeMs / DAY_MS) % 7];
  return {
    judge: (timeMs, value) => dayAt(timeMs)?.judge(timeMs, value),
    learn: (timeMs, value) => dayAt(timeMs)?.learn(timeMs, value),
  };
}

/** The chart of the smoothed values, around the mean of the window. */
function ewma(): Judge {
  const past: number[] = [];
  let smoothed: number | undefined;
  const next = (value: number) => (smoothed === undefined ? value : smoothed + EWMA_RATE * (value - smoothed));
  return {
    judge: (_, value) => {
      if (past.length < LEAST) return undefined;
      return Math.abs(next(value) - mean(past)) > DEVIATIONS * deviation(past) * Math.sqrt(EWMA_RATE / (2 - EWMA_RATE));
    },
    learn: (_, value) => {
      smoothed = next(value);
      past.push(value);
      if (past.length > WINDOW) past.shift();
    },
  };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function deviation(values: readonly number[]): number {
  const middle = mean(values);
  return Math.sqrt(values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1));
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((first, second) => first - second);
  return ((sorted[sorted.length >> 1] ?? 0) + (sorted[(sorted.length - 1) >> 1] ?? 0)) / 2;
}
