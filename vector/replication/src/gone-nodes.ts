// SPDX-License-Identifier: Apache-2.0
/**
 * Which nodes of a cluster are gone for good. How long a node has been silent is not enough to say so: while the log is away, all are silent. So each node
 * watches the others itself as well, and begins again where it could not look for a while. A node that was removed is no member any more, and is gone soon.
 */
import type { Clock } from '@sextant/foundation-std';

export type MetNode = {
  readonly node: string;
  readonly isDead: boolean;
  /** Whether its disk has no room. */
  readonly isFull?: boolean;
  /** Since it announced itself last. */
  readonly silentMs: number;
};

export type GoneNodesOptions = {
  /** How long a member has to be dead; undefined where only nodes are gone that were removed. */
  readonly afterMs: number | undefined;
  readonly clock: Pick<Clock, 'monotonicMs'>;
};

/** Looks are two seconds apart; after a longer pause nobody knows what was meanwhile. */
const LOOK_GAP_MS = 10_000;
/** One that has just been made a member may be placed before every node has met it. */
const REMOVED_AFTER_MS = 10_000;

export class GoneNodes {
  readonly #options: GoneNodesOptions;
  readonly #awaySinceMs = new Map<string, number>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(options: GoneNodesOptions) {
    this.#options = options;
  }

  /** @param placed nodes that shards are placed on, or are on their way to */
  look(members: readonly MetNode[], placed: Iterable<string>): ReadonlySet<string> {
    const { clock, afterMs = Number.POSITIVE_INFINITY } = this.#options;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#lookedMs > LOOK_GAP_MS) this.#awaySinceMs.clear();
    this.#lookedMs = nowMs;
    const met = new Map(members.map((member) => [member.node, member]));
    const gone = new Set<string>();
    for (const node of new Set([...met.keys(), ...placed])) {
      const member = met.get(node);
      if (member?.isDead === false) {
        this.#awaySinceMs.delete(node);
        continue;
      }
      const sinceMs = this.#awaySinceMs.get(node) ?? nowMs;
      this.#awaySinceMs.set(node, sinceMs);
      // It may have been back for a moment between two looks.
      const awayMs = Math.min(nowMs - sinceMs, member?.silentMs ?? Number.POSITIVE_INFINITY);
      if (awayMs >= (member === undefined ? REMOVED_AFTER_MS : afterMs)) gone.add(node);
    }
    return gone;
  }
}
