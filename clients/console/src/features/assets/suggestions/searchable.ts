// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '@sextant/sdk';
import { isVectorKind } from '../../../data/assets/vector-kinds.ts';

/** Whether assets of the kind can be searched for wrong cells: files can. */
export function isSearchable(type: Asset['type']): boolean {
  return !isVectorKind(type) && type !== 'POSTGRESQL' && type !== 'SPARK';
}
