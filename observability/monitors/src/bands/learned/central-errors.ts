// SPDX-License-Identifier: Apache-2.0
/**
 * How many errors of a series had which size, as far as they are no surprise: what a series tells others of the shape of errors. Between normal and heavy
 * tails the middle differs too, and a fault that hits many series at once is not in it.
 */
import type { ShapeEvidence } from '../band.ts';
import { placeOf } from './error-shapes.ts';
import type { KeptNumbers } from './kept-numbers.ts';
import { CHANCES, LOG_SCALE_BELIEFS, LOG_SCALES, SHAPE_BELIEFS, type SideName, tableIndex } from './shape-grid.ts';

/** Of a bin, in units; there are so many on either side. */
const BIN = 0.5;
const BINS = 6;
const SIDES: readonly SideName[] = ['above', 'below'];
/** Of all that a count can say, the older half goes where one is full. */
const COUNT_MAX = 250;
/** Fewer errors say more of their unit than of their shape. */
const ERRORS_MIN = 5;
/** A bin that a shape does not reach. */
const LEAST_CHANCE = 1e-12;

/** By shape, scale and bin: logarithms of the chance of an error that is in one of the bins. */
const LOG_CHANCES = SHAPE_BELIEFS.map((_, shape) => LOG_SCALES.map((logScale) => logChances(shape, Math.exp(logScale))));

export class CentralErrors {
  /** Above, then below, from the middle outwards. */
  readonly #counts = new Uint8Array(SIDES.length * BINS);

  /** `error` in units of the usual size. */
  learn(error: number): void {
    const counts = this.#counts;
    const bin = Math.floor(Math.abs(error) / BIN);
    if (bin >= BINS) return;
    const at = error > 0 ? bin : BINS + bin;
    counts[at] = (counts[at] ?? 0) + 1;
    if (counts[at] === COUNT_MAX) for (let index = 0; index < counts.length; index += 1) counts[index] = (counts[index] ?? 0) >> 1;
  }

  /** Undefined while there are few, and of a series that stands still. */
  get evidence(): ShapeEvidence | undefined {
    const counts = [...this.#counts];
    const errors = counts.reduce((sum, count) => sum + count, 0);
    if (errors < ERRORS_MIN || errors === (counts[0] ?? 0) + (counts[BINS] ?? 0)) return undefined;
    const likelihoodOf = (logs: readonly number[]) => logs.reduce((sum, log, bin) => sum + (counts[bin] ?? 0) * log, 0);
    return {
      errors,
      logLikelihoods: LOG_CHANCES.map((scales) =>
        logSum(scales.map((logs, scale) => (LOG_SCALE_BELIEFS[scale] ?? 0) + likelihoodOf(logs))),
      ),
    };
  }

  keep(numbers: KeptNumbers): void {
    numbers.bytes(this.#counts);
  }
}

/** The logarithm of the sum of what these are logarithms of. */
export function logSum(logs: readonly number[]): number {
  const highest = Math.max(...logs);
  return highest + Math.log(logs.reduce((sum, log) => sum + Math.exp(log - highest), 0));
}

function logChances(shape: number, scale: number): readonly number[] {
  const chances = SIDES.flatMap((side) =>
    Array.from({ length: BINS }, (_, bin) => {
      const inner = chanceBeyond(bin * BIN, { side, shape, scale });
      return Math.max(LEAST_CHANCE, inner - chanceBeyond((bin + 1) * BIN, { side, shape, scale }));
    }),
  );
  const whole = chances.reduce((sum, chance) => sum + chance, 0);
  return chances.map((chance) => Math.log(chance / whole));
}

/** Twice the chance of a larger error on one side. */
function chanceBeyond(
  size: number,
  { side, shape, scale }: { readonly side: SideName; readonly shape: number; readonly scale: number },
): number {
  const place = Math.max(0, placeOf(size / scale));
  const whole = Math.floor(place);
  const share = place - whole;
  const at = tableIndex(whole, shape);
  return (CHANCES[side][at] ?? 0) * (1 - share) + (CHANCES[side][at + 1] ?? 0) * share;
}
