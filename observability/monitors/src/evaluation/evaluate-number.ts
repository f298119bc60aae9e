// SPDX-License-Identifier: Apache-2.0
/** Compares one number with a threshold. */
import type { Threshold } from '@sextant/contracts-observability';
import type { Band, CreateBandModel, LearnedBand, SeriesPoint, ShapeEvidence, SharedShapes, Surprise } from '../bands/band.ts';
import { reachingExpected } from '../bands/expected-values.ts';
import { learned } from './scan-series.ts';
import { type StandingRun, standingRun } from './standing-run.ts';
import type { Watched } from './watched.ts';

export type EvaluatedNumber = {
  readonly watched: Watched;
  /** What was evaluated: the measured value, or what stands for it where there is none. */
  readonly value: number;
  readonly band: Band;
  /** Of the band before a side of it was opened; null where one bound was never given. */
  readonly width: number | null;
  readonly isViolation: boolean;
  /** Of a learned band. */
  readonly surprise?: Surprise | undefined;
  /** Where the violation is that it stands still, within its band. */
  readonly standing?: StandingRun | undefined;
};

export type NumberContext = {
  readonly threshold: Threshold;
  readonly familySize: number;
  readonly createBandModel: CreateBandModel;
  readonly timeMs: number;
  /** What holds as long as a learned band knows nothing; without it the value is not evaluated then. */
  readonly untaught: Band | undefined;
};

/** Past values that stand for a missing one together, where no number of them is asked for. */
const AVERAGED = 20;
/** Of the latest values. */
const STEADY_SHARE = 0.9;

/** A number of a scan, and its series, which has learned all there is before. */
export type ReadyNumber = {
  readonly watched: Watched;
  /** What the series tells its siblings. */
  readonly evidence: (() => ShapeEvidence | undefined) | undefined;
  /** With what they say together; undefined where there is too little history. */
  readonly evaluate: (shapes: SharedShapes | undefined) => EvaluatedNumber | undefined;
};

/** Undefined where there is no value. */
export function readyNumber(watched: Watched, numberContext: NumberContext): ReadyNumber | undefined {
  const value = watched.value ?? extrapolate(watched, numberContext.threshold);
  if (value === undefined) return undefined;
  const { evidence, bandWith } = readyBand(watched, numberContext);
  const evaluateWith = (shapes: SharedShapes | undefined) => {
    const found = bandWith(shapes);
    if (found === undefined) return undefined;
    const { surpriseOf, flatlineOf, ...rest } = found;
    const isBeyond = isOutside(value, found.band);
    const flatline = isBeyond ? undefined : flatlineOf?.(value);
    const standing = flatline && standingRun(watched);
    if (standing === undefined) return { watched, value, ...rest, isViolation: isBeyond, surprise: surpriseOf?.(value) };
    return { watched, value, ...rest, isViolation: true, surprise: flatline, standing };
  };
  return { watched, evidence, evaluate: evaluateWith };
}

export function isOutside(value: number, { lower, upper }: Band): boolean {
  return (lower !== null && value < lower) || (upper !== null && value > upper);
}

function extrapolate({ history }: Watched, { extrapolation_strategy: strategy, history_limit: limit }: Threshold): number | undefined {
  if (strategy === 'IGNORE') return undefined;
  const past = learned(history).slice(-(limit === 0 ? AVERAGED : limit));
  // What was never measured is not missing.
  if (past.length === 0) return undefined;
  return strategy === 'ZERO' ? 0 : past.reduce((sum, value) => sum + value, 0) / past.length;
}

type FoundBand = Pick<EvaluatedNumber, 'band' | 'width'> & Pick<LearnedBand, 'surpriseOf' | 'flatlineOf'>;

function readyBand(
  watched: Watched,
  { threshold, familySize, createBandModel, timeMs, untaught }: NumberContext,
): Pick<ReadyNumber, 'evidence'> & { readonly bandWith: (shapes: SharedShapes | undefined) => FoundBand | undefined } {
  const { history, traits, zero = 0, memory } = watched;
  const model = createBandModel(threshold, { ...traits.range, familySize });
  if (threshold.threshold_type !== 'ML') {
    const band = model.bandAt(history, timeMs);
    return { evidence: undefined, bandWith: () => band && { band, width: widthOf(band) } };
  }
  const past = zero === 0 ? history : history.map((point) => movedBy(point, -zero));
  const ready = model.readyAt(past, timeMs, memory);
  return {
    evidence: ready?.evidence,
    bandWith: (shapes) => {
      const band = ready?.band(shapes);
      if (band !== undefined) return learnedBandOf(watched, band);
      return untaught && { band: reachingExpected(untaught, history, traits.range), width: null };
    },
  };
}

function learnedBandOf(watched: Watched, { lower, upper, surpriseOf, flatlineOf }: LearnedBand): FoundBand {
  const {
    history,
    traits: { side, range },
    zero = 0,
  } = watched;
  const wide = reachingExpected(widenedBand({ lower: plus(lower, zero), upper: plus(upper, zero) }, watched), history, range);
  return {
    band: { lower: side === 'above' ? null : wide.lower, upper: side === 'below' ? null : wide.upper },
    width: widthOf(wide),
    surpriseOf: zero === 0 ? surpriseOf : undefined,
    flatlineOf,
  };
}

/** What stood at the end of its range at every scan says more than the little history from which the model supposes a deviation. */
function widenedBand(band: Band, { history, traits: { perfect, limit }, tolerance, usual, most }: Watched): Band {
  if (perfect !== undefined && isSteadily(perfect, history)) return { lower: perfect, upper: perfect };
  const wide = cutAt(most, widened(limit !== undefined && isSteadily(limit, history) ? { lower: limit, upper: limit } : band, tolerance));
  if (usual === undefined) return wide;
  return {
    lower: wide.lower === null ? null : Math.min(wide.lower, usual.lower),
    upper: wide.upper === null ? null : Math.max(wide.upper, usual.upper),
  };
}

function cutAt(most: number | undefined, { lower, upper }: Band): Band {
  if (most === undefined || upper === null || upper <= most) return { lower, upper };
  return { lower: lower === null ? null : Math.min(lower, most), upper: most };
}

function movedBy({ timeMs, value, isExcluded }: SeriesPoint, by: number): SeriesPoint {
  return { timeMs, value: plus(value, by), isExcluded };
}

function plus(value: number | null, by: number): number | null {
  return value === null ? null : value + by;
}

/** Faults of the past do not make a rule that always held into one that mostly does. */
function isSteadily(value: number, history: Watched['history']): boolean {
  const past = learned(history).slice(-AVERAGED);
  return past.filter((other) => other === value).length >= STEADY_SHARE * past.length;
}

/** At least as far from its middle as the tolerance. */
function widened({ lower, upper }: Band, tolerance: Watched['tolerance']): Band {
  const middle = lower === null || upper === null ? (lower ?? upper) : (lower + upper) / 2;
  if (middle === null) return { lower, upper };
  const least = tolerance(middle);
  return {
    lower: lower === null ? null : Math.min(lower, middle - least),
    upper: upper === null ? null : Math.max(upper, middle + least),
  };
}

function widthOf({ lower, upper }: Band): number | null {
  return lower === null || upper === null ? null : upper - lower;
}
