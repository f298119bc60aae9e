import { Button, Group, Paper, PasswordInput, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { useServices } from '../../app/services.tsx';
import { ErrorPanel } from '../../ui/error-panel.tsx';

/** Anybody on the machine of the service may choose the password of the admin, once. */
export function FirstAdmin() {
  const { vector, loginVector } = useServices();
  const queries = useQueryClient();
  const [password, setPassword] = useState('');
  const creation = useMutation({
    mutationFn: async () => {
      const { status, message } = await vector.createAdmin(password);
      if (status === 'error') throw new Error(message);
      await loginVector(password);
    },
    onSuccess: () => queries.invalidateQueries({ queryKey: ['vector'] }),
  });
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    creation.mutate();
  };
  return (
    <Paper withBorder p="md" maw={440}>
      <form onSubmit={submit}>
        <Stack gap="sm">
          <Title order={2} size="h5">
            Choose the password of the admin
          </Title>
          <Text size="sm">
            The admin makes tokens and says whether credentials are asked for. Until then the service is open to this machine.
          </Text>
          <PasswordInput
            label="Password"
            autoComplete="new-password"
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
            required
          />
          {creation.isError && <ErrorPanel error={creation.error} doing="create the admin" />}
          <Group>
            <Button type="submit" loading={creation.isPending}>
              Create the admin
            </Button>
          </Group>
        </Stack>
      </form>
    </Paper>
  );
}
