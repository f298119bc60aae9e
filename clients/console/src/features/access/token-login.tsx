import { Button, Group, PasswordInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useServices } from '../../data/services/services.tsx';
import { CredentialForm } from '../../ui/credential-form.tsx';

/** For those who are not the admin: the console then does what the token may. */
export function TokenLogin() {
  const { vectorSession, enterVectorToken } = useServices();
  const [token, setToken] = useState('');
  if (vectorSession.kind === 'token') {
    return (
      <Group>
        <Text size="sm">This page uses an access token, until it is reloaded.</Text>
        <Button variant="default" onClick={() => enterVectorToken(undefined)}>
          Forget it
        </Button>
      </Group>
    );
  }
  return (
    <CredentialForm
      title="Use an access token"
      note="It is in the memory of this page alone: after a reload you give it again."
      verb="Use it"
      isSecondary
      doing="use the token"
      error={null}
      isPending={false}
      onSubmit={() => {
        enterVectorToken(token.trim());
        setToken('');
      }}
    >
      <PasswordInput label="Token" autoComplete="off" value={token} onChange={(event) => setToken(event.currentTarget.value)} required />
    </CredentialForm>
  );
}
