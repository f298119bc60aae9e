// SPDX-License-Identifier: Apache-2.0
/** What every kind of threshold comes down to: the band in which a value is expected. */
import type { Threshold } from '@sextant/contracts-observability';

/** A value outside is a violation; the bounds themselves are inside. Null is open. */
export type Band = { readonly lower: number | null; readonly upper: number | null };

/** One past measurement of a series. */
export type SeriesPoint = {
  readonly timeMs: number;
  /** Null where the scan gave no value. */
  readonly value: number | null;
  /** Excluded by a person: it does not teach. */
  readonly isExcluded: boolean;
  /** A person said that such a value is to be expected. */
  readonly isExpected?: boolean;
};

/** What is known of a series beside its points. */
export type SeriesTraits = {
  /** No value can be below or above these; undefined where any number can be. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Whether the values are numbers of things, of which one more or less is no news; undefined where integers are taken for that. */
  readonly isCount?: boolean;
  /** Series that the same monitor evaluates in the same scan: the more there are, the more confidence each verdict needs. */
  readonly familySize: number;
};

/** What spoke: the hour of the day or the week, the level, a shift of the mean, how much and how often the values move, or that they do not move any more. */
export type Detector = 'season' | 'level' | 'shift' | 'rate' | 'flatline';

/** A band that was learned, with what it says of a value. */
export type LearnedBand = Band & {
  /** Negative decimal logarithm of the chance of such a value, and what finds it least likely. */
  readonly surpriseOf?: ((value: number) => Surprise) | undefined;
  /** Of a value that has stayed exactly the same for longer than the past makes likely; undefined of any other. It may lie within the band. */
  readonly flatlineOf?: ((value: number) => Surprise | undefined) | undefined;
};

export type Surprise = {
  readonly score: number;
  readonly detector: Detector;
  /** Of a drift: the first scan of those that it is made of. */
  readonly sinceMs?: number;
};

/** What is kept of a series from one scan to the next, so that it is not learned from its points again. */
export type SeriesMemory = {
  /** As it was last kept; undefined for a series that is new. What another version kept is as good as none. */
  readonly kept: Uint8Array | undefined;
  readonly keep: (state: Uint8Array) => void;
};

/** Logarithms of the likelihood of each shape that errors may have, and of how many errors. */
export type ShapeEvidence = { readonly logLikelihoods: readonly number[]; readonly errors: number };
/** The share of series with each shape, and of how many errors. */
export type SharedShapes = { readonly shares: readonly number[]; readonly errors: number };

/** A series that has learned all there is before a moment. */
export type ReadyBand = {
  /** What its errors say of their shape to those of its siblings; undefined where they say nothing. */
  readonly evidence?: () => ShapeEvidence | undefined;
  /** With what its siblings say together; undefined while too little is known. */
  readonly band: (shapes?: SharedShapes) => LearnedBand | undefined;
};

export type BandModel = {
  /** As `bandAt`, in two steps, for series that learn from each other. */
  readonly readyAt: (history: readonly SeriesPoint[], timeMs: number, memory?: SeriesMemory) => ReadyBand | undefined;
  /**
   * The band in which a value measured at `timeMs` is expected, learned from points before it, oldest first; the tested
   * point is never among them. Undefined while too little is known to say anything.
   */
  readonly bandAt: (history: readonly SeriesPoint[], timeMs: number, memory?: SeriesMemory) => LearnedBand | undefined;
};

/** Makes the model of a threshold. */
export type CreateBandModel = (threshold: Threshold, traits: SeriesTraits) => BandModel;
