// SPDX-License-Identifier: Apache-2.0
import { Button, Group, PasswordInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../../data/services/services.ts';
import { Dimmed } from '../../ui/dimmed.tsx';
import { ErrorPanel, messageOf } from '../../ui/error-panel.tsx';
import { textField } from '../../ui/fields.ts';
import { Form } from '../../ui/form.tsx';
import { SettingsPart } from '../../ui/section.tsx';
import { isAboutPassword } from './create-user.tsx';

/** @param listRefusal why the other users are not listed */
export function OwnAccount({ listRefusal }: { readonly listRefusal: string | undefined }) {
  const { observability, member, signIn } = useServices();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const change = useMutation({
    mutationFn: async () => {
      if (member === undefined) return;
      await observability.changePassword({ user_email: member.username, old_password: old, new_password: next });
      // The change ends every session, this one too.
      await signIn({ ...member, password: next });
    },
    onSuccess: () => {
      setOld('');
      setNext('');
      notifications.show({ message: 'Your password is changed. Other browsers and programs have to sign in again.' });
    },
  });
  const isNew = isAboutPassword(change.error);
  return (
    <SettingsPart
      title="Your password"
      purpose={
        <>
          You are {member?.username} in the tenant {member?.tenant}.{listRefusal !== undefined && ` The list of users: ${listRefusal}`}
        </>
      }
    >
      <Form onSubmit={() => change.mutate()} maw={440}>
        <PasswordInput label="Current password" autoComplete="current-password" {...textField(old, setOld)} required />
        <PasswordInput
          label="New password"
          description="At least 12 characters, with uppercase and lowercase letters, a digit and a special character."
          autoComplete="new-password"
          {...textField(next, setNext)}
          error={isNew ? messageOf(change.error) : undefined}
          required
        />
        {change.isError && !isNew && <ErrorPanel error={change.error} doing="change the password" />}
        <Group gap="sm">
          <Button type="submit" variant="default" loading={change.isPending}>
            Change the password
          </Button>
          <Dimmed size="xs">This ends your other sessions.</Dimmed>
        </Group>
      </Form>
    </SettingsPart>
  );
}
