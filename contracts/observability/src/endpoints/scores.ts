// SPDX-License-Identifier: Apache-2.0
/** Data quality scores. How they are weighed is among the configurations. */
import Type from 'typebox';
import { assetScoreSchema, currentScoreSchema, scoreHistoryItemSchema, scoreHistoryQuerySchema } from '../score-schemas.ts';
import { type Endpoint, needs } from './endpoint.ts';
import { backend } from './paths.ts';

const SCORE = '/{tenant}/assets/{asset_id}/dq_score';
const scores = { tag: 'DQ score', method: 'GET', needs: needs.viewer } as const;

export const scoreEndpoints = {
  list_dq_scores: {
    ...scores,
    ...backend('/{tenant}/dq_scores'),
    summary: 'List the assets of the tenant with their scores',
    result: Type.Array(assetScoreSchema),
  },
  get_dq_score_value: {
    ...scores,
    ...backend(SCORE),
    summary: 'Read the current score of an asset, with its parts and what changed it',
    result: currentScoreSchema,
  },
  list_dq_score_history: {
    ...scores,
    ...backend(`${SCORE}/history`),
    summary: 'List the score of each scan, oldest first; `limit` defaults to the newest 1000',
    query: scoreHistoryQuerySchema,
    result: Type.Array(scoreHistoryItemSchema),
  },
} as const satisfies { readonly [operation: string]: Endpoint };
