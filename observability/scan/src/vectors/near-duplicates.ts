// SPDX-License-Identifier: Apache-2.0
/**
 * Vectors that are nearly equal, though not quite: those of one text that was embedded twice, or of texts that differ by a word.
 *
 * Each vector is kept as a sketch: what random directions see of it (Achlioptas, "Database-friendly Random Projections", PODS 2001), which tells distances to
 * within a quarter. The signs of its first numbers name a bucket, which near vectors nearly always share (Charikar, "Similarity Estimation Techniques from
 * Rounding Algorithms", STOC 2002). Of many vectors whole buckets are kept, as many as fit, so that pairs are found as often as if all were kept.
 */
import { seededRandom } from '@sextant/foundation-std';
import { type KnownNear, storedNear } from './reference/known-near.ts';

export type NearDuplicates = {
  /** Vectors that are finite, not zero and of the declared dimension. */
  readonly add: (components: Float64Array, norm: number, id: string) => void;
  /** @param known what the scan before stored; pairs of which it does not know a point are named first */
  readonly count: (nearDistance: number, known?: KnownNear) => NearPairs;
};

export type NearPairs = {
  /** How many vectors were compared. */
  readonly compared: number;
  /** How many of them have another nearer than the distance, but none that is equal. */
  readonly near: number;
  /** How many of these the scan before did not know; undefined where it knew of none. */
  readonly fresh: number | undefined;
  /** A few of them. */
  readonly pairs: readonly { readonly id: string; readonly other: string }[];
  /** For the next scan. */
  readonly stored: string;
};

type Sketch = { readonly bucket: number; readonly values: Float32Array; readonly id: string };

const PROJECTIONS = 32;
const BUCKET_BITS = 16;
const KEPT_MAX = 20_000;
/** Vectors of a bucket in the order of one of their numbers: so many after each are looked at. */
const COMPARED_MAX = 64;
const PAIRS_MAX = 10;
/** Squared: what the rounding of numbers comes to. */
const EQUAL = 1e-10;
const SEED = 3;

/** `center` is where vectors usually lie, so that the directions from there set them apart. */
export function nearDuplicates(dimension: number, center: readonly number[] | undefined): NearDuplicates {
  const random = seededRandom(SEED);
  const signs = Int8Array.from({ length: PROJECTIONS * dimension }, () => (random.next() < 0.5 ? -1 : 1));
  const offsets = Float64Array.from({ length: BUCKET_BITS }, (_, row) =>
    projected(signs, row, Float64Array.from(unitOf(center, dimension))),
  );
  let kept: Sketch[] = [];
  let bound = Number.POSITIVE_INFINITY;
  return {
    add: (components, norm, id) => {
      const values = new Float32Array(PROJECTIONS);
      let bucket = 0;
      for (let row = 0; row < PROJECTIONS; row += 1) {
        if (row === BUCKET_BITS && spread(bucket) > bound) return;
        const value = projected(signs, row, components) / norm;
        values[row] = value / Math.sqrt(PROJECTIONS);
        if (row < BUCKET_BITS && value > (offsets[row] ?? 0)) bucket |= 1 << row;
      }
      kept.push({ bucket, values, id });
      if (kept.length < 1.25 * KEPT_MAX) return;
      kept = kept.toSorted((one, other) => spread(one.bucket) - spread(other.bucket)).slice(0, KEPT_MAX);
      bound = spread(kept.at(-1)?.bucket ?? 0);
    },
    count: (nearDistance, known) => {
      const near = new Set<number>();
      const pairs: { id: string; other: string }[] = [];
      const old: { id: string; other: string }[] = [];
      const isKnown = ({ id }: Sketch) => known?.has(id) === true;
      const order = kept.toSorted((one, other) => one.bucket - other.bucket || lastOf(one) - lastOf(other));
      for (const [place, one] of order.entries()) {
        for (let next = place + 1; next <= place + COMPARED_MAX; next += 1) {
          const other = order[next];
          if (other === undefined || other.bucket !== one.bucket) break;
          const square = squaredDistance(one.values, other.values);
          if (square < EQUAL || square > nearDistance * nearDistance) continue;
          near.add(place).add(next);
          // What was so before is less worth a look.
          const list = isKnown(one) && isKnown(other) ? old : pairs;
          if (list.length < PAIRS_MAX) list.push({ id: other.id, other: one.id });
        }
      }
      const found = order.filter((_, place) => near.has(place));
      return {
        compared: kept.length,
        near: near.size,
        fresh: known && found.filter((sketch) => !isKnown(sketch)).length,
        pairs: [...pairs, ...old].slice(0, PAIRS_MAX),
        stored: storedNear(found.map(({ id }) => id)),
      };
    },
  };
}

function projected(signs: Int8Array, row: number, components: Float64Array): number {
  let sum = 0;
  const start = row * components.length;
  for (let at = 0; at < components.length; at += 1) sum += (signs[start + at] ?? 0) * (components[at] ?? 0);
  return sum;
}

/** Where the directions of the vectors crowd; the origin where that is unknown. */
function unitOf(center: readonly number[] | undefined, dimension: number): readonly number[] {
  const norm = Math.hypot(...(center ?? []));
  if (center?.length !== dimension || norm === 0) return Array.from({ length: dimension }, () => 0);
  return center.map((component) => component / norm);
}

/** Buckets in an order that says nothing of where they lie. */
function spread(bucket: number): number {
  return (Math.imul(bucket + 1, 0x9e3779b1) ^ Math.imul(bucket + 7, 0x85ebca6b)) >>> 0;
}

function lastOf({ values }: Sketch): number {
  return values[PROJECTIONS - 1] ?? 0;
}

function squaredDistance(one: Float32Array, other: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < one.length; at += 1) sum += ((one[at] ?? 0) - (other[at] ?? 0)) ** 2;
  return sum;
}
