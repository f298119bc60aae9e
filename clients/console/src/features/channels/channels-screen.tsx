// SPDX-License-Identifier: Apache-2.0
import { Button } from '@mantine/core';
import type { NotificationChannel, WrittenChannel } from '@sextant/sdk';
import { IconPlus } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { channelList, refreshChannels } from '../../data/channels.ts';
import { channelUsers } from '../../data/monitors.ts';
import { useServices } from '../../data/services/services.ts';
import { useRefusal } from '../../data/users.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { ACTIONS, DataTable } from '../../ui/data-table.tsx';
import { ListPart } from '../../ui/list-frame.tsx';
import { SecretOnce } from '../../ui/secret-once.tsx';
import { DeleteUnlessUsed } from '../../widgets/delete-unless-used.tsx';
import { ChannelForm } from './channel-form.tsx';
import { ChannelRow } from './channel-row.tsx';
import { ChannelTest } from './channel-test.tsx';

export type ChannelAction = 'edit' | 'test' | 'rotate' | 'delete';

/** What is done at the moment: something to one channel, or a new one. */
type Doing = { readonly action: 'create' } | { readonly action: ChannelAction; readonly channel: NotificationChannel };

/** Where messages about incidents go. */
export function ChannelsScreen() {
  const { observability } = useServices();
  const refusal = useRefusal('editor');
  const channels = useQuery(channelList(observability));
  const [doing, setDoing] = useState<Doing>();
  const [secret, setSecret] = useState<{ readonly name: string; readonly secret: string }>();
  const test = useMutation({ mutationFn: (name: string) => observability.testChannel({ channel_name: name }) });
  const stop = () => setDoing(undefined);
  const written = async ({ name, secret: shown }: WrittenChannel) => {
    stop();
    if (shown !== undefined) setSecret({ name, secret: shown });
    await refreshChannels();
  };
  const create = (
    <Button leftSection={<IconPlus size={14} />} onClick={() => setDoing({ action: 'create' })} disabled={refusal !== undefined}>
      New channel
    </Button>
  );
  return (
    <ListPart
      title="Channels"
      purpose="Where messages go when an incident begins, grows, ends or comes back. Each monitor names the channels that it notifies."
      query={channels}
      doing="list the channels"
      create={create}
      refusal={refusal}
      empty={{
        title: 'No channel yet',
        text: 'A channel is a mailbox, a chat or a webhook. Create one, send it a test message, and add it to the monitors that matter.',
      }}
      after={
        <>
          {' '}
          {doing?.action === 'create' && <ChannelForm onClose={stop} onWritten={written} />}
          {doing?.action === 'edit' && <ChannelForm channel={doing.channel} onClose={stop} onWritten={written} />}
          {doing?.action === 'test' && (
            <ChannelTest channel={doing.channel} answer={test} onAgain={() => test.mutate(doing.channel.name)} onClose={stop} />
          )}
          {doing?.action === 'delete' && <DeleteChannel channel={doing.channel} onClose={stop} />}
          {doing?.action === 'rotate' && (
            <Confirm
              title={`Create a new secret for ${doing.channel.name}?`}
              verb="Create secret"
              doing="create a new secret"
              act={async () => {
                const { name } = doing.channel;
                const renewed = await observability.rotateChannelSecret({ channel_name: name });
                setSecret({ name, secret: renewed.secret });
              }}
              onClose={stop}
            >
              For 24 hours, messages carry signatures made with both secrets. After that, receivers that check the old secret reject them.
            </Confirm>
          )}
          {secret !== undefined && (
            <SecretOnce title={`Secret of ${secret.name}`} secret={secret.secret} onClose={() => setSecret(undefined)} />
          )}
        </>
      }
    >
      {(listed) => (
        <DataTable
          highlightOnHover
          headings={[
            'Name',
            { label: 'Kind', w: 100, visibleFrom: 'sm' },
            { label: 'Addresses', visibleFrom: 'sm' },
            { label: 'Used by', w: 120, visibleFrom: 'sm' },
            { ...ACTIONS, w: 130 },
          ]}
        >
          {listed.map((channel) => (
            <ChannelRow
              key={channel.name}
              channel={channel}
              isReadOnly={refusal !== undefined}
              onAction={(action) => {
                setDoing({ action, channel });
                if (action === 'test') test.mutate(channel.name);
              }}
            />
          ))}
        </DataTable>
      )}
    </ListPart>
  );
}

function DeleteChannel({ channel: { name }, onClose }: { readonly channel: NotificationChannel; readonly onClose: () => void }) {
  const { observability } = useServices();
  const users = useQuery({ ...channelUsers(observability, name), staleTime: 0 });
  return (
    <DeleteUnlessUsed
      name={name}
      what="channel"
      users={users}
      first="Remove the channel from these monitors first:"
      act={async () => {
        await observability.deleteChannel({ channel_name: name });
        await refreshChannels();
      }}
      onClose={onClose}
    >
      No monitor uses this channel. Waiting messages are not sent.
    </DeleteUnlessUsed>
  );
}
