// SPDX-License-Identifier: Apache-2.0
/** What one attempt at a delivery has in its hands, and what may follow from it. */
import type { OutboundGuard } from '@sextant/foundation-service';
import type { Clock } from '@sextant/foundation-std';
import type { Mailer, Wire } from '@sextant/observability-delivery';
import type { ClaimedDelivery, TenantMetadata } from '@sextant/observability-metadata';

/** What leads out of the service. */
export type DeliveryMeans = {
  readonly guard: OutboundGuard;
  readonly clock: Clock;
  readonly mailer: Mailer;
  /** Of the service, as people reach it; undefined where the operator has not said. */
  readonly publicUrl: string | undefined;
};

export type Attempt = {
  readonly claim: ClaimedDelivery;
  readonly tenant: TenantMetadata;
  readonly means: DeliveryMeans;
  readonly wire: Wire;
};

/** What is written together with the note that the delivery arrived. */
export type Aftermath = (tenant: TenantMetadata) => Promise<void>;
