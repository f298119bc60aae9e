// SPDX-License-Identifier: Apache-2.0
/** A cluster as the published API describes one: peers by number, and the log in the place of consensus. */
import { createHash } from 'node:crypto';
import type { ReplicationStatus } from '@sextant/vector-replication';

export type Peer = {
  readonly node: string;
  readonly address: string;
  /** The position of the log up to which it has everything. */
  readonly applied: number;
  readonly silentMs: number;
};

/** What operations may know of the cluster, and do to it. */
export type Cluster = {
  readonly status: ReplicationStatus;
  /** This node and the others, by name. */
  peers(): Promise<readonly Peer[]>;
  forget(node: string): Promise<boolean>;
};

/** A node announces itself every two seconds. */
const DEAD_AFTER_MS = 10_000;
/** As many bytes as a number of JavaScript holds exactly. */
const PEER_ID_BYTES = 6;

/** The API knows peers by numbers; a node has the same one everywhere and always. */
export function peerIdOf(node: string): number {
  return createHash('sha256').update(node).digest().readUIntBE(0, PEER_ID_BYTES);
}

export function isDead({ silentMs }: Peer): boolean {
  return silentMs > DEAD_AFTER_MS;
}
