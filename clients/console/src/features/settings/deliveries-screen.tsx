// SPDX-License-Identifier: Apache-2.0
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import { type DeliveryFilter, deliveryFilterOf, deliveryPages, KINDS, STATUSES } from '../../data/deliveries.ts';
import { useServices } from '../../data/services/services.ts';
import { ListPart } from '../../ui/list-frame.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { DeliveryTable } from './delivery-table.tsx';

const route = getRouteApi('/members/settings/deliveries');
const TYPING_MS = 300;

/** What the service sent, and what waits to be. */
export function DeliveriesScreen() {
  const { observability } = useServices();
  const filter = route.useSearch();
  const navigate = route.useNavigate();
  const pages = useInfiniteQuery(deliveryPages(observability, filter));
  const isFiltered = Object.values(filter).some((each) => each !== undefined);
  const change = (part: { readonly [name in keyof DeliveryFilter]?: string | undefined }) =>
    void navigate({ search: (before) => deliveryFilterOf({ ...before, ...part }), replace: true });
  return (
    <ListPart
      title="Deliveries"
      purpose="Lists notifications, tickets, ticket comments and job webhooks that were sent in the last 30 days or are waiting to be sent."
      query={{ ...pages, data: pages.data?.pages.flat() }}
      doing="list the deliveries"
      skeletonPx={240}
      empty={
        isFiltered
          ? { title: 'No delivery matches the filters', text: 'Change the filters.' }
          : {
              title: 'Nothing was sent yet',
              text: 'When an incident opens and its monitor has channels or a ticket template, the messages and tickets are listed here.',
            }
      }
      filters={
        <Group gap="sm" align="end">
          <Select
            label="Status"
            data={choices(STATUSES)}
            value={filter.status ?? null}
            onChange={(status) => change({ status: status ?? undefined })}
            placeholder="any"
            clearable
            w={150}
          />
          <Select
            label="Kind"
            data={choices(KINDS)}
            value={filter.kind ?? null}
            onChange={(kind) => change({ kind: kind ?? undefined })}
            placeholder="any"
            clearable
            w={180}
          />
          <ChannelFilter key={filter.channel ?? ''} channel={filter.channel} onChange={(channel) => change({ channel })} />
          {isFiltered && (
            <Button variant="subtle" onClick={() => change({ status: undefined, kind: undefined, channel: undefined })}>
              Clear
            </Button>
          )}
        </Group>
      }
    >
      {(deliveries) => (
        <>
          <DeliveryTable deliveries={deliveries} />
          <LoadMore
            shown={deliveries.length}
            onMore={pages.hasNextPage ? () => void pages.fetchNextPage() : undefined}
            isLoading={pages.isFetchingNextPage}
          />
        </>
      )}
    </ListPart>
  );
}

type ChannelFilterProps = { readonly channel: string | undefined; readonly onChange: (channel: string | undefined) => void };

/** Asked for once somebody has stopped writing: the service compares whole names. */
function ChannelFilter({ channel, onChange }: ChannelFilterProps) {
  const [text, setText] = useState(channel ?? '');
  const tell = useDebouncedCallback((now: string) => onChange(now === '' ? undefined : now), TYPING_MS);
  return (
    <TextInput
      label="Channel"
      placeholder="full name"
      value={text}
      onChange={(event) => {
        setText(event.currentTarget.value);
        tell(event.currentTarget.value.trim());
      }}
    />
  );
}

function choices(names: { readonly [value: string]: string }) {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}
