import type { NotificationChannel } from '@sextant/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { refreshChannels } from '../../data/channels.ts';
import { channelUsers } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.tsx';
import { DeleteUnlessUsed } from '../../widgets/delete-unless-used.tsx';

export function DeleteChannel({ channel: { name }, onClose }: { readonly channel: NotificationChannel; readonly onClose: () => void }) {
  const { observability } = useServices();
  const queries = useQueryClient();
  const users = useQuery({ ...channelUsers(observability, name), staleTime: 0 });
  return (
    <DeleteUnlessUsed
      name={name}
      what="channel"
      users={users}
      first="Take it from these monitors first:"
      act={async () => {
        await observability.deleteChannel({ channel_name: name });
        await refreshChannels(queries);
      }}
      onClose={onClose}
    >
      No monitor uses it. Messages that wait for it are given up.
    </DeleteUnlessUsed>
  );
}
