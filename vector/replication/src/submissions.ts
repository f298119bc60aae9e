// SPDX-License-Identifier: Apache-2.0
/**
 * The writes of this node on their way through the log. Those that come while an append is under way go together in the next one, so one round trip and one
 * sync serve all of them. Each is answered when it has been applied here; where the log cannot be reached for long, nobody knows whether it will be.
 */
import { randomUUID } from 'node:crypto';
import { ServiceError } from '@sextant/contracts-vector';
import { type Clock, pause } from '@sextant/foundation-std';
import type { Log } from '@sextant/vector-collection';
import type { OperationLog } from '@sextant/vector-log';
import { BATCH_BYTES, bytesInBatch, encodeBatch } from './batch.ts';

/** How an operation ended: with a result, or with what was thrown. */
export type Outcome = { readonly result: unknown } | { readonly error: unknown };

type Sent = { readonly submissions: readonly Submission[]; readonly sinceMs: number; left: number };

type Submission = { readonly bytes: Uint8Array; readonly settle: (outcome: Outcome) => void };

const OPERATIONS_MAX = 1024;
/** Larger entries would keep others waiting; a single operation may be as large as the log allows. */
const BATCH_BYTES_MAX = 4 * 1024 * 1024;
const RETRY_PAUSE_MS = 250;
/** An append that failed for so long is given up. */
const PATIENCE_MS = 20_000;

export type SubmissionsOptions = {
  readonly log: OperationLog;
  readonly clock: Clock;
  readonly logger: Log;
};

export class Submissions {
  readonly #options: SubmissionsOptions;
  /** Appended or about to be, by the batch's id. */
  readonly #sent = new Map<string, Sent>();
  #waiting: Submission[] = [];
  #isSending = false;
  #ended: (() => ServiceError) | undefined;

  constructor(options: SubmissionsOptions) {
    this.#options = options;
  }

  /** Resolves, or rejects, with what has become of the operation here. */
  submit(bytes: Uint8Array): Promise<unknown> {
    const limit = this.#options.log.entryBytesMax - BATCH_BYTES;
    if (bytesInBatch(bytes) > limit) throw new ServiceError('operation_too_large', { bytes: bytes.length, limit });
    if (this.#ended !== undefined) throw this.#ended();
    return new Promise((resolve, reject) => {
      const settle = (outcome: Outcome) => {
        if ('error' in outcome) reject(outcome.error instanceof Error ? outcome.error : new Error(String(outcome.error)));
        else resolve(outcome.result);
      };
      this.#waiting.push({ bytes, settle });
      if (!this.#isSending) void this.#send();
    });
  }

  /** An operation that came back by the log has been carried out; false where it is another node's, as most are. */
  applied(batch: string, index: number, outcome: Outcome): boolean {
    const sent = this.#sent.get(batch);
    if (sent === undefined) return false;
    sent.submissions[index]?.settle(outcome);
    // Operations of several collections end in any order.
    sent.left -= 1;
    if (sent.left === 0) this.#sent.delete(batch);
    return true;
  }

  /** Nothing comes back from the log for now: who has waited for long is refused. */
  unreachable(): void {
    const sinceMs = this.#options.clock.monotonicMs() - PATIENCE_MS;
    for (const [batch, sent] of this.#sent)
      if (sent.sinceMs < sinceMs) this.#settle(batch, sent, () => new ServiceError('log_unavailable'));
  }

  /** From now on every write is refused; those under way get the same answer. */
  end(error: () => ServiceError): void {
    this.#ended = error;
    for (const [batch, sent] of this.#sent) this.#settle(batch, sent, error);
    for (const { settle } of this.#waiting.splice(0)) settle({ error: error() });
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    // Yielding once lets writes that arrived together share the first entry.
    await new Promise<void>((resolve) => setImmediate(resolve));
    while (this.#waiting.length > 0) await this.#append(this.#waiting.splice(0, this.#batchLength()));
    this.#isSending = false;
  }

  #batchLength(): number {
    let bytes = 0;
    const end = this.#waiting.findIndex((submission, position) => {
      bytes += submission.bytes.length;
      return position === OPERATIONS_MAX || (position > 0 && bytes > Math.min(BATCH_BYTES_MAX, this.#options.log.entryBytesMax / 2));
    });
    return end === -1 ? this.#waiting.length : end;
  }

  /** Tried again under the same id, so that an append whose answer was lost is not done twice. */
  async #append(submissions: readonly Submission[]): Promise<void> {
    const { log, clock, logger } = this.#options;
    const id = randomUUID();
    const entry = encodeBatch({ id, operations: submissions.map(({ bytes }) => bytes) });
    const sent = { submissions, sinceMs: clock.monotonicMs(), left: submissions.length };
    this.#sent.set(id, sent);
    for (;;) {
      try {
        await log.append({ id, entry });
        return;
      } catch (error) {
        // It came back by the log after all, or nobody waits any more.
        if (!this.#sent.has(id)) return;
        if (clock.monotonicMs() - sent.sinceMs > PATIENCE_MS) {
          logger.error({ err: error, operations: submissions.length }, 'writes could not be appended to the log of the cluster');
          this.#settle(id, sent, () => new ServiceError('log_unavailable'));
          return;
        }
      }
      await pause(clock, RETRY_PAUSE_MS);
    }
  }

  /** Settling an operation again changes nothing. */
  #settle(batch: string, { submissions }: Sent, error: () => ServiceError): void {
    this.#sent.delete(batch);
    for (const { settle } of submissions) settle({ error: error() });
  }
}
