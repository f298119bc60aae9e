// SPDX-License-Identifier: Apache-2.0
/** A log within one process, for tests of what stands on one, and for a node that is thrown away. */
import { randomUUID } from 'node:crypto';
import type { Clock } from '@sextant/foundation-std';
import {
  type Announcement,
  type LogDescription,
  type LogEntry,
  LogTruncatedError,
  type Member,
  type OperationLog,
} from './operation-log.ts';
import { Wakes } from './wakes.ts';

const ENTRY_BYTES_MAX = 8 * 1024 * 1024;
const ENTRIES_READ_MAX = 64;

/** What several nodes share; each opens it by a `MemoryLog` of its own. */
export class MemoryLogStore {
  readonly id = randomUUID();
  readonly entries: (LogEntry & { readonly id: string })[] = [];
  readonly members = new Map<string, Announcement & { readonly seenMs: number }>();
  readonly wakes: Wakes;
  first = 1;
  last = 0;

  constructor(clock: Clock) {
    this.wakes = new Wakes(clock);
  }
}

export class MemoryLog implements OperationLog {
  readonly entryBytesMax = ENTRY_BYTES_MAX;
  readonly #store: MemoryLogStore;
  readonly #clock: Clock;
  #closed = false;

  constructor(store: MemoryLogStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async describe(): Promise<LogDescription> {
    const { id, first, last } = this.#store;
    return { id, first, last };
  }

  async append({ id, entry }: { readonly id: string; readonly entry: Uint8Array }): Promise<number> {
    const store = this.#store;
    const known = store.entries.find((each) => each.id === id);
    if (known !== undefined) return known.position;
    store.last += 1;
    store.entries.push({ position: store.last, id, entry: entry.slice() });
    store.wakes.all();
    return store.last;
  }

  async read({ after, waitMs }: { readonly after: number; readonly waitMs: number }): Promise<readonly LogEntry[]> {
    const { first, entries } = this.#store;
    if (after + 1 < first) throw new LogTruncatedError({ after, first });
    if (this.#store.last <= after && waitMs > 0 && !this.#closed) await this.#store.wakes.next(waitMs);
    if (this.#closed) return [];
    const found = entries.filter(({ position }) => position > after).slice(0, ENTRIES_READ_MAX);
    return found.map(({ position, entry }) => ({ position, entry: entry.slice() }));
  }

  async truncate({ below }: { readonly below: number }): Promise<void> {
    const store = this.#store;
    store.first = Math.max(store.first, Math.min(below, store.last + 1));
    store.entries.splice(0, store.entries.findLastIndex(({ position }) => position < store.first) + 1);
  }

  async announce(announcement: Announcement): Promise<void> {
    this.#store.members.set(announcement.node, { ...announcement, seenMs: this.#clock.monotonicMs() });
  }

  async members(): Promise<readonly Member[]> {
    const now = this.#clock.monotonicMs();
    const members = [...this.#store.members.values()].map(({ seenMs, ...member }) => ({ ...member, silentMs: now - seenMs }));
    return members.toSorted((left, right) => (left.node < right.node ? -1 : 1));
  }

  async forget(node: string): Promise<boolean> {
    return this.#store.members.delete(node);
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#store.wakes.all();
  }
}

/** Has one node, and keeps nothing that this has: what is written to it may be larger than the memory. */
export class ThrowawayLog extends MemoryLog {
  constructor(clock: Clock) {
    super(new MemoryLogStore(clock), clock);
  }

  override async announce(announcement: Announcement): Promise<void> {
    await super.announce(announcement);
    await this.truncate({ below: announcement.applied + 1 });
  }
}
