// SPDX-License-Identifier: Apache-2.0
/**
 * Where a node stands in its log, and whether it may go on from there. A log that was restored from a backup, or another one under the same address, gives
 * positions again; a node that went on would leave out what they hold now. So a node knows its log by the log's id and by the last batch that it applied.
 */

import type { LogMark } from '@sextant/vector-collection';
import { LogTruncatedError, type OperationLog } from '@sextant/vector-log';
import type { SystemStorage } from '@sextant/vector-storage';
import { decodeBatch } from './batch.ts';

const DOCUMENT = 'replication';

export type Standing = {
  /** The log's id. */
  readonly log: string;
  /** Everything up to this position is on disk. */
  readonly applied: number;
  /** The id of the batch there; undefined at the start of the log. */
  readonly batch?: string;
  /** The first copies from another node have not all come. */
  readonly isPartial?: true;
};

/** The node must not follow this log; the message says why, and what to do. */
export class ReplicationRefusedError extends Error {
  override readonly name = 'ReplicationRefusedError';
}

const COPY =
  'Start this node with an empty data directory and SERVICE_CLUSTER_SECRET, so that it copies the missing data from the other nodes. Without a secret, stop another node, copy its data directory, and start both';

export class StandingStore {
  readonly #store: Pick<SystemStorage, 'get' | 'put'>;

  constructor(store: Pick<SystemStorage, 'get' | 'put'>) {
    this.#store = store;
  }

  /** Only this class writes the document. */
  get(): Standing | undefined {
    return this.#store.get(DOCUMENT) as Standing | undefined;
  }

  put(standing: Standing): void {
    this.#store.put(DOCUMENT, standing);
  }
}

/**
 * Where a node begins to read.
 * @param known where it stood when it stopped; undefined for one that follows a log for the first time
 * @returns undefined where it has to have copies from other nodes first, which it can ask for
 * @throws ReplicationRefusedError
 */
export async function startingPoint(
  log: OperationLog,
  known: Standing | undefined,
  { isEmpty, canCopy }: { readonly isEmpty: boolean; readonly canCopy: boolean },
): Promise<Standing | undefined> {
  if (known?.isPartial === true && canCopy) return undefined;
  if (known?.isPartial === true)
    throw new ReplicationRefusedError(`this node has only a part of the data that it started to copy. ${COPY}`);
  if (known !== undefined) {
    await checkStanding(log, known);
    return known;
  }
  const { id, first } = await log.describe();
  if (!isEmpty) {
    throw new ReplicationRefusedError(
      'the data directory holds collections that did not come from the log of the cluster. Start with an empty directory, and write the points to the cluster',
    );
  }
  if (first > 1 && canCopy) return undefined;
  if (first > 1) {
    throw new ReplicationRefusedError(`the log of the cluster now begins at ${first}, and this node lacks the earlier entries. ${COPY}`);
  }
  return { log: id, applied: 0 };
}

/** @throws ReplicationRefusedError where this is not the log that the node has followed, or not any more */
export async function checkStanding(log: OperationLog, { log: followed, applied, batch }: Standing): Promise<void> {
  const { id, first, last } = await log.describe();
  if (id !== followed) {
    throw new ReplicationRefusedError(
      `the log of the cluster (${id}) is not the log that this node has followed (${followed}). Check SERVICE_CLUSTER_LOG, or start with an empty data directory`,
    );
  }
  if (applied + 1 < first) {
    throw new ReplicationRefusedError(`the log of the cluster now begins at ${first}, but this node stopped at ${applied}. ${COPY}`);
  }
  if (applied > last || (batch !== undefined && (await batchAt(log, applied)) !== batch)) throw lost(applied);
}

/**
 * What a node has on its disk may be newer than what it wrote down last, and it passes over entries that its disk has.
 * @throws ReplicationRefusedError where the log has lost the newest of these, or has another in its place
 */
export async function checkNewestMark(log: OperationLog, { position, batch }: LogMark): Promise<void> {
  const { last } = await log.describe();
  if (position > last) throw lost(position);
  if (position === 0 || batch === undefined) return;
  const there = await batchAt(log, position);
  if (there !== undefined && there !== batch) throw lost(position);
}

function lost(position: number): ReplicationRefusedError {
  return new ReplicationRefusedError(
    `the log of the cluster has lost entries that this node has read up to ${position}, as after a restore from a backup. ` +
      'Restore a later state of the log; or start a new log, and write the points of this node to the new cluster',
  );
}

/** Undefined where it cannot be read any more. */
async function batchAt(log: OperationLog, position: number): Promise<string | undefined> {
  try {
    const [entry] = await log.read({ after: position - 1, waitMs: 0 });
    return entry?.position === position ? decodeBatch(entry.entry).id : undefined;
  } catch (error) {
    if (error instanceof LogTruncatedError) return undefined;
    throw error;
  }
}
