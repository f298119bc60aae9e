// SPDX-License-Identifier: Apache-2.0
import type { StorageTransaction } from '@sextant/vector-storage';
import type { InputNorm } from '../model/input-norms.ts';
import type { MemoryChanges } from './point-changes.ts';

/** What the jobs of a group have done so far. */
export type RunningTransaction = {
  readonly transaction: StorageTransaction;
  readonly memory: MemoryChanges[];
  readonly inputNorms: InputNorm[];
  /** Rows that jobs took, and of those the rows that they did not use after all. */
  readonly takenRows: number[];
  readonly unusedRows: number[];
};
