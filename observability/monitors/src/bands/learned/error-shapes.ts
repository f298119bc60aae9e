// SPDX-License-Identifier: Apache-2.0
/**
 * What errors of data may be like, in their usual size: Student's t, and lognormal distributions to either side, which stand for amounts, durations and
 * counts whose larger values spread further. Tabulated by the logarithm of the size: the grid of `error-tails.ts` looks densities and chances up.
 */

/** Sizes from 0.01 to 10,000 in steps of an eighth of the step of the scales. */
export const STEPS_PER_SCALE = 8;
/** Neighbouring scales of the grid differ by this factor. */
export const SCALE_RATIO = 1.15;
const STEP = Math.log(SCALE_RATIO) / STEPS_PER_SCALE;
const FIRST = Math.log(0.01);
export const PLACES = Math.ceil((Math.log(1e4) - FIRST) / STEP) + 1;
/** Logarithm of what is as good as impossible. */
const NEVER = -80;

/** Of one side: logarithms of twice the density, and of twice the chance of a larger size. */
type Side = { readonly density: Float64Array; readonly chance: Float64Array };
export type ErrorShape = { readonly above: Side; readonly below: Side };

/** Place of a size in the tables. */
export function placeOf(size: number): number {
  return (Math.log(Math.min(Number.MAX_VALUE, Math.max(size, Number.MIN_VALUE))) - FIRST) / STEP;
}

export function studentShape(freedom: number, usual = 1): ErrorShape {
  const shape = (size: number) => Math.exp((-(freedom + 1) / 2) * Math.log1p((size / usual) ** 2 / freedom));
  // Simpson's rule inwards; beyond the last size the tail is a power.
  const chance = new Float64Array(PLACES);
  let mass = (shape(sizeAt(PLACES - 1)) * sizeAt(PLACES - 1)) / freedom;
  chance[PLACES - 1] = mass;
  for (let place = PLACES - 2; place >= 0; place -= 1) {
    const [inner, middle, outer] = [sizeAt(place), sizeAt(place + 0.5), sizeAt(place + 1)];
    mass += (middle * STEP * (shape(inner) * (inner / middle) + 4 * shape(middle) + shape(outer) * (outer / middle))) / 6;
    chance[place] = mass;
  }
  const whole = mass + sizeAt(0) * shape(0);
  const side = {
    density: Float64Array.from({ length: PLACES }, (_, place) => Math.log(shape(sizeAt(place)) / whole)),
    chance: chance.map((each) => Math.log(each / whole)),
  };
  return { above: side, below: side };
}

/** With mean 0 and deviation 1, the long side above; `spread` is the deviation of the logarithm. */
export function lognormalShape(spread: number): ErrorShape {
  const mean = Math.exp(spread ** 2 / 2);
  const deviation = mean * Math.sqrt(Math.expm1(spread ** 2));
  const sideOf = (sign: 1 | -1): Side => {
    const density = new Float64Array(PLACES).fill(NEVER);
    const chance = new Float64Array(PLACES).fill(NEVER);
    for (let place = 0; place < PLACES; place += 1) {
      const value = mean + sign * deviation * sizeAt(place);
      if (value <= 0) break;
      const deviations = Math.log(value) / spread;
      density[place] = Math.max(NEVER, Math.log((2 * deviation) / (value * spread * Math.sqrt(2 * Math.PI))) - deviations ** 2 / 2);
      chance[place] = Math.max(NEVER, Math.log(2) + logNormalTail(sign * deviations));
    }
    return { density, chance };
  };
  return { above: sideOf(1), below: sideOf(-1) };
}

export function mirrored({ above, below }: ErrorShape): ErrorShape {
  return { above: below, below: above };
}

/** Logarithm of the chance that a normal value exceeds so many deviations (W. J. Cody's rational form is exact to more digits than are asked for here). */
function logNormalTail(deviations: number): number {
  if (deviations < 0) return Math.log1p(-Math.exp(logNormalTail(-deviations)));
  // Mills' ratio as a continued fraction (Laplace), which converges for all but the smallest.
  let fraction = deviations + 40;
  for (let term = 39; term >= 1; term -= 1) fraction = deviations + term / fraction;
  return -(deviations ** 2) / 2 - Math.log(fraction * Math.sqrt(2 * Math.PI));
}

/** Size at a place of the tables. */
export function sizeAt(place: number): number {
  return Math.exp(FIRST + place * STEP);
}
