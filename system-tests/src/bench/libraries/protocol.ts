// SPDX-License-Identifier: Apache-2.0
/** What the bench says to the process of a library, and what it hears. */
import type { VectorFile } from '../data-sets/data-set.ts';
import type { LibraryName, LibraryOptions } from './library.ts';

export type ProcessOptions = {
  readonly name: LibraryName;
  readonly library: LibraryOptions;
  readonly queries: VectorFile;
};

export type Request =
  | { readonly kind: 'build' }
  | { readonly kind: 'widen'; readonly ef: number }
  | { readonly kind: 'search'; readonly from: number; readonly to: number };

/** Processor time is that of all threads of the process, so it is never less than what a single thread worked. */
export type Spent = { readonly processorSeconds: number; readonly wallSeconds: number };

export type Build = Spent & {
  /** By how much the resident memory of the process grew; the vectors were read piece by piece and are not in it twice. */
  readonly residentBytes: number;
};

export type Searches = Spent & { readonly answers: readonly (readonly number[])[] };

export type Reply =
  | { readonly kind: 'build'; readonly build: Build }
  | { readonly kind: 'widen' }
  | { readonly kind: 'search'; readonly searches: Searches };
