// SPDX-License-Identifier: Apache-2.0
/**
 * Reads for those who take what they get for the whole collection. While one is being made from a snapshot its points are not given out, also where another
 * collection looks them up, and what it says of itself says so. Whatever describes its work, or asks about single parts of it, goes on.
 */
import { type CollectionInfo, ServiceError } from '@sextant/contracts-vector';
import type { EngineReads } from './engine.ts';
import { lookupsOf } from './query/lookups.ts';

export type WholeReadsOptions = {
  /** Of a collection, by its name or an alias, as this thread knows by now. */
  readonly isRecovering: (collection: string) => boolean;
  /** Resolves when this thread has everything that any node had acknowledged by now: elsewhere it may be whole already. */
  readonly caughtUp?: () => Promise<void>;
};

const RECOVERING = 'The collection is being recovered from a snapshot: points are missing, and reads are refused until the recovery ends';

export function wholeReads(reads: EngineReads, { isRecovering, caughtUp = async () => undefined }: WholeReadsOptions): EngineReads {
  const isPart = (collections: readonly string[]) => collections.some(isRecovering);

  /** Nothing is awaited where all are whole, as nearly always. */
  function read<Answer>(collections: readonly string[], run: () => Promise<Answer>): Promise<Answer> {
    return isPart(collections) ? readLater(collections, run) : run();
  }

  async function readLater<Answer>(collections: readonly string[], run: () => Promise<Answer>): Promise<Answer> {
    // Without its log this node knows nothing newer.
    await caughtUp().catch(() => undefined);
    const collection = collections.find(isRecovering);
    if (collection !== undefined) throw new ServiceError('collection_recovering', { collection });
    return run();
  }

  return {
    ...reads,
    collectionInfo: async (collection) => {
      const isUnfinished = isRecovering(collection);
      const info = await reads.collectionInfo(collection);
      if (!isUnfinished) return info;
      return { ...info, status: unfinished(info.status), warnings: [{ message: RECOVERING }, ...(info.warnings ?? [])] };
    },
    collectionStatus: async (collection) => {
      const isUnfinished = isRecovering(collection);
      const status = await reads.collectionStatus(collection);
      return isUnfinished ? { ...status, status: unfinished(status.status) } : status;
    },
    inputNorms: (collection) => read([collection], () => reads.inputNorms(collection)),
    retrieve: (collection, request) => read([collection], () => reads.retrieve(collection, request)),
    scroll: (collection, request) => read([collection], () => reads.scroll(collection, request)),
    count: (collection, request) => read([collection], () => reads.count(collection, request)),
    facet: (collection, request) => read([collection], () => reads.facet(collection, request)),
    nearest: (collection, request) => read([collection], () => reads.nearest(collection, request)),
    weighted: (collection, request) => read([collection], () => reads.weighted(collection, request)),
    sample: (collection, request) => read([collection], () => reads.sample(collection, request)),
    neighboursAmong: (collection, request) => read([collection], () => reads.neighboursAmong(collection, request)),
    sparseCounts: (collection, request) => read([collection], () => reads.sparseCounts(collection, request)),
    query: (collection, request) => read([collection, ...lookupsOf(request)], () => reads.query(collection, request)),
    queryGroups: (collection, request) => read([collection, ...lookupsOf(request)], () => reads.queryGroups(collection, request)),
  };
}

/** A fault stays one. */
function unfinished(status: CollectionInfo['status']): CollectionInfo['status'] {
  return status === 'green' ? 'yellow' : status;
}
