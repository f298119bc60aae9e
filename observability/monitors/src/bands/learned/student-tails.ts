// SPDX-License-Identifier: Apache-2.0
/** Student's t with a few degrees of freedom, tabulated by the logarithm of the size: the grid of `error-tails.ts` looks densities and chances up. */

/** Near the normal distribution; heavy; and two that are as heavy as errors of data get. */
export const FREEDOMS = [40, 8, 4, 2.5] as const;

/** Sizes from 0.01 to 10,000 in steps of an eighth of the step of the scales. */
const STEPS_PER_SCALE = 8;
/** Neighbouring scales of the grid differ by this factor. */
export const SCALE_RATIO = 1.2;
const STEP = Math.log(SCALE_RATIO) / STEPS_PER_SCALE;
const FIRST = Math.log(0.01);
const COUNT = Math.ceil((Math.log(1e4) - FIRST) / STEP) + 1;

/** Place of a size in the tables. */
export function placeOf(size: number): number {
  return (Math.log(Math.max(size, Number.MIN_VALUE)) - FIRST) / STEP;
}

/** Logarithm of the density of one side, of a size in units of that scale of the grid. */
export function logDensityAt(freedom: number, place: number, scale = 0): number {
  return interpolated(TABLES[freedom]?.density, place - scale * STEPS_PER_SCALE);
}

/** Logarithm of the chance that a size of either sign is beyond such a place. */
export function logChanceAt(freedom: number, place: number, scale = 0): number {
  return interpolated(TABLES[freedom]?.chance, place - scale * STEPS_PER_SCALE);
}

type Table = { readonly density: Float64Array; readonly chance: Float64Array };

const TABLES: readonly Table[] = FREEDOMS.map(tabulated);

function tabulated(freedom: number): Table {
  const sizeAt = (place: number) => Math.exp(FIRST + place * STEP);
  const shape = (size: number) => Math.exp((-(freedom + 1) / 2) * Math.log1p((size * size) / freedom));
  // Simpson's rule inwards; beyond the last size the tail is a power.
  const chance = new Float64Array(COUNT);
  let mass = (shape(sizeAt(COUNT - 1)) * sizeAt(COUNT - 1)) / freedom;
  chance[COUNT - 1] = mass;
  for (let place = COUNT - 2; place >= 0; place -= 1) {
    const [inner, middle, outer] = [sizeAt(place), sizeAt(place + 0.5), sizeAt(place + 1)];
    mass += (middle * STEP * (shape(inner) * (inner / middle) + 4 * shape(middle) + shape(outer) * (outer / middle))) / 6;
    chance[place] = mass;
  }
  const whole = mass + sizeAt(0) * shape(0);
  return {
    density: Float64Array.from({ length: COUNT }, (_, place) => Math.log(shape(sizeAt(place)) / whole)),
    chance: chance.map((each) => Math.log(each / whole)),
  };
}

function interpolated(table: Float64Array | undefined, place: number): number {
  if (table === undefined) return Number.NEGATIVE_INFINITY;
  const within = Math.min(COUNT - 1, Math.max(0, place));
  const below = Math.min(COUNT - 2, Math.floor(within));
  const share = within - below;
  return (table[below] ?? 0) * (1 - share) + (table[below + 1] ?? 0) * share;
}
