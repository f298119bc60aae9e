// SPDX-License-Identifier: Apache-2.0
import { TextInput } from '@mantine/core';
import type { NewApiKey } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type CreateApiKeyProps = { readonly onClose: () => void; readonly onMade: (key: NewApiKey) => Promise<void> };

export function CreateApiKey({ onClose, onMade }: CreateApiKeyProps) {
  const { observability } = useServices();
  const [name, setName] = useState('');
  const creation = useMutation({ mutationFn: () => observability.createApiKey({ name: name.trim() }), onSuccess: onMade });
  const wrongName = fieldError(creation.error, 'name');
  return (
    <FormDialog
      title="New API key"
      verb="Create key"
      isDisabled={name.trim() === ''}
      saving={creation}
      doing="create the API key"
      isErrorAtField={wrongName !== undefined}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        description="Name of the program that will use the key; it appears in the audit trail and in comments."
        value={name}
        error={wrongName}
        onChange={(event) => {
          setName(event.currentTarget.value);
          creation.reset();
        }}
        required
        data-autofocus
      />
    </FormDialog>
  );
}
