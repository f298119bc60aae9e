// SPDX-License-Identifier: Apache-2.0
/**
 * Endpoints of the published API that change a cluster. A single node has one shard of each collection and no peers, so it refuses them by name,
 * as the published service does in standalone mode: https://github.com/qdrant/qdrant/issues/9421
 */
import type { Method } from './endpoints/endpoint.ts';

export type ClusterEndpoint = {
  readonly method: Method;
  readonly path: string;
  /** What a caller does in its place. */
  readonly instead: string;
};

const collection = '/collections/{collection_name}';
const shard = `${collection}/shards/{shard_id}`;

const NO_PEERS = 'there are no peers to manage';
const SNAPSHOTS = `a snapshot of the collection holds its only shard: ${collection}/snapshots`;

export const clusterEndpoints: readonly ClusterEndpoint[] = [
  { method: 'POST', path: '/cluster/recover', instead: NO_PEERS },
  { method: 'GET', path: '/cluster/telemetry', instead: '/telemetry describes this node' },
  { method: 'PUT', path: '/cluster/metadata/keys/{key}', instead: NO_PEERS },
  { method: 'GET', path: `${shard}/snapshots`, instead: SNAPSHOTS },
  { method: 'POST', path: `${shard}/snapshots`, instead: SNAPSHOTS },
  { method: 'GET', path: `${shard}/snapshots/{snapshot_name}`, instead: SNAPSHOTS },
  { method: 'DELETE', path: `${shard}/snapshots/{snapshot_name}`, instead: SNAPSHOTS },
  { method: 'PUT', path: `${shard}/snapshots/recover`, instead: SNAPSHOTS },
  { method: 'POST', path: `${shard}/snapshots/upload`, instead: SNAPSHOTS },
];
