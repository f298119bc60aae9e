// SPDX-License-Identifier: Apache-2.0
import { SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { ApiError, type NotificationChannel, type WrittenChannel } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { memberError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { addressesOf, CHANNEL_KINDS, CHANNEL_TYPES, type ChannelType } from './channel-kinds.ts';

type ChannelFormProps = {
  /** The channel that is edited; without it, one is made. Its name stays, for monitors name it. */
  readonly channel?: NotificationChannel;
  readonly onClose: () => void;
  readonly onWritten: (channel: WrittenChannel) => Promise<void>;
};

export function ChannelForm({ channel, onClose, onWritten }: ChannelFormProps) {
  const { observability } = useServices();
  const [name, setName] = useState(channel?.name ?? '');
  const [type, setType] = useState<ChannelType>(channel?.type ?? 'EMAIL');
  const [addresses, setAddresses] = useState(channel?.addresses.join('\n') ?? '');
  const saving = useMutation({
    mutationFn: () => {
      const body = { type, addresses: addressesOf(addresses) };
      return channel === undefined
        ? observability.createChannel({ name: name.trim(), ...body })
        : observability.updateChannel({ channel_name: channel.name, ...body });
    },
    onSuccess: onWritten,
  });
  const { error } = saving;
  const wrongName = memberError(error, 'name') ?? (error instanceof ApiError && error.code === 'conflict' ? error.message : undefined);
  const wrongAddresses = memberError(error, 'addresses');
  const kind = CHANNEL_KINDS[type];
  return (
    <FormDialog
      title={channel === undefined ? 'New channel' : `Channel ${channel.name}`}
      size="lg"
      verb={channel === undefined ? 'Create the channel' : 'Save'}
      saving={saving}
      doing="save the channel"
      isErrorAtField={wrongName !== undefined || wrongAddresses !== undefined}
      onSubmit={() => saving.mutate()}
      onClose={onClose}
    >
      {channel === undefined && (
        <TextInput
          label="Name"
          description="Monitors refer to the channel by this name. It cannot be changed."
          value={name}
          error={wrongName}
          onChange={(event) => {
            setName(event.currentTarget.value);
            saving.reset();
          }}
          required
          data-autofocus
        />
      )}
      <SegmentedControl
        aria-label="Kind"
        data={CHANNEL_TYPES.map((value) => ({ value, label: CHANNEL_KINDS[value].label }))}
        value={type}
        onChange={(value) => {
          setType(value);
          saving.reset();
        }}
      />
      <Textarea
        label="Addresses, one per line"
        description={kind.addresses}
        placeholder={kind.example}
        value={addresses}
        error={wrongAddresses}
        onChange={(event) => {
          setAddresses(event.currentTarget.value);
          saving.reset();
        }}
        autosize
        minRows={2}
        required
      />
      {type === 'WEBHOOK' && channel?.type !== 'WEBHOOK' && (
        <Dimmed>The secret that signs the messages is shown only once, after you save the channel.</Dimmed>
      )}
    </FormDialog>
  );
}
