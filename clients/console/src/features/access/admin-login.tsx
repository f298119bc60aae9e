import { PasswordInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../../data/services/services.tsx';
import { CredentialForm } from '../../ui/credential-form.tsx';

export function AdminLogin() {
  const { loginVector } = useServices();
  const [password, setPassword] = useState('');
  const login = useMutation({ mutationFn: () => loginVector(password) });
  return (
    <CredentialForm
      title="Sign in as admin"
      note="The admin’s token is in the memory of this page alone: after a reload you sign in again."
      verb="Sign in"
      doing="sign in"
      error={login.error}
      isPending={login.isPending}
      onSubmit={() => login.mutate()}
    >
      <PasswordInput
        label="Password"
        autoComplete="current-password"
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
        required
      />
    </CredentialForm>
  );
}
