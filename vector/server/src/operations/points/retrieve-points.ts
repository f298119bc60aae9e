import { normalisePointId } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { presentRecord, shown } from './present.ts';

export const retrievePoints = operation('retrieve_points', async ({ engine }, { params, body }) => {
  const ids = body.ids.map(normalisePointId);
  const points = await engine.retrieve(params.collection_name, { ids, ...shown(body, { payload: true }) });
  return points.map(presentRecord);
});
