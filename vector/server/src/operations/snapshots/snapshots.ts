// SPDX-License-Identifier: Apache-2.0
/** Snapshots of a collection and of the whole storage. */
import { operation } from '../operation.ts';

export const listSnapshots = operation('list_snapshots', ({ engine }, { params }) => engine.listSnapshots(params.collection_name));

export const listFullSnapshots = operation('list_full_snapshots', ({ engine }) => engine.listSnapshots());

/** Where the file is; the adapter that has asked sends it. */
export const getSnapshot = operation('get_snapshot', ({ engine }, { params }) =>
  engine.snapshotFile({ collection: params.collection_name, name: params.snapshot_name }),
);

export const getFullSnapshot = operation('get_full_snapshot', ({ engine }, { params }) =>
  engine.snapshotFile({ name: params.snapshot_name }),
);

export const createSnapshot = operation('create_snapshot', ({ snapshots }, { params, query }) =>
  snapshots.create(params.collection_name, query),
);

export const createFullSnapshot = operation('create_full_snapshot', ({ snapshots }, { query }) => snapshots.create(undefined, query));

export const deleteSnapshot = operation('delete_snapshot', ({ snapshots }, { params }) =>
  snapshots.delete({ collection: params.collection_name, name: params.snapshot_name }),
);

export const deleteFullSnapshot = operation('delete_full_snapshot', ({ snapshots }, { params }) =>
  snapshots.delete({ name: params.snapshot_name }),
);
