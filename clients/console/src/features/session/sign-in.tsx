import { Button, Group, Paper, PasswordInput, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';
import { Page } from '../../ui/page.tsx';

export function SignIn() {
  const { signIn } = useServices();
  const [tenant, setTenant] = useState('default');
  const [username, setUsername] = useState('');
  const [password, setPassword] = useState('');
  const attempt = useMutation({ mutationFn: () => signIn({ tenant: tenant.trim(), username: username.trim(), password }) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    attempt.mutate();
  };
  return (
    <Page title="Sign in">
      <Paper withBorder p="md" maw={440}>
        <form onSubmit={submit}>
          <Stack gap="sm">
            <Text size="sm">
              Data health belongs to a tenant. The first start of the service makes the tenant “default” with the user admin@localhost, and
              prints a password once.
            </Text>
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
            {attempt.isError && <ErrorPanel error={attempt.error} doing="sign in" />}
            <Group>
              <Button type="submit" loading={attempt.isPending}>
                Sign in
              </Button>
            </Group>
          </Stack>
        </form>
      </Paper>
    </Page>
  );
}
