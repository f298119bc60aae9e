// SPDX-License-Identifier: Apache-2.0
/**
 * How long vectors were as they came. With the distance Cosine they are kept at length one, so that a model that stopped to normalise, or began to, would
 * leave no trace. Counted for each vector name by intervals of the logarithm of the length, over all writes since the collection was created.
 */
import { INPUT_NORMS } from './collection-documents.ts';

/** Intervals in which the length doubles: each is 4.4 % wide. */
export const INTERVALS_PER_OCTAVE = 16;
/** Lengths from 2^-32 to 2^32; what lies beyond counts in the last interval of its side. */
const INTERVAL_MAX = 32 * INTERVALS_PER_OCTAVE;

/** By ordinal of the vector, pairs of interval and count in the order of the intervals: interval i holds lengths from 2^(i/16) on. */
export type InputNorms = { readonly [ordinal: string]: readonly (readonly [interval: number, count: number])[] };

/** Of one vector that was written. */
export type InputNorm = { readonly ordinal: number; readonly norm: number };

/** As `CollectionWriter` has stored them; empty where it has not yet. */
export function inputNormsIn(storage: { document(name: string): unknown }): InputNorms {
  return (storage.document(INPUT_NORMS) as InputNorms | undefined) ?? {};
}

/** The same where nothing was added. */
export function withInputNorms(known: InputNorms, added: readonly InputNorm[]): InputNorms {
  if (added.length === 0) return known;
  const byOrdinal = new Map<number, Map<number, number>>();
  for (const { ordinal, norm } of added) {
    const counts = byOrdinal.get(ordinal) ?? new Map(known[ordinal]);
    const interval = intervalOf(norm);
    counts.set(interval, (counts.get(interval) ?? 0) + 1);
    byOrdinal.set(ordinal, counts);
  }
  return { ...known, ...Object.fromEntries([...byOrdinal].map(([ordinal, counts]) => [ordinal, inOrder(counts)])) };
}

/** Without vectors that were removed, whose numbers may be given to others; the same where none was. */
export function ofVectors(known: InputNorms, vectors: readonly { readonly ordinal: number }[]): InputNorms {
  const entries = Object.entries(known);
  const left = entries.filter(([key]) => vectors.some(({ ordinal }) => String(ordinal) === key));
  return left.length === entries.length ? known : Object.fromEntries(left);
}

/** A zero vector has no logarithm, and is shorter than all others. */
function intervalOf(norm: number): number {
  if (norm === 0) return -INTERVAL_MAX;
  return Math.max(-INTERVAL_MAX, Math.min(INTERVAL_MAX, Math.floor(INTERVALS_PER_OCTAVE * Math.log2(norm))));
}

function inOrder(counts: ReadonlyMap<number, number>): readonly (readonly [interval: number, count: number])[] {
  return [...counts].sort(([one], [other]) => one - other);
}
