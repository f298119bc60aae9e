// SPDX-License-Identifier: Apache-2.0
/** What the processes of one database have to agree on. SQLite has one process alone. */

/** What other processes may want to look at sooner than at their next turn. */
export type Notice = 'jobs' | 'deliveries';

export type ProcessGroup = AsyncDisposable & {
  /**
   * Whether this process does what one of them does for all. One that stood still may believe it for a moment longer than it is true, so what the
   * leader does must bear being done twice.
   */
  readonly leads: () => boolean;
  /** False while its clock differs so far from that of the database that leases of others would look as if they had ended. */
  readonly isClockRight: () => boolean;
  /** Confirms what it knows of the others; to be called every few seconds. Never rejects. */
  readonly turn: () => Promise<void>;
  /** Wakes the others. A notice that gets lost costs them their pause. */
  readonly announce: (notice: Notice) => void;
};

export const soleProcess: ProcessGroup = {
  leads: () => true,
  isClockRight: () => true,
  turn: () => Promise.resolve(),
  announce: () => undefined,
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

/** A process that cannot work beside those that are there; the message is for the operator. */
export class ProcessRefusedError extends Error {
  override readonly name = 'ProcessRefusedError';
}
