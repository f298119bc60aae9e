// SPDX-License-Identifier: Apache-2.0
/** The log of what was sent, and sending again. */

import { operation } from './operation.ts';
import { numericId, pageOf } from './parameters.ts';

export const listDeliveries = operation('list_deliveries', ({ tenant }, { query }) => {
  const { incident_id, limit: _limit, offset: _offset, ...filter } = query;
  const incident = incident_id === undefined ? {} : { incident_id: numericId('Incident', incident_id) };
  return tenant.deliveries.list({ ...filter, ...incident }, pageOf(query));
});

export const replayDelivery = operation('replay_delivery', async ({ tenant, onAnnounced }, { params }) => {
  const delivery = await tenant.deliveries.replay(params.delivery_id);
  onAnnounced();
  return delivery;
});
