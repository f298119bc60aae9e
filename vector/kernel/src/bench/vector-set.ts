// SPDX-License-Identifier: Apache-2.0
/** The vectors and queries of the bench: real vectors from a file, or clusters. */
import { readFileSync } from 'node:fs';
import { clusteredVectors } from '../clustered-vectors.ts';

export type VectorSetOptions = {
  readonly dimension: number;
  /** Number of vectors; the last rows of a file, as many as `queries`, are never among them. */
  readonly count: number;
  readonly queries: number;
  /** A file of little-endian float32, row by row; without one, clusters are generated. */
  readonly file: string | undefined;
};

export type VectorSet = { readonly points: readonly Float32Array[]; readonly queries: readonly Float32Array[] };

const CLUSTERS = 200;

export function vectorSet(options: VectorSetOptions): VectorSet {
  const { dimension, count, queries, file } = options;
  const all =
    file === undefined
      ? clusteredVectors({ count: count + queries, dimension, clusters: CLUSTERS, seed: 1 })
      : readVectors(file, dimension);
  const points = all.slice(0, Math.min(count, all.length - queries));
  return { points, queries: all.slice(-queries) };
}

function readVectors(file: string, dimension: number): Float32Array[] {
  const bytes = readFileSync(file);
  const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / Float32Array.BYTES_PER_ELEMENT);
  return Array.from({ length: Math.floor(values.length / dimension) }, (_, row) => values.subarray(row * dimension, (row + 1) * dimension));
}
