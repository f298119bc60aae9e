// SPDX-License-Identifier: Apache-2.0
/** Every operation, by its id. */
import type { OperationId, OperationThread } from '@sextant/contracts-vector';
import { endpoints, isOperationId } from '@sextant/contracts-vector/schemas';
import * as admin from './auth/admin.ts';
import * as tokens from './auth/tokens.ts';
import * as aliases from './collections/aliases.ts';
import { cluster, collectionClusterInfo, removePeer } from './collections/cluster.ts';
import { collectionExists } from './collections/collection-exists.ts';
import { createCollection } from './collections/create-collection.ts';
import { createFieldIndex } from './collections/create-field-index.ts';
import { deleteCollection } from './collections/delete-collection.ts';
import { deleteFieldIndex } from './collections/delete-field-index.ts';
import { getCollection } from './collections/get-collection.ts';
import { inputNorms } from './collections/input-norms.ts';
import { clearIssues, issues } from './collections/issues.ts';
import { listCollections } from './collections/list-collections.ts';
import { createShardKey, deleteShardKey, listShardKeys } from './collections/shard-keys.ts';
import { telemetry } from './collections/telemetry.ts';
import { updateCollection } from './collections/update-collection.ts';
import { updateCollectionCluster } from './collections/update-collection-cluster.ts';
import { createVector, deleteVector } from './collections/vector-names.ts';
import * as maintenance from './maintenance/maintenance.ts';
import * as status from './maintenance/status.ts';
import type { AuthContext, Operation, ReadContext, WriteContext } from './operation.ts';
import { batchUpdate } from './points/batch-update.ts';
import { countPoints } from './points/count-points.ts';
import { deletePoints } from './points/delete-points.ts';
import { facet } from './points/facet.ts';
import { getPoint } from './points/get-point.ts';
import * as payload from './points/payload.ts';
import { retrievePoints } from './points/retrieve-points.ts';
import { scrollPoints } from './points/scroll-points.ts';
import { upsertPoints } from './points/upsert-points.ts';
import { deleteVectors, updateVectors } from './points/vectors.ts';
import { queryGroups, recommendGroups, searchGroups } from './search/grouped-search.ts';
import { queryBatch, queryPoints } from './search/query-points.ts';
import { discoverBatch, discoverPoints, recommendBatch, recommendPoints } from './search/recommend-points.ts';
import { searchMatrixOffsets, searchMatrixPairs } from './search/search-matrix.ts';
import { searchBatch, searchPoints } from './search/search-points.ts';
import * as recovery from './snapshots/recover.ts';
import * as snapshots from './snapshots/snapshots.ts';

/** Where a module has operations alone, all of them are listed. */
const reads: readonly Operation<ReadContext>[] = [
  listCollections,
  getCollection,
  collectionExists,
  inputNorms,
  telemetry,
  listShardKeys,
  issues,
  getPoint,
  retrievePoints,
  scrollPoints,
  countPoints,
  facet,
  searchPoints,
  searchBatch,
  searchMatrixPairs,
  searchMatrixOffsets,
  queryPoints,
  queryBatch,
  recommendPoints,
  recommendBatch,
  recommendGroups,
  discoverPoints,
  discoverBatch,
  searchGroups,
  queryGroups,
  ...Object.values(status),
  aliases.listAliases,
  aliases.listCollectionAliases,
  snapshots.listSnapshots,
  snapshots.listFullSnapshots,
  snapshots.getSnapshot,
  snapshots.getFullSnapshot,
];

const writes: readonly Operation<WriteContext & AuthContext>[] = [
  cluster,
  collectionClusterInfo,
  updateCollectionCluster,
  createShardKey,
  deleteShardKey,
  removePeer,
  clearIssues,
  createCollection,
  updateCollection,
  deleteCollection,
  createVector,
  deleteVector,
  createFieldIndex,
  deleteFieldIndex,
  upsertPoints,
  deletePoints,
  updateVectors,
  deleteVectors,
  payload.setPayload,
  payload.overwritePayload,
  payload.deletePayload,
  payload.clearPayload,
  batchUpdate,
  ...Object.values(maintenance),
  aliases.changeAliases,
  aliases.updateAliases,
  snapshots.createSnapshot,
  snapshots.createFullSnapshot,
  snapshots.deleteSnapshot,
  snapshots.deleteFullSnapshot,
  ...Object.values(recovery),
  ...Object.values(admin),
  ...Object.values(tokens),
];

export const readOperations: ReadonlyMap<string, Operation<ReadContext>> = new Map(reads.map((each) => [each.id, each]));
export const writeOperations: ReadonlyMap<string, Operation<WriteContext & AuthContext>> = new Map(writes.map((each) => [each.id, each]));

/** The thread that runs an operation. */
export function operationThread(operation: OperationId): OperationThread {
  return endpoints[operation].thread;
}

/** What runs on the writer and makes room, or writes nothing: a full disk does not refuse it beforehand. */
const WITHOUT_ROOM: ReadonlySet<string> = new Set<OperationId>([
  'delete_collection',
  'delete_points',
  'delete_vectors',
  'delete_vector',
  'delete_payload',
  'clear_payload',
  'delete_field_index',
  'flush_collection',
  'cluster',
  'collection_cluster_info',
  'update_collection_cluster',
  'delete_shard_key',
  'remove_peer',
  'clear_issues',
  'delete_snapshot',
  'delete_full_snapshot',
  'login',
  'admin_exists',
  'enforced',
  'list_tokens',
  'delete_token',
]);

/** Whether an operation may be begun only where the disk has room. */
export function needsRoom(operation: string): boolean {
  return !WITHOUT_ROOM.has(operation);
}

/** Whether points are read or searched by it, rather than a collection or the service asked how it is, again and again perhaps. */
export function readsPoints(operation: OperationId): boolean {
  const { thread, tag } = endpoints[operation];
  return thread === 'serving' && (tag === 'Points' || tag === 'Search');
}

export function isOperation(name: string): name is OperationId {
  return isOperationId(name) && (readOperations.has(name) || writeOperations.has(name));
}
