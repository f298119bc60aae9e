import type { SeriesPoint } from '../bands/band.ts';
import type { SeriesKey } from './evaluation.ts';
import type { MetricTraits } from './metric-traits.ts';
import type { ScanSeries } from './scan-series.ts';
import type { Tolerance } from './tolerance.ts';

/** What the numbers of a monitor are seen with: the scan that they are of, and how sure a verdict on one of them has to be. */
export type Judging = { readonly scan: ScanSeries; readonly sureness: number };

/** A number that a monitor holds against its threshold, with the numbers that came before it. */
export type Watched = {
  /** What it is told as. */
  readonly series: SeriesKey;
  /** Null where this scan gave none. */
  readonly value: number | null;
  /** Of the same kind as the value: a distance has earlier distances. */
  readonly history: readonly SeriesPoint[];
  readonly traits: MetricTraits;
  /** For learned thresholds. */
  readonly tolerance: Tolerance;
  /** From which the models of learned bands count; zero when left out. */
  readonly zero?: number;
  /** What is within a learned band whatever the model says. */
  readonly usual?: { readonly lower: number; readonly upper: number };
  /**
   * Whether the value is that of a point, is made of one point and something else, or of many points. Only the first has its band stored
   * with it.
   */
  readonly origin: 'point' | 'ratio' | 'distance';
  /** Of what it is the ratio, for a correlation. */
  readonly parent?: { readonly asset_id: string; readonly name: string };
};
