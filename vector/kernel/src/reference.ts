// SPDX-License-Identifier: Apache-2.0
/**
 * Reference implementation of the kernel's distances, codes and exact scan in plain TypeScript: slow, simple, and equal to the last bit.
 * For tests.
 */
import type { Components, Metric, Neighbours } from './vector-space.ts';

const { fround } = Math;

/**
 * The kernel's distance of two vectors of one datatype. For bytes it is exact until it becomes a float32; otherwise float32 throughout, in
 * sixteen partial sums that are added in a fixed order.
 */
export function referenceDistance(metric: Metric, a: Components, b: Components): number {
  if (a instanceof Uint8Array) return fround(byteDistance(metric, a, b));
  if (a instanceof Float16Array) return referenceDistance(metric, widened(a), widened(b));
  const sums = new Float32Array(16);
  const padded = (a.length + 3) & ~3;
  const wideEnd = padded & ~15;
  for (let i = 0; i < padded; i++) {
    // After the last full sixteen, the first four sums take the rest.
    const sum = i < wideEnd ? i & 15 : i & 3;
    sums[sum] = (sums[sum] ?? 0) + referenceTerm(metric, a[i] ?? 0, b[i] ?? 0);
  }
  const lane = (i: number) => fround(fround((sums[i] ?? 0) + (sums[i + 4] ?? 0)) + fround((sums[i + 8] ?? 0) + (sums[i + 12] ?? 0)));
  const total = fround(fround(lane(0) + lane(1)) + fround(lane(2) + lane(3)));
  if (Number.isNaN(total)) return Number.POSITIVE_INFINITY;
  return metric === 'dot' ? 0 - total : total;
}

/** The highest exponent of a float16 counts as any other: 65536 and above in place of infinities and "not a number". */
export function widened(halves: Components): Float32Array {
  const bits = new Uint16Array(Float16Array.from(halves).buffer);
  return Float32Array.from(halves, (value, i) => {
    const half = bits[i] ?? 0;
    return Number.isFinite(value) ? value : ((half & 0x8000) === 0 ? 65_536 : -65_536) * (1 + (half & 0x3ff) / 1024);
  });
}

function byteDistance(metric: Metric, a: Components, b: Components): number {
  const sum = (left: Components, right: Components) =>
    Array.from(left).reduce((total, value, i) => total + byteTerm(metric, value, right[i] ?? 0), 0);
  if (metric === 'euclid' || metric === 'manhattan') return sum(a, b);
  if (metric === 'dot') return 0 - sum(a, b);
  const squares = sum(a, a) * sum(b, b);
  return squares === 0 ? 0 : 0 - fround(sum(a, b) / Math.sqrt(squares));
}

function byteTerm(metric: Metric, a: number, b: number): number {
  if (metric === 'euclid') return (a - b) ** 2;
  return metric === 'manhattan' ? Math.abs(a - b) : a * b;
}

function referenceTerm(metric: Metric, a: number, b: number): number {
  if (metric === 'dot') return fround(a * b);
  const difference = fround(a - b);
  return metric === 'euclid' ? fround(difference * difference) : Math.abs(difference);
}

/** The `k` nearest of some rows, nearest first, the lower row first among equals. */
export function referenceNearest(metric: Metric, query: Components, rows: ReadonlyMap<number, Components>, k: number): Neighbours {
  const nearest = [...rows]
    .map(([row, vector]) => ({ row, distance: referenceDistance(metric, query, vector) }))
    // The difference of infinite distances is "not a number", which must not decide.
    .sort((a, b) => (a.distance === b.distance ? a.row - b.row : a.distance - b.distance))
    .slice(0, k);
  return { rows: Uint32Array.from(nearest, ({ row }) => row), distances: Float32Array.from(nearest, ({ distance }) => distance) };
}

export type Calibration = { readonly scale: number; readonly offset: number };

/** The code of a vector: one signed byte for each component, rounded half to even, in float32 throughout. */
export function referenceCode(vector: Components, { scale, offset }: Calibration): Int8Array {
  return Int8Array.from(vector, (value) => {
    const steps = fround(fround(value - offset) * scale);
    return Number.isNaN(steps) ? 0 : Math.max(-127, Math.min(127, roundHalfEven(steps)));
  });
}

/** As the processor rounds. */
export function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  return rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
}

/** The float32 of which the kernel makes this unsigned integer, which orders as floats do. */
export function referenceDistanceOf(order: number): number {
  const bits = order >>> 0 >= 2 ** 31 ? order ^ 0x8000_0000 : ~order;
  return new Float32Array(Uint32Array.of(bits).buffer)[0] ?? Number.NaN;
}

/** The kernel's nearness of two codes, an unsigned 32-bit integer: smaller is nearer. */
export function referenceNearness(metric: Metric, a: Int8Array, b: Int8Array): number {
  const sum = a.reduce((total, value, i) => total + referenceCodeTerm(metric, value, b[i] ?? 0), 0);
  return metric === 'dot' ? 2 ** 31 - sum : sum;
}

function referenceCodeTerm(metric: Metric, a: number, b: number): number {
  if (metric === 'dot') return a * b;
  return metric === 'euclid' ? (a - b) ** 2 : Math.abs(a - b);
}
