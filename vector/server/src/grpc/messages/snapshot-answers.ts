/** Snapshots as the protocol describes them. */
import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import {
  CreateSnapshotResponseSchema,
  DeleteSnapshotResponseSchema,
  ListSnapshotsResponseSchema,
  type SnapshotDescriptionSchema,
} from '@qdrant/js-client-grpc';
import type { SnapshotDescription } from '@sextant/contracts-vector';

export function created(snapshot: SnapshotDescription, time: number) {
  return create(CreateSnapshotResponseSchema, { snapshotDescription: descriptionOf(snapshot), time });
}

export function listed(snapshots: readonly SnapshotDescription[], time: number) {
  return create(ListSnapshotsResponseSchema, { snapshotDescriptions: snapshots.map(descriptionOf), time });
}

export function deleted(_isDeleted: boolean, time: number) {
  return create(DeleteSnapshotResponseSchema, { time });
}

function descriptionOf({ name, creation_time, size, checksum }: SnapshotDescription): MessageInitShape<typeof SnapshotDescriptionSchema> {
  return {
    name,
    // In UTC, without a zone.
    creationTime: timestampFromDate(new Date(`${creation_time}Z`)),
    size: BigInt(size),
    ...(checksum === null ? {} : { checksum }),
  };
}
