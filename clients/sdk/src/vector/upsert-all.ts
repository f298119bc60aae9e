// SPDX-License-Identifier: Apache-2.0
/**
 * Upserts from a source of any length. At most `concurrency` batches are in flight; the next batch is read from the source when one of them
 * has been stored, so memory holds at most `concurrency` + 1 batches.
 */
import type { PointStruct, UpdateResult } from '../contract/vector-types.ts';
import type { RequestOptions } from '../http/request-options.ts';

export type UpsertAllOptions = RequestOptions & {
  /** Points per request. Default: 256. */
  readonly batchSize?: number | undefined;
  /** Concurrent requests. Default: 2, so that one is stored while the next is transmitted. */
  readonly concurrency?: number | undefined;
  /** Called after each stored batch. */
  readonly onProgress?: ((progress: UpsertProgress) => void) | undefined;
};

export type UpsertProgress = {
  readonly pointsStored: number;
  readonly batchesStored: number;
};

export type UpsertAllResult = UpsertProgress;

const BATCH_SIZE = 256;
const CONCURRENCY = 2;

type Send = (batch: readonly PointStruct[], options: RequestOptions) => Promise<UpdateResult>;

/** @throws the error of the first batch that fails, after the batches in flight have ended; the source is closed */
export async function upsertAll(
  points: Iterable<PointStruct> | AsyncIterable<PointStruct>,
  send: Send,
  { batchSize = BATCH_SIZE, concurrency = CONCURRENCY, onProgress, signal, ...options }: UpsertAllOptions = {},
): Promise<UpsertAllResult> {
  if (!isCount(batchSize)) throw new RangeError('`batchSize` must be a whole number of at least 1');
  if (!isCount(concurrency)) throw new RangeError('`concurrency` must be a whole number of at least 1');
  // What fails ends the other batches too.
  const failed = new AbortController();
  const ended = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
  const underWay = new Set<Promise<void>>();
  let progress: UpsertProgress = { pointsStored: 0, batchesStored: 0 };

  function start(batch: readonly PointStruct[]): void {
    const task = send(batch, { ...options, signal: ended })
      .then(() => {
        progress = { pointsStored: progress.pointsStored + batch.length, batchesStored: progress.batchesStored + 1 };
        onProgress?.(progress);
      })
      // The first failure is the one that is thrown; it cancels the other batches, which fail after it.
      .catch((error: unknown) => failed.abort(error))
      .finally(() => underWay.delete(task));
    underWay.add(task);
  }

  try {
    for await (const batch of batchesOf(points, batchSize)) {
      ended.throwIfAborted();
      start(batch);
      if (underWay.size >= concurrency) await Promise.race(underWay);
      ended.throwIfAborted();
    }
  } finally {
    await Promise.all(underWay);
  }
  ended.throwIfAborted();
  return progress;
}

async function* batchesOf(points: Iterable<PointStruct> | AsyncIterable<PointStruct>, size: number): AsyncGenerator<PointStruct[], void> {
  let batch: PointStruct[] = [];
  for await (const point of points) {
    batch.push(point);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value > 0;
}
