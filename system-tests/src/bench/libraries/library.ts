// SPDX-License-Identifier: Apache-2.0
/** What the engine's kernel and its peers are to the bench. */
import type { VectorFile } from '../data-sets/data-set.ts';

export type LibraryOptions = {
  /** The points that will be added, row by row. */
  readonly points: VectorFile;
  /** Cosine is the inner product here: the vectors are normalised. */
  readonly metric: 'Cosine' | 'Euclid';
  readonly efConstruct: number;
  /** That build; a search has one. */
  readonly threads: number;
};

export interface Library {
  /** Resolves when all threads that take part are there, as they are in a service. */
  readonly ready?: Promise<unknown>;
  /** @param values whole vectors, row by row, of the ids from `firstId` on */
  add(firstId: number, values: Float32Array): void;
  /** Returns when all that was added is in the graph. */
  finish(): Promise<void>;
  /** Sets the ef of the searches that follow. */
  widen(ef: number): void;
  /** The ids of the `LIMIT` nearest, nearest first. */
  search(query: Float32Array): readonly number[];
}

/** Links per node of every graph; level 0 has twice as many in all of them. */
export const M = 16;

export const KERNEL = 'sextant';
/** The same kernel with vectors of half floats; with vectors of bytes, for sets that are of bytes; and with vectors that it reads from their file. */
export const KERNEL_OF_HALVES = 'sextant float16';
export const KERNEL_OF_BYTES = 'sextant uint8';
export const KERNEL_ON_DISK = 'sextant on disk';
export const KERNELS = [KERNEL, KERNEL_OF_HALVES, KERNEL_OF_BYTES, KERNEL_ON_DISK] as const;
export type KernelName = (typeof KERNELS)[number];

export const LIBRARIES = [...KERNELS, 'usearch f32', 'usearch bf16', 'usearch i8', 'hnswlib-node', 'zvec f32', 'zvec int8'] as const;
export type LibraryName = (typeof LIBRARIES)[number];
