// SPDX-License-Identifier: Apache-2.0
import { normalisePointId } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { boundAnswer } from './answer-size.ts';
import { presentRecords, shown } from './present.ts';

export const retrievePoints = operation('retrieve_points', async ({ engine }, { params, body }) => {
  const ids = body.ids.map(normalisePointId);
  const parts = shown(body, { payload: true });
  await boundAnswer(engine, params.collection_name, [{ limit: ids.length, ...parts }]);
  return presentRecords(await engine.retrieve(params.collection_name, { ids, ...parts, shard_key: body.shard_key ?? null }));
});
