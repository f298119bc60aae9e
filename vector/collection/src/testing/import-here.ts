// SPDX-License-Identifier: Apache-2.0
/** Takes snapshots in on the thread of a test, where it is about what comes before or after that: a process takes longer to start than a few points take. */
import { ServiceError } from '@sextant/contracts-vector';
import { reasonOf } from '../model/damage.ts';
import { importAndCheck } from '../snapshots/check-collection.ts';
import type { ImportSnapshot } from '../snapshots/import-snapshot.ts';

export const importHere: ImportSnapshot = async (task, { signal }) => {
  signal.throwIfAborted();
  try {
    await importAndCheck(task);
  } catch (error) {
    throw new ServiceError('snapshot_invalid', { reason: `the file is not usable: ${reasonOf(error)}` });
  }
  signal.throwIfAborted();
};
