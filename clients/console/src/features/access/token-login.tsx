import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';

/** For those who are not the admin: the console then does what the token may. It is in the memory of this page alone. */
export function TokenLogin() {
  const { vectorSession, enterVectorToken } = useServices();
  const [token, setToken] = useState('');
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    enterVectorToken(token.trim());
    setToken('');
  };
  if (vectorSession.kind === 'token') {
    return (
      <Group>
        <Text size="sm">This page uses an access token.</Text>
        <Button variant="default" onClick={() => enterVectorToken(undefined)}>
          Forget it
        </Button>
      </Group>
    );
  }
  return (
    <Paper withBorder p="md" maw={440}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h5">
            Use an access token
          </Title>
          <PasswordInput
            label="Token"
            autoComplete="off"
            value={token}
            onChange={(event) => setToken(event.currentTarget.value)}
            required
          />
          <Group>
            <Button type="submit" variant="default">
              Use it
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
