// SPDX-License-Identifier: Apache-2.0
/** What a serving thread does for a batch that another one has. */
import type { EngineReads } from '@sextant/vector-collection';
import type { BatchPart, PartAnswer } from './batch.ts';
import { queryPart } from './query-points.ts';
import { matrixPart } from './search-matrix.ts';
import { searchPart } from './search-points.ts';

export function answerForOther(engine: EngineReads, part: BatchPart): Promise<PartAnswer> {
  switch (part.operation) {
    case 'search_batch':
      return searchPart(engine, part);
    case 'query_batch':
      return queryPart(engine, part);
    case 'search_matrix':
      return matrixPart(engine, part);
  }
}
