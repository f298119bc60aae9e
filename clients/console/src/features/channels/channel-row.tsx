// SPDX-License-Identifier: Apache-2.0
import { Group, Table, Text } from '@mantine/core';
import type { NotificationChannel } from '@sextant/sdk';
import { IconKey, IconPencil, IconSend, IconTrash } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { channelUsers } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { CHANNEL_KINDS } from './channel-kinds.ts';
import type { ChannelAction } from './channels-screen.tsx';

const ADDRESSES_MAX = 2;

type ChannelRowProps = {
  readonly channel: NotificationChannel;
  readonly isReadOnly: boolean;
  readonly onAction: (action: ChannelAction) => void;
};

export function ChannelRow({ channel: { name, type, addresses }, isReadOnly, onAction }: ChannelRowProps) {
  const rest = addresses.length - ADDRESSES_MAX;
  return (
    <Table.Tr>
      <Table.Td fw={500} style={{ overflowWrap: 'anywhere' }}>
        {name}
        <Dimmed size="xs" hiddenFrom="sm">
          {CHANNEL_KINDS[type].label}, {addresses.length === 1 ? addresses[0] : `${addresses.length} addresses`}
        </Dimmed>
      </Table.Td>
      <Table.Td visibleFrom="sm">{CHANNEL_KINDS[type].label}</Table.Td>
      <Table.Td maw={320} visibleFrom="sm">
        {addresses.slice(0, ADDRESSES_MAX).map((address) => (
          <Text key={address} size="sm" truncate title={address}>
            {address}
          </Text>
        ))}
        {rest > 0 && <Dimmed size="xs">and {rest} more</Dimmed>}
      </Table.Td>
      <Table.Td visibleFrom="sm">
        <UserCount channel={name} />
      </Table.Td>
      <Table.Td>
        {!isReadOnly && (
          <Group gap={4} wrap="nowrap" justify="flex-end">
            <IconButton icon={IconSend} label={`Test ${name}`} onClick={() => onAction('test')} />
            {type === 'WEBHOOK' && <IconButton icon={IconKey} label={`New secret for ${name}`} onClick={() => onAction('rotate')} />}
            <IconButton icon={IconPencil} label={`Edit ${name}`} onClick={() => onAction('edit')} />
            <IconButton icon={IconTrash} label={`Delete ${name}`} onClick={() => onAction('delete')} />
          </Group>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

function UserCount({ channel }: { readonly channel: string }) {
  const { observability } = useServices();
  const users = useQuery(channelUsers(observability, channel));
  if (users.data === undefined) return null;
  const count = users.data.length;
  if (count === 0) return <Dimmed>nobody</Dimmed>;
  return (
    <>
      {count} monitor{count === 1 ? '' : 's'}
    </>
  );
}
