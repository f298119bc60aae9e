// SPDX-License-Identifier: Apache-2.0
/** How much a departure matters. */
import type { Level } from '@sextant/contracts-observability';
import type { EvaluatedNumber } from './evaluate-number.ts';

/** Shares of the width of the band. */
const LOW_BELOW = 0.1;
const MEDIUM_BELOW = 0.5;

/** A value that stands still lies within its band: whatever it stands for is as it was, and old. */
const STANDING_EXCESS = LOW_BELOW;

/**
 * How far outside a value is as a share of the width of its band; where one side never had a bound, or the band has no width, of the bound
 * itself. Infinite where that is zero: something is there that never was.
 */
export function excessOf({ value, band, width, standing }: Pick<EvaluatedNumber, 'value' | 'band' | 'width' | 'standing'>): number {
  if (standing !== undefined) return STANDING_EXCESS;
  const bound = band.lower !== null && value < band.lower ? band.lower : band.upper;
  if (bound === null) return 0;
  const outside = Math.abs(value - bound);
  const scale = width === null || width === 0 ? Math.abs(bound) : width;
  return outside === 0 ? 0 : outside / scale;
}

export function priorityOf(excess: number): Level {
  if (excess < LOW_BELOW) return 'LOW';
  return excess < MEDIUM_BELOW ? 'MEDIUM' : 'HIGH';
}
