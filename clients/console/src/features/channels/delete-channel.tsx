import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core';
import type { NotificationChannel } from '@sextant/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useServices } from '../../app/services.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { MonitorUsers } from '../monitors/monitor-users.tsx';
import { CHANNELS_KEY, channelUsers } from './queries.ts';

/** Asks, unless monitors use the channel: then it says which, for the service refuses as long as they do. */
export function DeleteChannel({ channel: { name }, onClose }: { readonly channel: NotificationChannel; readonly onClose: () => void }) {
  const { observability } = useServices();
  const queries = useQueryClient();
  const users = useQuery({ ...channelUsers(observability, name), staleTime: 0 });
  if (users.isPending) {
    return (
      <Modal opened onClose={onClose} title={`Delete ${name}?`}>
        <Skeleton height={60} />
      </Modal>
    );
  }
  if (users.data !== undefined && users.data.length > 0) {
    return (
      <Modal opened onClose={onClose} title={`${name} is in use`}>
        <Stack gap="sm">
          <Text size="sm">Take it from these monitors first:</Text>
          <MonitorUsers monitors={users.data} />
          <Group justify="flex-end">
            <Button onClick={onClose}>Close</Button>
          </Group>
        </Stack>
      </Modal>
    );
  }
  return (
    <Confirm
      title={`Delete ${name}?`}
      verb="Delete"
      doing="delete the channel"
      act={async () => {
        await observability.deleteChannel({ channel_name: name });
        await queries.invalidateQueries({ queryKey: CHANNELS_KEY });
      }}
      onClose={onClose}
    >
      No monitor uses it. Messages that wait for it are given up.
    </Confirm>
  );
}
