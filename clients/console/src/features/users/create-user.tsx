// SPDX-License-Identifier: Apache-2.0
import { Group, PasswordInput, Select, TextInput } from '@mantine/core';
import type { User } from '@sextant/sdk';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { fieldError } from '../../data/services/field-error.ts';
import { useServices } from '../../data/services/services.ts';
import { isRole, ROLE_CHOICES } from '../../data/users.ts';
import { messageOf } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';

type Password = { readonly email: string; readonly password: string };
type CreateUserProps = {
  readonly onClose: () => void;
  /** With the password, where the service chose it. */
  readonly onMade: (password: Password | undefined) => Promise<void>;
};

const FIELDS = ['email', 'first_name', 'last_name', 'password'];

export function CreateUser({ onClose, onMade }: CreateUserProps) {
  const { observability } = useServices();
  const [email, setEmail] = useState('');
  const [firstName, setFirstName] = useState('');
  const [lastName, setLastName] = useState('');
  const [role, setRole] = useState<User['role']>('viewer');
  const [password, setPassword] = useState('');
  const creation = useMutation({
    mutationFn: () =>
      observability.createUser({
        email: email.trim(),
        first_name: firstName.trim(),
        last_name: lastName.trim(),
        role,
        ...(password !== '' && { password }),
      }),
    onSuccess: ({ password: chosen }) => onMade(chosen === undefined ? undefined : { email: email.trim(), password: chosen }),
  });
  // The service states the rules for passwords without the name of the field.
  const wrongPassword = fieldError(creation.error, 'password') ?? (isAboutPassword(creation.error) ? messageOf(creation.error) : undefined);
  const isAtField = wrongPassword !== undefined || FIELDS.some((field) => fieldError(creation.error, field) !== undefined);
  return (
    <FormDialog
      title="New user"
      verb="Create the user"
      saving={creation}
      doing="create the user"
      isErrorAtField={isAtField}
      onSubmit={() => creation.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Email"
        type="email"
        autoComplete="off"
        {...textField(email, setEmail)}
        error={fieldError(creation.error, 'email')}
        required
        data-autofocus
      />
      <Group grow>
        <TextInput label="First name" {...textField(firstName, setFirstName)} error={fieldError(creation.error, 'first_name')} />
        <TextInput label="Last name" {...textField(lastName, setLastName)} error={fieldError(creation.error, 'last_name')} />
      </Group>
      <Select label="Role" data={ROLE_CHOICES} value={role} onChange={(value) => isRole(value) && setRole(value)} allowDeselect={false} />
      <PasswordInput
        label="Password"
        description="If empty, the service generates one and shows it once."
        autoComplete="new-password"
        {...textField(password, setPassword)}
        error={wrongPassword}
      />
    </FormDialog>
  );
}

export function isAboutPassword(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('The password must');
}
