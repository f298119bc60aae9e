// SPDX-License-Identifier: Apache-2.0
/** How one signs in at the vector service: as its first admin, as the admin, or with an access token. */
import { Button, Group, Text } from '@mantine/core';
import { queryClient, VECTOR_KEY } from '../../data/services/query-client.ts';
import { useServices } from '../../data/services/services.ts';
import { SignInForm } from '../../ui/sign-in-form.tsx';

/** Whoever has seen the service start, or may read its data directory, chooses the password of the admin, once. */
export function FirstAdmin() {
  const { vector, loginVector } = useServices();
  return (
    <SignInForm
      title="Set the admin password"
      note="The admin creates tokens and decides whether requests need a credential. Until an admin exists, the service accepts every request from this machine."
      fields={[
        {
          name: 'setupCode',
          label: 'Setup code',
          description:
            'The service prints the code when it starts and stores it in the file setup-code of its data directory (data/vector unless SERVICE_DATA_DIR is set).',
          placeholder: 'XXXXX-XXXXX-XXXXX-XXXXX',
          autoComplete: 'off',
        },
        { name: 'password', label: 'Password', isSecret: true, autoComplete: 'new-password' },
      ]}
      verb="Create the admin"
      doing="create the admin"
      onSubmit={async ({ setupCode, password }) => {
        const { status, message } = await vector.createAdmin(password, { setupCode: setupCode.trim() });
        if (status === 'error') throw new Error(message);
        await loginVector(password);
        await queryClient.invalidateQueries({ queryKey: VECTOR_KEY });
      }}
    />
  );
}

export function AdminLogin() {
  const { loginVector } = useServices();
  return (
    <SignInForm
      title="Sign in as admin"
      note="The session is kept only in the memory of this page: you have to sign in again after a reload."
      fields={[{ name: 'password', label: 'Password', isSecret: true, autoComplete: 'current-password' }]}
      verb="Sign in"
      doing="sign in"
      onSubmit={({ password }) => loginVector(password)}
    />
  );
}

/** For those who are not the admin: the console then does what the token may. */
export function TokenLogin() {
  const { vectorSession, enterVectorToken } = useServices();
  if (vectorSession.kind === 'token') {
    return (
      <Group>
        <Text size="sm">This page uses an access token until it is reloaded.</Text>
        <Button variant="default" onClick={() => enterVectorToken(undefined)}>
          Forget the token
        </Button>
      </Group>
    );
  }
  return (
    <SignInForm
      title="Use an access token"
      note="The token is kept only in the memory of this page: you have to enter it again after a reload."
      fields={[{ name: 'token', label: 'Token', isSecret: true, autoComplete: 'off' }]}
      verb="Use it"
      doing="use the token"
      isSecondary
      onSubmit={async ({ token }) => enterVectorToken(token.trim())}
    />
  );
}
