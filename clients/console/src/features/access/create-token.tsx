// SPDX-License-Identifier: Apache-2.0
import { Checkbox, Group, NumberInput, TagsInput, TextInput } from '@mantine/core';
import type { IssuedAccessToken } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../../data/services/services.ts';
import { textField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

const PERMISSIONS = ['read', 'write', 'admin'] as const;
const DAY_SECONDS = 86_400;

type CreateTokenProps = { readonly onClose: () => void; readonly onMade: (token: IssuedAccessToken) => Promise<void> };

export function CreateToken({ onClose, onMade }: CreateTokenProps) {
  const { vector } = useServices();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<string[]>(['read']);
  const [collections, setCollections] = useState<string[]>([]);
  const [days, setDays] = useState<number | string>('');
  const creation = useMutation({
    mutationFn: () =>
      vector.createAccessToken({
        name: name.trim(),
        permission: permissions.join(','),
        ...(collections.length > 0 && !permissions.includes('admin') && { collections }),
        ...(days !== '' && { will_expire: true, expires_in_seconds: Number(days) * DAY_SECONDS }),
      }),
    onSuccess: onMade,
  });
  return (
    <FormDialog
      title="New access token"
      verb="Create token"
      isDisabled={permissions.length === 0}
      saving={creation}
      doing="create the token"
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextInput label="Name" {...textField(name, setName)} required data-autofocus />
      <Checkbox.Group label="Permissions" value={permissions} onChange={setPermissions}>
        <Group gap="md" mt={4}>
          {PERMISSIONS.map((each) => (
            <Checkbox key={each} value={each} label={each} />
          ))}
        </Group>
      </Checkbox.Group>
      <TagsInput
        label="Collections"
        description="Names or aliases that the token may use. Leave empty for all collections. A token with the admin permission is never limited."
        value={collections}
        onChange={setCollections}
        disabled={permissions.includes('admin')}
      />
      <NumberInput label="Days until it expires" placeholder="never" value={days} onChange={setDays} min={1} allowDecimal={false} />
    </FormDialog>
  );
}
