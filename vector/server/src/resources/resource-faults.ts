// SPDX-License-Identifier: Apache-2.0
/** What a failure means for the caller where the disk is full or no file descriptor is left, however deep below it happened. */
import { ServiceError } from '@sextant/contracts-vector';
import { type DiskRoom, isDescriptorError, isDiskFullError, isIoError } from '@sextant/foundation-service';

const RETRY_SECONDS = 5;

/** Undefined for a failure of another kind. */
export function resourceFault(error: unknown, disk: DiskRoom | undefined): ServiceError | undefined {
  if (isDescriptorError(error)) return new ServiceError('descriptors_exhausted', { seconds: RETRY_SECONDS }, { cause: error });
  if (isDiskFullError(error)) {
    disk?.noteRefusal();
    return diskFull(disk, error);
  }
  return isIoError(error) && disk?.hasRoomNow() === false ? diskFull(disk, error) : undefined;
}

/** @throws ServiceError `disk_full` where a write of so many bytes must not begin */
export function requireRoom(disk: DiskRoom, bytes: number): void {
  if (!disk.allows(bytes)) throw diskFull(disk);
}

function diskFull(disk: DiskRoom | undefined, cause?: unknown): ServiceError {
  const { free, reserve } = disk?.figures ?? { free: 0, reserve: 0 };
  return new ServiceError('disk_full', { free, reserve }, { cause });
}
