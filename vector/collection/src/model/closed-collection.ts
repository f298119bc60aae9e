// SPDX-License-Identifier: Apache-2.0
/** What is known of a collection that is not open: nothing of it can change until it is opened, so it is what was true when it was closed. */
import type { CollectionInfo, CollectionStatus, InputNorms } from '@sextant/contracts-vector';
import type { CollectionConfig } from './collection-config.ts';
import type { CollectionFigures } from './requests.ts';

export type ClosedCollection = {
  readonly name: string;
  readonly config: CollectionConfig;
  readonly info: CollectionInfo;
  readonly status: CollectionStatus;
  readonly figures: CollectionFigures;
  readonly inputNorms: InputNorms;
  /** What its vectors, codes and graphs took, and will take when it is opened. */
  readonly memoryBytes: number;
};
