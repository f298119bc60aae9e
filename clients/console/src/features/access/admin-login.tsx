import { Button, Group, Paper, PasswordInput, Stack, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

export function AdminLogin() {
  const { loginVector } = useServices();
  const [password, setPassword] = useState('');
  const login = useMutation({ mutationFn: () => loginVector(password) });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    login.mutate();
  };
  return (
    <Paper withBorder p="md" maw={440} mb="md">
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h5">
            Sign in as admin
          </Title>
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
          />
          {login.isError && <ErrorPanel error={login.error} doing="sign in" />}
          <Group>
            <Button type="submit" loading={login.isPending}>
              Sign in
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
