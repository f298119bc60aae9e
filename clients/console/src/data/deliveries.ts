// SPDX-License-Identifier: Apache-2.0
import type { Delivery, ObservabilityClient } from '@sextant/sdk';
import { infiniteQueryOptions } from '@tanstack/react-query';
import { type AddressOf, readAddress } from '../ui/address.ts';
import { refreshing } from './services/query-client.ts';

export const KINDS: { readonly [kind in Delivery['kind']]: string } = {
  NOTIFICATION: 'notification',
  TICKET: 'ticket',
  TICKET_COMMENT: 'ticket comment',
  JOB_WEBHOOK: 'job webhook',
};
export const STATUSES: { readonly [status in Delivery['status']]: string } = {
  PENDING: 'waits',
  DELIVERED: 'delivered',
  FAILED: 'given up',
};

/** The keys are those of the type, which `keys` cannot say. */
const FIELDS = {
  status: Object.keys(STATUSES) as readonly Delivery['status'][],
  kind: Object.keys(KINDS) as readonly Delivery['kind'][],
  channel: 'text',
} as const;

export type DeliveryFilter = AddressOf<typeof FIELDS>;

const DELIVERIES_KEY = ['observability', 'deliveries'];
const PAGE = 50;
const CALM_MS = 15_000;

export function deliveryPages(client: ObservabilityClient, { status, kind, channel }: DeliveryFilter) {
  return infiniteQueryOptions({
    queryKey: [...DELIVERIES_KEY, { status, kind, channel }],
    queryFn: ({ pageParam, signal }) => client.listDeliveries({ status, kind, channel, limit: PAGE, offset: pageParam }, { signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.length < PAGE ? undefined : pages.length * PAGE),
    refetchInterval: CALM_MS,
  });
}

/** What of an address is a filter. */
export function deliveryFilterOf(search: { readonly [name: string]: unknown }): DeliveryFilter {
  return readAddress(search, FIELDS);
}

export const refreshDeliveries = refreshing(DELIVERIES_KEY);
