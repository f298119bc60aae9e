// SPDX-License-Identifier: Apache-2.0
import { createTracker, DeliveryFailure, type Tracker, type Wire } from '@sextant/observability-delivery';
import type { TenantMetadata } from '@sextant/observability-metadata';

/** The tenant's tracker. @throws DeliveryFailure when it has none */
export async function openTracker(tenant: TenantMetadata, wire: Wire): Promise<Tracker> {
  const connection = await tenant.trackerConnection.find();
  const api_token = await tenant.trackerConnection.token();
  if (connection === undefined || api_token === undefined) {
    throw new DeliveryFailure('the tenant has no connection to a tracker; an admin can set one', { isPermanent: true });
  }
  return createTracker(wire, { ...connection, api_token });
}
