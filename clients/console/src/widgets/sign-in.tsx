// SPDX-License-Identifier: Apache-2.0
import { Alert } from '@mantine/core';
import { IconInfoCircle } from '@tabler/icons-react';
import { useServices } from '../data/services/services.ts';
import { Page } from '../ui/page.tsx';
import { SignInForm } from '../ui/sign-in-form.tsx';

/** @param why somebody who was signed in a moment ago has to sign in again */
export function SignIn({ why }: { readonly why: string | undefined }) {
  const { signIn } = useServices();
  return (
    <Page title="Sign in">
      {why !== undefined && (
        <Alert variant="light" icon={<IconInfoCircle size={18} />} maw={440} role="status">
          {why}
        </Alert>
      )}
      <SignInForm
        note="Data health belongs to a tenant. When the service starts for the first time, it creates the tenant “default” with the user admin@localhost and prints a password once."
        fields={[
          { name: 'tenant', label: 'Tenant', initial: 'default' },
          { name: 'username', label: 'Email', autoComplete: 'username' },
          { name: 'password', label: 'Password', isSecret: true, autoComplete: 'current-password' },
        ]}
        verb="Sign in"
        doing="sign in"
        onSubmit={({ tenant, username, password }) => signIn({ tenant: tenant.trim(), username: username.trim(), password })}
      />
    </Page>
  );
}
