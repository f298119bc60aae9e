import { Modal, Stack, TextInput } from '@mantine/core';
import type { NewApiKey } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.tsx';
import { DialogFoot } from '../../ui/dialog-foot.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

type CreateApiKeyProps = { readonly onClose: () => void; readonly onMade: (key: NewApiKey) => Promise<void> };

export function CreateApiKey({ onClose, onMade }: CreateApiKeyProps) {
  const { observability } = useServices();
  const [name, setName] = useState('');
  const creation = useMutation({ mutationFn: () => observability.createApiKey({ name: name.trim() }), onSuccess: onMade });
  const wrongName = fieldError(creation.error, 'name');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Modal opened onClose={onClose} title="New API key">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <TextInput
            label="Name"
            description="Of the program that will use it; the audit trail and comments say it."
            value={name}
            error={wrongName}
            onChange={(event) => {
              setName(event.currentTarget.value);
              creation.reset();
            }}
            required
            data-autofocus
          />
          {creation.isError && wrongName === undefined && <ErrorPanel error={creation.error} doing="make the API key" />}
          <DialogFoot verb="Make the key" isBusy={creation.isPending} isDisabled={name.trim() === ''} onCancel={onClose} />
        </Stack>
      </form>
    </Modal>
  );
}
