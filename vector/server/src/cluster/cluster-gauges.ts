// SPDX-License-Identifier: Apache-2.0
/** How far this node is with the log of its cluster, in memory that all its threads share, and in the metrics. */
import type { Figure } from '@sextant/foundation-service/http';
import type { ReplicationStatus } from '@sextant/vector-replication';

const APPLIED = 0;
const LAST = 1;
const CONNECTED = 2;
const ACKNOWLEDGED = 3;
const LOST = 4;
const REPLACED = 5;
const INCOMPLETE = 6;
const WORDS = 7;

export class ClusterGauges {
  readonly #words: BigInt64Array;

  constructor(shared: SharedArrayBuffer) {
    this.#words = new BigInt64Array(shared);
  }

  static allocate(): SharedArrayBuffer {
    return new SharedArrayBuffer(WORDS * BigInt64Array.BYTES_PER_ELEMENT);
  }

  write({ applied, acknowledged, last, isConnected }: Pick<ReplicationStatus, 'applied' | 'acknowledged' | 'last' | 'isConnected'>): void {
    Atomics.store(this.#words, APPLIED, BigInt(applied));
    Atomics.store(this.#words, ACKNOWLEDGED, BigInt(acknowledged));
    Atomics.store(this.#words, LAST, BigInt(last));
    Atomics.store(this.#words, CONNECTED, isConnected ? 1n : 0n);
  }

  /** Copies of shards on nodes that are gone. */
  writeLost(copies: number): void {
    Atomics.store(this.#words, LOST, BigInt(copies));
  }

  /** One of them was begun to be replaced by this node's word. */
  noteReplaced(): void {
    Atomics.add(this.#words, REPLACED, 1n);
  }

  /** Copies of new shards that others are divided into, which are not complete. */
  writeIncomplete(copies: number): void {
    Atomics.store(this.#words, INCOMPLETE, BigInt(copies));
  }

  /** Everything up to this position of the log is applied here. */
  get applied(): number {
    return Number(Atomics.load(this.#words, APPLIED));
  }

  /** What this node shows itself of collections that every node has: nothing older than what it has acknowledged. */
  get shown(): number {
    return Math.max(this.applied, Number(Atomics.load(this.#words, ACKNOWLEDGED)));
  }

  get status(): Pick<ReplicationStatus, 'applied' | 'last' | 'isConnected'> {
    const last = Number(Atomics.load(this.#words, LAST));
    return { applied: this.applied, last, isConnected: Atomics.load(this.#words, CONNECTED) === 1n };
  }

  get figures(): readonly Figure[] {
    const read = (word: number) => Number(Atomics.load(this.#words, word));
    const [applied, last, connected] = [APPLIED, LAST, CONNECTED].map(read);
    return [
      { name: 'cluster_log_position', help: 'Newest position of the log of the cluster that this node knows', value: last ?? 0 },
      { name: 'cluster_applied_position', help: 'Position up to which this node has applied the log of the cluster', value: applied ?? 0 },
      {
        name: 'cluster_log_connected',
        help: '1 if the log of the cluster answered the last request of this node, else 0',
        value: connected ?? 0,
      },
      { name: 'cluster_copies_lost', help: 'Copies of shards on unreachable nodes, as seen by this node', value: read(LOST) },
      {
        name: 'cluster_copies_replaced_total',
        help: 'Copies of shards that this node has started to replace since the start because their nodes are unreachable',
        value: read(REPLACED),
      },
      {
        name: 'cluster_resharding_copies_incomplete',
        help: 'Copies of new shards of a resharding that are not complete yet',
        value: read(INCOMPLETE),
      },
    ];
  }
}
