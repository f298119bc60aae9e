// SPDX-License-Identifier: Apache-2.0
import { ActionIcon, Badge, Table, Tooltip } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import type { Delivery } from '@sextant/sdk';
import { IconRefresh } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { KINDS, refreshDeliveries, STATUSES } from '../../data/deliveries.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { Dimmed } from '../../ui/dimmed.tsx';
import { messageOf } from '../../ui/error-panel.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Moment } from '../../ui/time.tsx';

const COLOURS: { readonly [status in Delivery['status']]: string } = { PENDING: 'yellow', DELIVERED: 'teal', FAILED: 'red' };

export function DeliveryTable({ deliveries }: { readonly deliveries: readonly Delivery[] }) {
  const { observability } = useServices();
  const refusal = useRefusal('editor');
  const replay = useMutation({
    mutationFn: ({ id }: Delivery) => observability.replayDelivery({ delivery_id: id }),
    onSuccess: (_, { recipient }) => {
      notifications.show({ message: `The same message was sent to ${recipient} again.` });
      return refreshDeliveries();
    },
    onError: (error) => notifications.show({ color: 'red', title: 'Could not send it again', message: messageOf(error) }),
  });
  return (
    <DataTable
      minWidth={340}
      highlightOnHover
      headings={[
        { label: 'Made', visibleFrom: 'md' },
        'What',
        { label: 'To', visibleFrom: 'sm' },
        'Status',
        { label: 'Attempts', visibleFrom: 'md' },
        { ...ACTIONS, w: 48 },
      ]}
    >
      {deliveries.map((delivery) => (
        <Table.Tr key={delivery.id}>
          <Table.Td visibleFrom="md">
            <Moment at={delivery.created_at} />
          </Table.Td>
          <Table.Td>
            {KINDS[delivery.kind]}
            <Dimmed size="xs" hiddenFrom="md">
              <Moment at={delivery.created_at} />
            </Dimmed>
            <Dimmed size="xs" hiddenFrom="sm" style={{ overflowWrap: 'anywhere' }}>
              to {delivery.recipient}
            </Dimmed>
            {delivery.incident_id !== null && (
              <Dimmed size="xs">
                <TextLink to={`/incidents/${delivery.incident_id}`} size="xs">
                  incident {delivery.incident_id}
                </TextLink>
              </Dimmed>
            )}
          </Table.Td>
          <Table.Td visibleFrom="sm" style={{ overflowWrap: 'anywhere' }}>
            {delivery.recipient}
            {delivery.channel !== null && <Dimmed size="xs">{delivery.channel}</Dimmed>}
          </Table.Td>
          <Table.Td>
            <Badge variant="dot" color={COLOURS[delivery.status]}>
              {STATUSES[delivery.status]}
            </Badge>
            {delivery.last_error !== null && (
              <Dimmed size="xs" maw={280} style={{ overflowWrap: 'anywhere' }}>
                {delivery.last_error}
              </Dimmed>
            )}
          </Table.Td>
          <Table.Td visibleFrom="md">
            {delivery.attempts}
            {delivery.next_attempt_at !== null && (
              <Dimmed size="xs">
                next <Moment at={delivery.next_attempt_at} />
              </Dimmed>
            )}
          </Table.Td>
          <Table.Td>
            <Replay
              delivery={delivery}
              refusal={refusal}
              isPending={replay.isPending && replay.variables.id === delivery.id}
              onReplay={() => replay.mutate(delivery)}
            />
          </Table.Td>
        </Table.Tr>
      ))}
    </DataTable>
  );
}

type ReplayProps = {
  readonly delivery: Delivery;
  readonly refusal: string | undefined;
  readonly isPending: boolean;
  readonly onReplay: () => void;
};

function Replay({ delivery, refusal, isPending, onReplay }: ReplayProps) {
  const why = refusal ?? (delivery.status === 'PENDING' ? 'The delivery has not ended yet.' : undefined);
  return (
    <Tooltip label={why ?? 'Send it again'}>
      <ActionIcon
        size="sm"
        // It can be reached by keyboard while it is off, so that the reason can be read.
        {...(why !== undefined && { 'data-disabled': true })}
        aria-disabled={why !== undefined}
        aria-label={`Send to ${delivery.recipient} again${why === undefined ? '' : `: ${why}`}`}
        loading={isPending}
        onClick={why === undefined ? onReplay : (event) => event.preventDefault()}
      >
        <IconRefresh size={14} />
      </ActionIcon>
    </Tooltip>
  );
}
