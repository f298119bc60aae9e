// SPDX-License-Identifier: Apache-2.0
import type { SeriesMemory, SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import type { MetricTraits } from './metric-traits.ts';
import type { ScanSeries } from './scan-series.ts';
import type { Tolerance } from './tolerance.ts';

/** The scan that the numbers of a monitor come from, and the confidence that a verdict on one of them needs. */
export type WatchContext = { readonly scan: ScanSeries; readonly confidence: number };

/** A number that a monitor compares with its threshold, with the earlier numbers of its series. */
export type Watched = {
  /** The series that it is reported as. */
  readonly series: SeriesKey;
  /** Null where this scan gave none. */
  readonly value: number | null;
  /** Of the same kind as the value: a distance has earlier distances. */
  readonly history: readonly SeriesPoint[];
  /** Whether past values are restated as of the time of the scan. */
  readonly isRestated?: boolean;
  readonly traits: MetricTraits;
  /** Of a series whose history is what was measured, counted from the same zero at each scan. */
  readonly memory?: SeriesMemory | undefined;
  /** For learned thresholds. */
  readonly tolerance: Tolerance;
  /** From which the models of learned bands count; zero when left out. */
  readonly zero?: number;
  /** What is within a learned band whatever the model says. */
  readonly usual?: { readonly lower: number; readonly upper: number };
  /** Beyond this no learned band reaches, however wide the model and the tolerance make it. */
  readonly most?: number;
  /**
   * Whether the value is that of a point, is made of one point and something else, or of many points. Only the first has its band stored
   * with it.
   */
  readonly origin: 'point' | 'ratio' | 'distance';
  /** Of what it is the ratio, for a correlation. */
  readonly parent?: { readonly asset_id: string; readonly name: string };
};
