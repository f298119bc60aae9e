// SPDX-License-Identifier: Apache-2.0
/**
 * How far a collection has followed a log. Each transaction stores the mark of its last operation, so that nothing is applied twice; and after an operation
 * that could not be applied here, for want of memory or of room on the disk, none that comes after it may be, so that nothing is left out.
 */
import { type ErrorCode, ServiceError } from '@sextant/contracts-vector';
import type { StorageTransaction } from '@sextant/vector-storage';
import { APPLIED } from '../model/collection-documents.ts';
import { LOG_START, type LogMark, PointsUncheckedError } from '../model/write-operation.ts';
import type { QueuedWrite } from './write-queue.ts';

/** What says nothing of an operation, only of the service that should apply it; every other refusal is the same everywhere. */
const OWN_TROUBLES: ReadonlySet<ErrorCode> = new Set(['memory_exhausted', 'disk_full', 'collections_exhausted', 'descriptors_exhausted']);

/** Whether an operation that failed so is to be tried again, rather than answered. */
export function isOwnTrouble(error: unknown): boolean {
  return error instanceof ServiceError ? OWN_TROUBLES.has(error.code) : !(error instanceof PointsUncheckedError);
}

/** An earlier operation of the log waits to be tried again. */
class HeldBackError extends Error {
  override readonly name = 'HeldBackError';
}

export class FollowedLog {
  #applied: LogMark;
  #isHeld = false;

  constructor(storage: { document(name: string): unknown }) {
    // Only this class and the creation of a collection write the document.
    this.#applied = (storage.document(APPLIED) as LogMark | undefined) ?? LOG_START;
  }

  get applied(): LogMark {
    return this.#applied;
  }

  /** @throws where it may not be run, because an operation before it was not */
  admit({ mark }: QueuedWrite): void {
    if (mark !== undefined && this.#isHeld) throw new HeldBackError('an earlier operation of the log could not be applied');
  }

  /** Whether the log goes on although a write was refused. */
  passesOver({ mark }: QueuedWrite, error: ServiceError): boolean {
    return mark === undefined || !isOwnTrouble(error);
  }

  /** Nothing of the log is applied until `goOn`. */
  failed({ mark }: QueuedWrite): void {
    if (mark !== undefined) this.#isHeld = true;
  }

  /** The operations that could not be applied are about to come again. */
  goOn(): void {
    this.#isHeld = false;
  }

  /** To be called in the transaction of a group; the mark counts once that is on disk. */
  store(transaction: StorageTransaction, group: readonly QueuedWrite[]): LogMark {
    const mark = group.findLast((write) => write.mark !== undefined)?.mark;
    if (mark === undefined) return this.#applied;
    transaction.putDocument(APPLIED, mark);
    return mark;
  }

  committed(mark: LogMark): void {
    this.#applied = mark;
  }
}
