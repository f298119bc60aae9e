// SPDX-License-Identifier: Apache-2.0
/** Recovery of a collection. There is one copy of it, so every priority means the same: the snapshot counts. */
import { operation } from '../operation.ts';

export const recoverSnapshot = operation('recover_snapshot', ({ snapshots }, { params, query, body }) => {
  const { location, checksum, api_key: apiKey } = body;
  return snapshots.recoverFrom(params.collection_name, { location, checksum: checksum ?? undefined, apiKey: apiKey ?? undefined }, query);
});

export const recoverNamedSnapshot = operation('recover_named_snapshot', ({ snapshots }, { params, query, body }) =>
  snapshots.recoverNamed(params.collection_name, { name: params.snapshot_name, checksum: body?.checksum ?? undefined }, query),
);

export const recoverUploadedSnapshot = operation('recover_uploaded_snapshot', ({ snapshots }, { params, query, body }) =>
  snapshots.recoverReceived(params.collection_name, { ...body, expected: query.checksum }, query),
);
