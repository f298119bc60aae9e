// SPDX-License-Identifier: Apache-2.0
import { parsePointId, ServiceError } from '@sextant/contracts-vector';
import { operation } from '../operation.ts';
import { presentRecord } from './present.ts';

export const getPoint = operation('get_point', async ({ engine }, { params }) => {
  const id = parsePointId(params.id);
  if (id === undefined) {
    const reason = `id: expected an integer from 0 to 18446744073709551615 or a UUID, got ${JSON.stringify(params.id)}`;
    throw new ServiceError('invalid_request', { reason });
  }
  const [point] = await engine.retrieve(params.collection_name, { ids: [id], with_payload: true, with_vector: true });
  if (point === undefined) throw new ServiceError('point_not_found', { id: String(id) });
  return presentRecord(point);
});
