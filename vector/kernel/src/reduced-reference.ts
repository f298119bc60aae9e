// SPDX-License-Identifier: Apache-2.0
/** Reference implementation of reduced codes in plain TypeScript, equal to the last bit. For tests. */
import { roundHalfEven } from './reference.ts';

/** A projector; see assembly/codes/reduced/projection.ts. */
export type Reducer = {
  readonly ratio: number;
  readonly squareUnit: number;
  readonly mean: Int8Array;
  readonly directions: readonly Int8Array[];
};

export type ReducedCode = { readonly projections: Int8Array; readonly addend: number };

type ReducedMetric = 'dot' | 'euclid';

const reached = 63;
const addendMax = 2 ** 29;

export function referenceReduced(metric: ReducedMetric, code: Int8Array, { ratio, squareUnit, mean, directions }: Reducer): ReducedCode {
  const differences = Array.from(code, (value, i) => value - (mean[i] ?? 0));
  const products = directions.map((direction) => product(differences, direction));
  let squares = 0;
  for (let i = 0; i < products.length; i += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = products.slice(i, i + 4);
    squares += a * a + c * c + (b * b + d * d);
  }
  const projections = Int8Array.from(products, (value) => Math.max(-reached, Math.min(reached, roundHalfEven(value * ratio))));
  const outside =
    metric === 'dot'
      ? -(product(differences, mean) * squareUnit)
      : Math.max(product(differences, differences) * squareUnit - squares * ratio * ratio, 0) + product(projections, projections);
  return { projections, addend: roundHalfEven(Math.max(-addendMax, Math.min(addendMax, outside))) };
}

/** The nearness of two reduced codes, an unsigned 32-bit integer: smaller is nearer. */
export function referenceReducedNearness(metric: ReducedMetric, a: ReducedCode, b: ReducedCode): number {
  const inside = product(a.projections, b.projections);
  return metric === 'dot' ? 2 ** 31 + a.addend + b.addend - inside : a.addend + b.addend - 2 * inside;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
