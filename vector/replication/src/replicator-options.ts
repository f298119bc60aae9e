// SPDX-License-Identifier: Apache-2.0
/** What a node of a cluster is made of, and what it says of itself. */
import type { Clock } from '@sextant/foundation-std';
import type { Catalog, Log } from '@sextant/vector-collection';
import type { Member, OperationLog } from '@sextant/vector-log';
import type { SystemStorage } from '@sextant/vector-storage';
import type { FirstSource } from './first-copy.ts';
import type { ReceiveShard } from './incoming-shard.ts';
import type { CarryOut } from './lane.ts';

export type ReplicatorOptions = {
  readonly log: OperationLog;
  readonly catalog: Catalog;
  readonly store: Pick<SystemStorage, 'get' | 'put'>;
  /** Its name in the cluster, and where others reach it. */
  readonly node: string;
  readonly address: string;
  readonly clock: Clock;
  readonly logger: Log;
  /** Whether the disk has no room for more; others hear of it. */
  readonly isFull?: (() => boolean) | undefined;
  /** Hears of each change of the status. */
  readonly observe: (status: ReplicationStatus) => void;
  /** Hears every two seconds who else is there, as far as the log can be reached. */
  readonly meet?: (members: readonly Member[]) => void;
  /** Gets shards from other nodes; undefined where these cannot be asked. */
  readonly receive?: ReceiveShard | undefined;
  /** Where a node that has nothing gets its collections from. */
  readonly source?: FirstSource | undefined;
  /** Something else than the catalog that carries operations out, as in a simulation. */
  readonly carryOut?: CarryOut | undefined;
  /** The node must not go on. */
  readonly failed: (error: Error) => void;
};

export type ReplicationStatus = {
  readonly node: string;
  readonly address: string;
  /** The position up to which everything is applied here. */
  readonly applied: number;
  /** The newest position that this node has acknowledged a write at. */
  readonly acknowledged: number;
  /** The newest position that this node knows of. */
  readonly last: number;
  /** Whether the log answered when it was asked last. */
  readonly isConnected: boolean;
};
