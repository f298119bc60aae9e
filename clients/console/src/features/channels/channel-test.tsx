// SPDX-License-Identifier: Apache-2.0
import { Button, Group, List, Loader, Modal, Stack, Text, ThemeIcon } from '@mantine/core';
import type { NotificationChannel, ChannelTest as Tested } from '@sextant/sdk';
import { IconCheck, IconX } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { CHANNEL_KINDS } from './channel-kinds.ts';

type ChannelTestProps = {
  readonly channel: NotificationChannel;
  /** Of the message that says it is a test, which went to every address. */
  readonly answer: Pick<UseMutationResult<Tested>, 'data' | 'error' | 'isPending'>;
  readonly onAgain: () => void;
  readonly onClose: () => void;
};

/** What each address of a channel said to a test. */
export function ChannelTest({ channel, answer: { data, error, isPending }, onAgain, onClose }: ChannelTestProps) {
  return (
    <Modal opened onClose={onClose} title={`Test of ${channel.name}`} size="lg">
      <Stack gap="sm">
        {isPending && (
          <Group gap="xs" role="status">
            <Loader size="xs" />
            <Text size="sm">Sending to {channel.addresses.length === 1 ? 'the address' : `${channel.addresses.length} addresses`}</Text>
          </Group>
        )}
        {error !== null && <ErrorPanel error={error} doing="test the channel" />}
        {data !== undefined && (
          <>
            <Dimmed>{CHANNEL_KINDS[channel.type].sent}</Dimmed>
            <Answers tested={data} />
          </>
        )}
        <Group justify="flex-end">
          <Button variant="default" disabled={isPending} onClick={onAgain}>
            Send again
          </Button>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Answers({ tested: { addresses } }: { readonly tested: Tested }) {
  return (
    <List spacing="xs" listStyleType="none" role="list" aria-label="Answers">
      {addresses.map(({ address, success, message }) => (
        <List.Item
          key={address}
          icon={
            <ThemeIcon size={18} radius="xl" variant="light" color={success ? 'teal' : 'red'}>
              {success ? <IconCheck size={12} /> : <IconX size={12} />}
            </ThemeIcon>
          }
        >
          <Text size="sm" fw={500} style={{ overflowWrap: 'anywhere' }}>
            {address}
          </Text>
          <Text size="sm" c={success ? 'dimmed' : 'var(--mantine-color-error)'} style={{ overflowWrap: 'anywhere' }}>
            {message}
          </Text>
        </List.Item>
      ))}
    </List>
  );
}
