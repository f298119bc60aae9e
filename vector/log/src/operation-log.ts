// SPDX-License-Identifier: Apache-2.0
/**
 * The log that orders the writes of a cluster. The hard part of replication, an ordered and durable list of entries on which all agree, is left to a store
 * that has it; `SPEC.md` says what it has to promise. What an entry means is for the nodes.
 */

export type LogEntry = { readonly position: number; readonly entry: Uint8Array };

export type LogDescription = {
  /** Its own, so that a node does not follow another log by mistake. */
  readonly id: string;
  /** The position of the oldest entry that can be read; one beyond `last` where there is none. */
  readonly first: number;
  /** The position of the newest entry, 0 before there was one. */
  readonly last: number;
};

/** What a node tells of itself. */
export type Announcement = {
  readonly node: string;
  /** Where others reach it. */
  readonly address: string;
  /** The position up to which it has everything on its disk. */
  readonly applied: number;
  /** Whether its disk has no room for more. */
  readonly isFull: boolean;
};

export type Member = Announcement & {
  /** Time since it announced itself last. */
  readonly silentMs: number;
};

export interface OperationLog {
  /** A larger entry is not taken. */
  readonly entryBytesMax: number;
  describe(): Promise<LogDescription>;
  /** Answers the position of the entry once it is as durable as the store makes it. */
  append(entry: { readonly id: string; readonly entry: Uint8Array }): Promise<number>;
  /** The entries after a position, oldest first, as many as are a good mouthful; none when none came in `waitMs`. */
  read(from: { readonly after: number; readonly waitMs: number }): Promise<readonly LogEntry[]>;
  /** Removes the entries below a position. */
  truncate(bounds: { readonly below: number }): Promise<void>;
  announce(announcement: Announcement): Promise<void>;
  /** By node. */
  members(): Promise<readonly Member[]>;
  /** False where there is no such member. */
  forget(node: string): Promise<boolean>;
  /** Ends what waits. */
  close(): Promise<void>;
}

/** Entries that are asked for are gone for good. */
export class LogTruncatedError extends Error {
  override readonly name = 'LogTruncatedError';
  readonly first: number;

  constructor({ after, first }: { readonly after: number; readonly first: number }) {
    super(`the log now begins at ${first}, but was read only up to ${after}`);
    this.first = first;
  }
}
