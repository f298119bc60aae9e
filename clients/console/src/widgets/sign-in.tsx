import { Alert, PasswordInput, TextInput } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useServices } from '../data/services/services.tsx';
import { CredentialForm } from '../ui/credential-form.tsx';
import { Page } from '../ui/page.tsx';

/** @param why somebody who was signed in a moment ago is asked */
export function SignIn({ why }: { readonly why: string | undefined }) {
  const { signIn } = useServices();
  const [tenant, setTenant] = useState('default');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: () => signIn({ tenant: tenant.trim(), username: username.trim(), password }) });
  return (
    <Page title="Sign in">
      {why !== undefined && (
        <Alert variant="light" icon={<IconInfoCircle size={18} />} maw={440} role="status">
          {why}
        </Alert>
      )}
      <CredentialForm
        note="Data health belongs to a tenant. The first start of the service makes the tenant “default” with the user admin@localhost, and prints a password once."
        verb="Sign in"
        doing="sign in"
        error={attempt.error}
        isPending={attempt.isPending}
        onSubmit={() => attempt.mutate()}
      >
        <TextInput label="Tenant" value={tenant} onChange={(event) => setTenant(event.currentTarget.value)} required />
        <TextInput
          label="Email"
          autoComplete="username"
          value={username}
          onChange={(event) => setUsername(event.currentTarget.value)}
          required
        />
        <PasswordInput
          label="Password"
          autoComplete="current-password"
          value={password}
          onChange={(event) => setPassword(event.currentTarget.value)}
          required
        />
      </CredentialForm>
    </Page>
  );
}
