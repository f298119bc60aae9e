// SPDX-License-Identifier: Apache-2.0
/** What one node asks another about a shard. */
import type { ErrorCode, ErrorDetails } from '@sextant/contracts-vector';
import type { ShardReads } from '@sextant/vector-collection';

export type ShardQuestion = {
  readonly read: keyof ShardReads;
  /** The shard's own name. */
  readonly shard: string;
  /** Absent for what takes none. */
  readonly request?: unknown;
  /** The position of the log that the answer may not be older than. */
  readonly atLeast: number;
};

export type ShardAnswer =
  | { readonly result: unknown }
  /** What the caller of the service is told. */
  | { readonly refusal: { readonly code: ErrorCode; readonly details: ErrorDetails } };

/** Where nodes ask each other. */
export const SHARDS_PATH = '/cluster/shards';
export const SEAL_HEADER = 'x-sextant-cluster';

/** The compiler sees to it that every read is here. */
const READS: { readonly [Read in keyof ShardReads]: true } = {
  collectionInfo: true,
  collectionFigures: true,
  collectionStatus: true,
  inputNorms: true,
  optimizations: true,
  retrieve: true,
  scroll: true,
  count: true,
  facet: true,
  nearest: true,
  sparseCounts: true,
  sample: true,
};

export function isShardQuestion(message: unknown): message is ShardQuestion {
  if (typeof message !== 'object' || message === null) return false;
  const { read, shard, atLeast } = message as Partial<ShardQuestion>;
  return typeof read === 'string' && Object.hasOwn(READS, read) && typeof shard === 'string' && Number.isSafeInteger(atLeast);
}

/** Reads of a shard of which each becomes a question. */
export function questioning(ask: (read: keyof ShardReads, shard: string, request: unknown) => Promise<unknown>): ShardReads {
  const read = (name: keyof ShardReads) => (shard: string, request?: unknown) => ask(name, shard, request);
  // Both nodes run the same release, so that an answer is of the type that is asked for.
  return Object.fromEntries(Object.keys(READS).map((name) => [name, read(name as keyof ShardReads)])) as unknown as ShardReads;
}
