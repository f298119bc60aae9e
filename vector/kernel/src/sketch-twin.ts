/** The kernel's sketches in plain TypeScript, equal to the last bit. For tests. */
import { roundHalfEven } from './twin.ts';

/** What sketches are made by; see assembly/sketch.ts. */
export type Sketcher = {
  readonly ratio: number;
  readonly squareUnit: number;
  readonly mean: Int8Array;
  readonly directions: readonly Int8Array[];
};

export type Sketch = { readonly projections: Int8Array; readonly addend: number };

type SketchedMetric = 'dot' | 'euclid';

export function twinSketch(metric: SketchedMetric, code: Int8Array, { ratio, squareUnit, mean, directions }: Sketcher): Sketch {
  const differences = Array.from(code, (value, i) => value - (mean[i] ?? 0));
  const projections = directions.map((direction) => product(differences, direction));
  let squares = 0;
  for (let i = 0; i < projections.length; i += 4) {
    const [a = 0, b = 0, c = 0, d = 0] = projections.slice(i, i + 4);
    squares += a * a + c * c + (b * b + d * d);
  }
  const outside =
    metric === 'dot'
      ? -(product(differences, mean) * squareUnit)
      : Math.max(product(differences, differences) * squareUnit - squares * ratio * ratio, 0);
  return {
    projections: Int8Array.from(projections, (projection) => Math.max(-128, Math.min(127, roundHalfEven(projection * ratio)))),
    addend: roundHalfEven(Math.max(-(2 ** 30), Math.min(2 ** 30, outside))),
  };
}

/** The nearness of a sketch to another, an unsigned 32-bit integer: smaller is nearer. */
export function twinSketchNearness(metric: SketchedMetric, from: Sketch, to: Sketch): number {
  if (metric === 'dot') return 2 ** 31 - product(from.projections, to.projections) + to.addend;
  const differences = Array.from(from.projections, (value, i) => value - (to.projections[i] ?? 0));
  return product(differences, differences) + to.addend;
}

function product(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
