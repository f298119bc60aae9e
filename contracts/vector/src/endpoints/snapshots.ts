// SPDX-License-Identifier: Apache-2.0
/** Snapshots and recovery from them. Both groups are off until an operator switches them on. */
import Type from 'typebox';
import {
  receivedSnapshotSchema,
  recoverNamedSchema,
  recoverSchema,
  snapshotDescriptionSchema,
  uploadQuery,
  waitQuery,
} from '../snapshot-schemas.ts';
import type { Endpoint } from './endpoint.ts';
import { OF_COLLECTIONS } from './possible-errors.ts';
import { noQuery } from './query-strings.ts';

const shared = { tag: 'Snapshots', capability: 'snapshots', envelope: 'result', failure: 'snapshot_failed', refusal: 'envelope' } as const;
const read = { ...shared, method: 'GET', needs: 'read', thread: 'serving', query: noQuery } as const;
const write = { ...shared, needs: 'write', thread: 'writer', query: waitQuery } as const;
const recovery = {
  ...shared,
  capability: 'recovery',
  needs: 'write',
  thread: 'writer',
  result: Type.Boolean(),
  errors: [
    'snapshot_invalid',
    'snapshot_not_found',
    'snapshot_no_room',
    'memory_exhausted',
    'snapshots_busy',
    'collection_deleted',
    'collection_exists',
    'alias_exists',
  ],
} as const;

const snapshots = '/collections/{collection_name}/snapshots';
const list = Type.Array(snapshotDescriptionSchema);
const file = Type.Unsafe<Uint8Array>({ type: 'string', format: 'binary' });

export const snapshotEndpoints = {
  list_snapshots: {
    ...read,
    path: snapshots,
    summary: 'List the snapshots of a collection',
    result: list,
    errors: OF_COLLECTIONS,
  },
  create_snapshot: {
    ...write,
    method: 'POST',
    path: snapshots,
    summary: 'Create a snapshot of a collection while it is read and written',
    result: snapshotDescriptionSchema,
    mayBeAccepted: true,
    errors: [...OF_COLLECTIONS, 'snapshot_no_room', 'snapshots_busy', 'shard_unavailable'],
  },
  get_snapshot: {
    ...read,
    path: `${snapshots}/{snapshot_name}`,
    summary: 'Download a snapshot of a collection',
    envelope: 'file',
    result: file,
    errors: [...OF_COLLECTIONS, 'snapshot_not_found'],
  },
  delete_snapshot: {
    ...write,
    method: 'DELETE',
    path: `${snapshots}/{snapshot_name}`,
    summary: 'Delete a snapshot of a collection',
    result: Type.Boolean(),
    errors: [...OF_COLLECTIONS, 'snapshot_not_found'],
  },
  list_full_snapshots: {
    ...read,
    path: '/snapshots',
    summary: 'List the snapshots of the whole storage',
    result: list,
  },
  create_full_snapshot: {
    ...write,
    method: 'POST',
    path: '/snapshots',
    summary: 'Create a snapshot of the whole storage: a snapshot of each collection, and the aliases',
    result: snapshotDescriptionSchema,
    mayBeAccepted: true,
    errors: ['snapshot_no_room', 'snapshots_busy', 'shard_unavailable'],
  },
  get_full_snapshot: {
    ...read,
    path: '/snapshots/{snapshot_name}',
    summary: 'Download a snapshot of the whole storage',
    envelope: 'file',
    result: file,
    errors: ['snapshot_not_found'],
  },
  delete_full_snapshot: {
    ...write,
    method: 'DELETE',
    path: '/snapshots/{snapshot_name}',
    summary: 'Delete a snapshot of the whole storage',
    result: Type.Boolean(),
    errors: ['snapshot_not_found'],
  },
  recover_snapshot: {
    ...recovery,
    method: 'PUT',
    path: `${snapshots}/recover`,
    summary: 'Create or replace a collection from a snapshot at a URL or in the snapshots folder',
    query: waitQuery,
    body: recoverSchema,
  },
  recover_named_snapshot: {
    ...recovery,
    method: 'PUT',
    path: `${snapshots}/{snapshot_name}/recover`,
    summary: 'Restore a collection from one of its own snapshots',
    query: waitQuery,
    body: recoverNamedSchema,
    bodyOptional: true,
  },
  recover_uploaded_snapshot: {
    ...recovery,
    method: 'POST',
    path: `${snapshots}/upload`,
    summary: 'Create or replace a collection from an uploaded snapshot',
    query: uploadQuery,
    upload: 'snapshot',
    body: receivedSnapshotSchema,
  },
} as const satisfies Record<string, Endpoint>;
