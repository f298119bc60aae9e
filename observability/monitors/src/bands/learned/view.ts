// SPDX-License-Identifier: Apache-2.0
/** A way to look at a series: what it expects next. Several run side by side, since which one fits a series shows only with time. */

import type { KeptNumbers } from './kept-numbers.ts';

export type View = {
  /** Undefined where this view has nothing to say of that moment. */
  readonly expect: (timeMs: number) => number | undefined;
  /** How uncertain that is by chance, since it was made of few values: its variance as a share of that of a value. */
  readonly variance: (timeMs: number) => number;
  /** `value` with what was surprising in it already cut; `isSurprise` says that something was. */
  readonly learn: (point: ViewedPoint) => void;
  /** The series has moved: expect `value` at `timeMs`, and go on from there. */
  readonly moveTo: (value: number, timeMs: number) => void;
  /** Of a daily series: stores what it has learned, or takes it back. */
  readonly keep: (numbers: KeptNumbers) => void;
};

/** Of the mean of the values that a series has moved to. */
export const MOVED_VARIANCE = 1 / 4;

/** `scale`: how much larger than usual errors are where so much was expected. */
export type ViewedPoint = { readonly timeMs: number; readonly value: number; readonly isSurprise: boolean; readonly scale: number };
