// SPDX-License-Identifier: Apache-2.0
import type { Asset } from '@sextant/sdk';
import { holdsVectors, isFileKind } from '../../../data/assets/vector-kinds.ts';

/** Whether an asset can be searched for wrong cells: files of rows can. */
export function isSearchable(asset: Pick<Asset, 'type' | 'payload'>): boolean {
  return isFileKind(asset.type) && !holdsVectors(asset);
}
