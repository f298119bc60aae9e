// SPDX-License-Identifier: Apache-2.0
/** Decays: 1 at the target, `midpoint` at a distance of `scale` from it. Their shapes are those of the function scores of text search engines. */

export type Decay = { readonly target: number; readonly scale: number; readonly midpoint: number };

/** Falls evenly, to 0 and no further. */
export function linearDecay(x: number, { target, scale, midpoint }: Decay): number {
  return Math.max(0, 1 - ((1 - midpoint) / scale) * Math.abs(x - target));
}

/** Falls by the same factor with each unit of distance. */
export function exponentialDecay(x: number, { target, scale, midpoint }: Decay): number {
  return Math.exp((Math.log(midpoint) / scale) * Math.abs(x - target));
}

/** Falls as the normal density does. */
export function gaussianDecay(x: number, { target, scale, midpoint }: Decay): number {
  return Math.exp((Math.log(midpoint) / scale ** 2) * (x - target) ** 2);
}
