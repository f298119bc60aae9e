// SPDX-License-Identifier: Apache-2.0
/**
 * Which of the sampled vectors came since the scan before and which went, and how far the mean of either lies from that of all.
 *
 * The mean of n vectors that chance takes lies from the mean of all by the root of their variance over n (Chen and Qin, "A two-sample test for high-dimensional
 * data", Annals of Statistics 38(2), 2010). Its square is a chi-squared variable of as many degrees of freedom as vectors have effective dimensions (their trace
 * squared over the trace of the square of their covariance), whose cube root is nearly normal (Wilson and Hilferty, PNAS 17, 1931); so the distance counts in
 * standard deviations. A topic that is new, or lost, moves the mean of those that came, or went, much farther than that of all: it is one vector of a hundred,
 * and one of ten of those that came. Of the vectors that went only their sum is needed, which is that of all before without those that stayed.
 */
import { hash } from 'node:crypto';
import type { Turn } from './turns.ts';

export type KeyedVector = {
  /** Of the id of its point. */
  readonly key: number;
  readonly vector: Float32Array;
};

/** As the memory of a scan holds it; bytes in base64. */
export type StoredSample = { readonly entries: string; readonly sum: string };

export type Turnover = {
  /** Undefined after the first scan, and where the dimension changed. */
  readonly found: FoundTurnover | undefined;
  /** For the next scan. */
  readonly stored: StoredSample;
};

export type FoundTurnover = {
  /** Keys of points whose vector the scan before did not know. */
  readonly fresh: ReadonlySet<number>;
  /** Distance between the mean of these and that of all before, in standard deviations beyond what chance gives; undefined where too few came. */
  readonly came: number | undefined;
  /** The same of those that went. */
  readonly went: number | undefined;
  /** Along which those that came lie from all before. */
  readonly direction: Float64Array;
};

/** Of fewer vectors a mean says little, and they are no topic. */
const GROUP_MIN = 20;
const SUMS_OF_A_VECTOR = 4;
const KEY_BYTES = 6;
const HASH_BYTES = 4;
const ENTRY_BYTES = KEY_BYTES + HASH_BYTES;

/** @param vectors finite and not zero, in the order of their keys, at least one */
export async function turnoverOf(vectors: readonly KeyedVector[], before: StoredSample | undefined, turn: Turn): Promise<Turnover> {
  const dimension = vectors[0]?.vector.length ?? 0;
  const known = before && decoded(before);
  const entries = Buffer.alloc(vectors.length * ENTRY_BYTES);
  const sum = new Float64Array(dimension);
  const stayed = new Float64Array(dimension);
  let stayedCount = 0;
  const cameSum = new Float64Array(dimension);
  const fresh = new Set<number>();
  for (const [row, { key, vector }] of vectors.entries()) {
    await turn(SUMS_OF_A_VECTOR * dimension);
    const content = hash('sha256', vector, 'buffer').readUInt32LE(0);
    entries.writeUIntLE(key, row * ENTRY_BYTES, KEY_BYTES);
    entries.writeUInt32LE(content, row * ENTRY_BYTES + KEY_BYTES);
    addUnit(sum, vector);
    if (known?.hashes.get(key) === content) {
      addUnit(stayed, vector);
      stayedCount += 1;
    } else if (known !== undefined && key <= known.lastKey) {
      addUnit(cameSum, vector);
      fresh.add(key);
    }
  }
  const stored = { entries: entries.toString('base64'), sum: Buffer.from(sum.buffer).toString('base64') };
  if (known?.sum.length !== dimension) return { found: undefined, stored };
  const all = { sum: known.sum, count: known.hashes.size };
  const wentSum = all.sum.map((part, at) => part - (stayed[at] ?? 0));
  const came = { sum: cameSum, count: fresh.size };
  const went = { sum: wentSum, count: all.count - stayedCount };
  const freedom = effectiveDimensions(vectors, all);
  const found = {
    fresh,
    came: deviations(came, all, { unit: 1 / came.count + 1 / all.count, freedom }),
    // They are a part of all.
    went: deviations(went, all, { unit: 1 / went.count - 1 / all.count, freedom }),
    direction: cameSum.map((part, at) => part / came.count - (all.sum[at] ?? 0) / all.count),
  };
  return { found, stored };
}

type Group = { readonly sum: Float64Array; readonly count: number };

/** @param unit by which chance scatters the difference of the means, in multiples of the variance of one vector */
function deviations(group: Group, all: Group, { unit, freedom }: { readonly unit: number; readonly freedom: number }): number | undefined {
  const variance = varianceOf(all);
  if (group.count < GROUP_MIN || unit <= 0 || variance <= 0) return undefined;
  const square = all.sum.reduce((sum, part, at) => sum + ((group.sum[at] ?? 0) / group.count - part / all.count) ** 2, 0);
  const part = 2 / (9 * freedom);
  return (Math.cbrt(square / (variance * unit)) - (1 - part)) / Math.sqrt(part);
}

/** Of vectors of length one: the mean square of their distance from their mean. */
function varianceOf({ sum, count }: Group): number {
  return 1 - sum.reduce((square, part) => square + (part / count) ** 2, 0);
}

/** Neighbours in the order of keys are pairs that chance takes. At least one. */
function effectiveDimensions(vectors: readonly KeyedVector[], all: Group): number {
  const centred = (at: number) => {
    const unit = new Float64Array(all.sum.length);
    addUnit(unit, vectors[at]?.vector ?? new Float32Array(unit.length));
    return unit.map((part, axis) => part - (all.sum[axis] ?? 0) / all.count);
  };
  let squares = 0;
  let pairs = 0;
  for (let at = 0; at + 1 < vectors.length; at += 2) {
    const [one, other] = [centred(at), centred(at + 1)];
    squares += one.reduce((sum, part, axis) => sum + part * (other[axis] ?? 0), 0) ** 2;
    pairs += 1;
  }
  return squares === 0 ? 1 : Math.max(1, (varianceOf(all) ** 2 * pairs) / squares);
}

function addUnit(sum: Float64Array, vector: Float32Array): void {
  let square = 0;
  for (const component of vector) square += component * component;
  const norm = Math.sqrt(square);
  for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] ?? 0) + (vector[at] ?? 0) / norm;
}

function decoded({ entries, sum }: StoredSample) {
  const bytes = Buffer.from(entries, 'base64');
  const rows = Array.from({ length: Math.floor(bytes.length / ENTRY_BYTES) }, (_, row) => row * ENTRY_BYTES);
  const hashes = new Map(rows.map((at) => [bytes.readUIntLE(at, KEY_BYTES), bytes.readUInt32LE(at + KEY_BYTES)]));
  return {
    hashes,
    // Of points beyond it the scan before looked at none, if there were too many for its sample.
    lastKey: Math.max(...hashes.keys()),
    sum: new Float64Array(Uint8Array.from(Buffer.from(sum, 'base64')).buffer),
  };
}
